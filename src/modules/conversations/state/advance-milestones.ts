import type { MessageRow } from '../../messages/message-row.js'
import { BLOCKED } from '../../sla/advance-clocks.js'
import { isAnswer } from './answer.js'
import { isMine, queueChannels } from './change-events.js'
import type { Aggregate, ConversationState } from './conversation-state.js'
import { MERGED_TURN, STATUS_MILESTONES, type MilestoneKind, type MilestoneRow } from './milestone.js'

/** The detail of `closed` when the consumer still waited for an answer. */
const UNANSWERED = 'unanswered'

/** A milestone that does not derive from the difference. */
export type NotedMilestone = Pick<MilestoneRow, 'userId' | 'ms' | 'detail'> &
  Partial<Pick<MilestoneRow, 'channels' | 'at' | 'turn' | 'botId' | 'proposalKind'>> & {
    kind:
      | 'offered'
      | 'offerEnded'
      | 'labelled'
      | 'macro'
      | 'transferred'
      | 'received'
      | 'agentTurn'
      | 'firstText'
      | 'asked'
      | 'rated'
      | 'proposed'
      | 'proposalEnded'
  }

/** Change of a conversation by one operation. */
export interface OperationChange {
  before: Aggregate | null
  after: Aggregate
  isRemoved: boolean
  /** Messages that it sent, in order. */
  messages: readonly MessageRow[]
  noted: readonly NotedMilestone[]
  /** Ids of those of its messages that were sent before the consumer began to wait. */
  sentBefore: ReadonlySet<string>
  /** True if it blocks the consumer. */
  isBlocking: boolean
  /** True if it merges another conversation into this one. */
  isMerge: boolean
  /** True if it closes the conversation while the consumer waits for an answer. */
  closesUnanswered: boolean
  now: Date
}

export type DerivedMilestone = Pick<MilestoneRow, 'kind'> &
  Partial<Pick<MilestoneRow, 'at' | 'userId' | 'channels' | 'ms' | 'turn' | 'detail' | 'botId' | 'proposalKind'>>
type Turn = DerivedMilestone & { at: Date }

/**
 * Derives the milestones of an operation from the difference between the conversation before and after it, so that no
 * command can forget them, and updates the fields of the state from which later durations are measured. Only
 * conversations with consumers have milestones.
 */
export function advanceMilestones(change: OperationChange): MilestoneRow[] {
  const { before, isRemoved, now } = change
  const { conversation } = change.after
  if (conversation.type !== 'contact') return []
  const earlier = before?.conversation ?? null
  const turns = takeTurns(change)
  const isOpen = !isRemoved && isWaitingOrActive(conversation)
  const hadCase = conversation.caseAt !== null || isWaitingOrActive(earlier)
  if (!hadCase && (isOpen || turns.length > 0)) {
    conversation.caseAt = turns[0]?.at ?? now
    conversation.caseChannels = []
  }
  const notified = trackChannels(conversation, earlier)
  // A create can begin and close a case in one operation.
  const isClosedAtOnce = !hadCase && turns.length > 0 && !isOpen
  const derived = [
    ...statusChange(change, isClosedAtOnce),
    ...agentChanges(change),
    ...snoozeChange(change),
    ...change.noted,
    ...turns,
    ...(notified.length > 0 ? [notifiedOf(notified, conversation)] : []),
    ...(conversation.category === (earlier?.category ?? null) ? [] : [{ kind: 'categorised' as const }]),
  ]
  // Sorted once: most milestones of an operation have the channels of the case, of which there may be thousands.
  const caseChannels = derived.length > 0 ? conversation.caseChannels.toSorted() : []
  const rows = derived.map((milestone) => rowOf(conversation, milestone, caseChannels, now))
  rows.sort((one, other) => ORDER[one.kind] - ORDER[other.kind])
  for (const row of rows) row.nth = ++conversation.milestoneCount
  trackWaiting(conversation, earlier, now)
  // What nobody answered before `/block` is no turn of the next case.
  if (!isOpen) Object.assign(conversation, { caseAt: null, caseTurns: 0, unansweredSince: null })
  // What bots say after the end counts for the case that follows.
  if (!isOpen && isWaitingOrActive(earlier)) conversation.caseBots = {}
  return rows
}

/** The order of milestones of one operation. */
const ORDER = {
  created: 0,
  transferred: 1,
  agentLeft: 1,
  queued: 2,
  notified: 3,
  offerEnded: 4,
  offered: 5,
  accepted: 6,
  received: 6,
  woken: 7,
  consumerTurn: 7,
  agentTurn: 7,
  firstText: 7,
  categorised: 8,
  labelled: 8,
  macro: 8,
  snoozed: 8,
  asked: 8,
  rated: 8,
  proposed: 8,
  proposalEnded: 8,
  abandoned: 9,
  closed: 10,
  merged: 11,
  deleted: 12,
  clockBreached: 13,
  clockMet: 14,
  clockOverrun: 15,
  agentState: 16,
  occupied: 16,
  held: 16,
} as const satisfies Record<MilestoneKind, number>

/** The row of a milestone, not yet numbered. @param caseChannels sorted */
export function rowOf(
  conversation: ConversationState,
  milestone: DerivedMilestone,
  caseChannels: string[],
  now: Date,
): MilestoneRow {
  const { id, org1, org2, org3, touchpoint, category } = conversation
  const { kind, at = now, userId = null, ms = null, turn = null, detail = null, botId, proposalKind } = milestone
  const channels = milestone.channels?.toSorted() ?? caseChannels
  const place = { conversationId: id, org1, org2, org3, touchpoint, category }
  const ofProposal = botId == null ? {} : { botId, proposalKind: proposalKind! }
  return { ...place, nth: 0, kind, at, userId, channels, ms, turn, detail, ...ofProposal }
}

/**
 * Tells whether a case begins: nobody worked on the conversation, and now it waits or is worked on, or somebody wrote.
 */
export function opensCase({
  before,
  after,
  isRemoved,
  messages,
}: Pick<OperationChange, 'before' | 'after' | 'isRemoved' | 'messages'>): boolean {
  const earlier = before?.conversation ?? null
  if (isRemoved || after.conversation.type !== 'contact' || earlier?.caseAt || isWaitingOrActive(earlier)) return false
  const isSaid = ({ role, isBackchannel, type, originId }: MessageRow): boolean =>
    !isBackchannel && type !== 'command' && !originId && (role === 'contact' || role === 'agent')
  return isWaitingOrActive(after.conversation) || messages.some(isSaid)
}

const isWaitingOrActive = (conversation: ConversationState | null): boolean =>
  conversation?.status === 'queued' || conversation?.status === 'active'

function statusChange(
  { before, after, isRemoved, isBlocking, closesUnanswered, now }: OperationChange,
  isClosedAtOnce: boolean,
): DerivedMilestone[] {
  const { status, caseAt, caseTurns } = after.conversation
  const kinds: readonly MilestoneKind[] =
    STATUS_MILESTONES[before?.conversation.status ?? 'none'][isRemoved ? 'none' : status]
  return [...kinds, ...(isClosedAtOnce && !isRemoved ? ['closed' as const] : [])].map((kind) => {
    if (kind === 'abandoned') return { kind, ms: waited(before, now) }
    if (kind === 'closed') {
      const detail = isBlocking ? BLOCKED : closesUnanswered ? UNANSWERED : null
      return { kind, ms: since(caseAt, now), turn: caseTurns, detail }
    }
    return { kind }
  })
}

/** Derives who accepted it, who no longer has it, and for how long they had. */
function agentChanges({ before, after, isRemoved, now }: OperationChange): DerivedMilestone[] {
  const had = (user: string): boolean => before !== null && isMine(before, user)
  const has = (user: string): boolean => !isRemoved && isMine(after, user)
  const derived: DerivedMilestone[] = []
  for (const [userId, participant] of after.participants) {
    if (had(userId) || !has(userId)) continue
    Object.assign(participant, { acceptedAt: now, handledMs: 0 })
    // Of several who accept, one takes it from the queue.
    derived.push({ kind: 'accepted', userId, ms: derived.length === 0 ? waited(before, now) : null })
  }
  const wasSnoozed = before !== null && before.conversation.snoozedUntil !== null
  for (const [userId, { acceptedAt, handledMs }] of before?.participants ?? []) {
    if (!had(userId) || has(userId)) continue
    const ms = acceptedAt && handledMs + (wasSnoozed ? 0 : since(acceptedAt, now)!)
    derived.push({ kind: 'agentLeft', userId, ms, ...(handledMs > 0 && { detail: String(handledMs) }) })
    const kept = after.participants.get(userId)
    if (kept) Object.assign(kept, { acceptedAt: null, handledMs: 0 })
  }
  return derived
}

/** Derives that it was put aside, or woken. The time between counts for nobody who has it. */
function snoozeChange({ before, after, isRemoved, now }: OperationChange): DerivedMilestone[] {
  const earlier = before?.conversation
  const { conversation, participants } = after
  const isSnoozed = !isRemoved && conversation.snoozedUntil !== null
  if (isSnoozed === Boolean(earlier?.snoozedUntil)) return []
  const holders = [...participants.values()].filter(({ userId }) => !isRemoved && isMine(after, userId))
  if (!isSnoozed) {
    for (const holder of holders) holder.acceptedAt = now
    return [{ kind: 'woken', userId: earlier!.snoozedBy, ms: since(earlier!.snoozedAt, now) }]
  }
  return holders.map((holder) => {
    const ms = since(holder.acceptedAt, now) ?? 0
    holder.handledMs += ms
    return { kind: 'snoozed', userId: holder.userId, ms }
  })
}

/** The turns, message by message: the consumer begins to wait for an answer, and an agent answers. */
function takeTurns({ before, after: { conversation }, messages, sentBefore, isMerge }: OperationChange): Turn[] {
  const turns: Turn[] = []
  let from = conversation.unansweredSince
  let isWaiting = from !== null
  // A merge, a consumer who asks for a person and a bot that is lost make a consumer wait without a message of the operation:
  // clocks run from this turn.
  if (from !== null && from.getTime() !== before?.conversation.unansweredSince?.getTime()) {
    const detail = isMerge ? MERGED_TURN : null
    turns.push({ kind: 'consumerTurn', at: from, turn: ++conversation.caseTurns, detail })
  }
  for (const message of messages) {
    const { role, isBackchannel, type, userId, originId, createdAt: at } = message
    // The turns of merged messages are the origin's.
    if (isBackchannel || type === 'command' || originId) continue
    if (role === 'contact' && !isWaiting) {
      turns.push({ kind: 'consumerTurn', at, turn: ++conversation.caseTurns })
      isWaiting = true
      from = at
    } else if (isAnswer(message) && isWaiting && !sentBefore.has(message.id)) {
      turns.push({ kind: 'agentTurn', at, userId, ms: since(from, at), turn: conversation.caseTurns })
      isWaiting = false
      from = null
    }
  }
  conversation.unansweredSince = conversation.awaitingReply ? from : null
  return turns
}

/** Those of the case, unless only some of them were added. */
function notifiedOf(channels: string[], { caseChannels }: ConversationState): DerivedMilestone {
  return { kind: 'notified', ...(channels.length < caseChannels.length && { channels }) }
}

/** Keeps the channels of the case when the conversation leaves their queues. @returns those that were added */
function trackChannels(conversation: ConversationState, earlier: ConversationState | null): string[] {
  const channels = queueChannels(conversation)
  const known = new Set(earlier ? queueChannels(earlier) : [])
  const isSame = channels.length === known.size && channels.every((channel) => known.has(channel))
  if (channels.length > 0 && !isSame) conversation.caseChannels = channels
  return channels.filter((channel) => !known.has(channel))
}

/** Unlike `queuedAt`, the time stays when a conversation in the queue is queued again. */
function trackWaiting(conversation: ConversationState, earlier: ConversationState | null, now: Date): void {
  if (conversation.status !== 'queued') Object.assign(conversation, { waitingSince: null, hoursTold: false })
  else conversation.waitingSince ??= earlier?.status === 'queued' ? earlier.queuedAt : now
}

/** Returns the time for which it had been queued, if it was. */
function waited(before: Aggregate | null, now: Date): number | null {
  if (before?.conversation.status !== 'queued') return null
  return since(before.conversation.waitingSince ?? before.conversation.queuedAt, now)
}

const since = (from: Date | null, now: Date): number | null => from && Math.max(0, now.getTime() - from.getTime())
