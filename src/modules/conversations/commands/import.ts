import { NOTE_CONTACT_MERGE } from '../../contacts/linked-contacts.js'
import { isId } from '../../../platform/db/clock.js'
import { isWithin } from '../../../platform/db/tenancy.js'
import { quoteValue, Unprocessable } from '../../../platform/errors.js'
import type { MessageRow } from '../../messages/message-row.js'
import { LABELS_PER_CONVERSATION_MAX, type ConversationState } from '../state/conversation-state.js'
import { MERGED_TURN } from '../state/milestone.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { WritingChange } from '../state/writing-change.js'
import { conversationNotFound } from '../state/conversation-visibility.js'
import { keptNeeds, withKept } from '../routing/agent-needs.js'
import { mergeMessages } from '../messages/merge-messages.js'
import { isSaid, previewOf } from '../state/preview.js'
import { putInInbox } from '../state/inbox-reason.js'
import { wake } from '../state/snooze.js'
import { applyMove } from '../state/transitions.js'
import type { ExclusiveCommand } from './command.js'
import { badText } from './command-text.js'

const TRANSFERRED = 'TRANSFERRED' // 4.8

interface ImportArguments {
  /** Id of the conversation to merge into this one. */
  origin: string
}

/**
 * `/import <conversation_id>` (4.8, 3.1): merges the named conversation into this one. The origin is archived; this
 * conversation receives copies of its messages, in the order of creation. If closed, it is queued when a consumer is
 * waiting for an agent: because of an unanswered consumer message, or because the origin was queued. Users who had the
 * origin in their inbox or followed it get or follow this one instead.
 */
export const importOrigin: ExclusiveCommand<ImportArguments> = {
  name: 'import',
  permission: 'conversation.command',
  isExclusive: true,
  inText: ['origin'],
  read: (rest) => ({ origin: rest }),
  write: ({ origin }) => ({ rest: origin }),
  check({ origin }, at) {
    if (isId(origin)) return { origin: origin.toLowerCase() }
    throw badText(at('origin'), `must name the conversation to import by its ID, not ${quoteValue(origin)}`)
  },
  alsoLocks: ({ origin }) => [origin],
  async run({ change, router, sender, given, at }) {
    const origin = change.others.get(given.origin)
    if (!origin)
      throw new Unprocessable('a conversation cannot be imported into itself', {
        reason: 'IMPORT_IMPOSSIBLE',
        field: at('origin'),
      })
    // A delayed command runs as the system, which sees every tenant.
    if (!isWithin(sender, origin.conversation)) throw conversationNotFound()
    const { conversation } = change
    requireMergeable(conversation, origin.conversation, at('origin'))
    const wasAwaiting = conversation.awaitingReply
    const before = { ...origin.conversation }
    const tail = await mergeMessages(change, origin)
    readTail(conversation, tail)
    noteAnswer(change, tail)
    const isWaiting = conversation.awaitingReply || origin.conversation.status === 'queued'
    if (isWaiting && !wasAwaiting) wake(change)
    carryOverTimes(origin.conversation, conversation, tail)
    carryOverLabels(origin.conversation, conversation)
    carryOverInboxes(origin, change)
    archive(origin, conversation.id)
    noteMerge(change, origin.conversation, sender.member?.userId ?? null)
    if (conversation.type === 'contact' && conversation.status === 'closed' && isWaiting) {
      applyMove(conversation, 'importedInto')
      await router.queue(change, { trigger: '/import' })
    }
    carryOverGivers(before, conversation)
  },
}

function requireMergeable(target: ConversationState, origin: ConversationState, field: string): void {
  const problem =
    origin.status === 'archived'
      ? 'is archived'
      : origin.organizationId !== target.organizationId
        ? 'belongs to another organization'
        : origin.type !== target.type
          ? `is of type ${origin.type}, this one of type ${target.type}`
          : null
  if (problem)
    throw new Unprocessable(`the conversation to import ${problem}`, {
      reason: 'IMPORT_IMPOSSIBLE',
      field,
      origin: origin.id,
    })
}

/** Updates the fields that depend on the last messages, from the end of the merged messages. */
function readTail(conversation: ConversationState, tail: readonly MessageRow[]): void {
  const last = tail.at(-1)
  if (last) {
    conversation.messageCount = last.position
    conversation.lastMessageId = last.id
    conversation.lastMessageAt = last.createdAt
  }
  const messages = tail.filter(isSaid)
  conversation.lastMessageRole = messages.at(-1)?.role ?? conversation.lastMessageRole
  const preview = messages.map(previewOf).findLast((line) => line !== null)
  conversation.preview = preview ?? conversation.preview
  const talk = messages.findLast(({ role }) => role === 'contact' || role === 'agent')
  if (talk) conversation.awaitingReply = talk.role === 'contact'
}

/** The consumer has waited since before the merge: the origin's last turn becomes one of the target, which counts it. */
function carryOverTimes(origin: ConversationState, target: ConversationState, tail: readonly MessageRow[]): void {
  const takesTurn = target.awaitingReply && target.unansweredSince === null
  if (takesTurn) target.unansweredSince = unansweredIn(tail) ?? origin.unansweredSince
  target.caseTurns = Math.max(target.caseTurns, origin.caseTurns - (target.unansweredSince && takesTurn ? 1 : 0))
  if (target.status === 'closed' && origin.caseAt) target.caseAt = origin.caseAt
  target.hoursToldUntil = laterOf(origin.hoursToldUntil, target.hoursToldUntil)
  if (target.status === 'active') return
  target.waitingSince ??= origin.waitingSince
  target.hoursTold ||= origin.hoursTold
}

/** The consumer of the target was answered in the origin: its clocks end with that answer. */
function noteAnswer({ conversation, noted }: ConversationChange, tail: readonly MessageRow[]): void {
  const { unansweredSince: since, caseTurns: turn } = conversation
  const answer = since && talkOf(tail).find(({ role, createdAt }) => role === 'agent' && createdAt >= since)
  if (!answer) return
  const { userId, createdAt: at } = answer
  noted.push({ kind: 'agentTurn', userId, at, ms: null, turn, detail: MERGED_TURN })
  conversation.unansweredSince = null
}

const talkOf = (tail: readonly MessageRow[]): MessageRow[] =>
  tail.filter((message) => isSaid(message) && (message.role === 'contact' || message.role === 'agent'))

/** Returns the time of the first message of the consumer after the last answer. */
function unansweredIn(tail: readonly MessageRow[]): Date | null {
  const talk = talkOf(tail)
  const answered = talk.findLastIndex(({ role }) => role === 'agent')
  return talk[answered + 1]?.createdAt ?? null
}

/** Labels say what it was about: those of both stay, as many as one can have. */
function carryOverLabels(origin: ConversationState, target: ConversationState): void {
  target.labels = [...new Set([...target.labels, ...origin.labels])].slice(0, LABELS_PER_CONVERSATION_MAX)
}

/** Asks whoever handed the origin over, or left it, for the target as for the origin, had it been queued in these channels. */
function carryOverGivers(origin: Readonly<ConversationState>, target: ConversationState): void {
  if (target.status !== 'queued') return
  const kept = keptNeeds(origin, [...target.channels, ...target.channelsOffline, ...target.taskChannels])
  target.needs = withKept(target.needs, kept)
}

const laterOf = (one: Date | null, other: Date | null): Date | null =>
  one && other && one > other ? one : (other ?? one)

function archive({ conversation, participants }: ConversationChange, target: string): void {
  applyMove(conversation, 'importedFrom')
  conversation.name = TRANSFERRED
  conversation.meta = { ...conversation.meta, _target: target }
  conversation.awaitingReply = false
  for (const participant of participants.values()) {
    Object.assign(participant, { inbox: false, accepted: false, active: false })
  }
}

/**
 * Records the merge: guests of the origin continue here, and touchpoints on which the origin's contact was present
 * count for this contact as well, since merging declares them to be the same person.
 */
function noteMerge(change: WritingChange, { id, contactId }: ConversationState, by: string | null): void {
  const { conversation, now } = change
  const at = conversation.lastMessageAt && conversation.lastMessageAt > now ? conversation.lastMessageAt : now
  change.afterWrites('insert into conversation_merge (origin_id, target_id, created_at) values ($1, $2, $3)', [
    id,
    conversation.id,
    at,
  ])
  // The question is among the messages that were copied: it is answered here.
  for (const table of ['rating', 'rating_comment'])
    change.afterWrites(`update ${table} set conversation_id = $2 where conversation_id = $1`, [id, conversation.id])
  if (!contactId || !conversation.contactId) return
  change.afterWrites(NOTE_CONTACT_MERGE, [contactId, conversation.contactId, id, conversation.id, by, now])
  if (contactId === conversation.contactId) return
  change.afterWrites(
    `insert into contact_presence as p (contact_id, touchpoint, last_seen_at)
     select $2, touchpoint, last_seen_at from contact_presence where contact_id = $1
     on conflict (contact_id, touchpoint) do update set last_seen_at = greatest(p.last_seen_at, excluded.last_seen_at)`,
    [contactId, conversation.contactId],
  )
}

function carryOverInboxes(origin: ConversationChange, target: ConversationChange): void {
  target.conversation.touchpoint ??= origin.conversation.touchpoint
  for (const { userId, name, avatar, role, inbox, inboxReason, follow } of origin.participants.values()) {
    if (!inbox && !follow) continue
    const participant = target.join({ userId, name, avatar, role })
    participant.follow ||= follow
    // The message that brought it there is another one here.
    if (inbox && !participant.active && !participant.inbox && inboxReason) putInInbox(participant, inboxReason)
  }
}
