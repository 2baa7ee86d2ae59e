import { NOTE_CONTACT_MERGE } from '../../contacts/linked-contacts.js'
import { isId } from '../../../platform/db/clock.js'
import { isWithin } from '../../../platform/db/tenancy.js'
import { quoteValue, Unprocessable } from '../../../platform/errors.js'
import type { MessageRow } from '../../messages/message-row.js'
import { LABELS_PER_CONVERSATION_MAX, type ConversationState } from '../state/conversation-state.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { WritingChange } from '../state/writing-change.js'
import { conversationNotFound } from '../state/conversation-visibility.js'
import { keptNeeds, withKept } from '../routing/agent-needs.js'
import { knownChannels } from '../routing/known-targets.js'
import type { Router } from '../routing/router.js'
import { mergeMessages } from '../messages/merge-messages.js'
import { earlierOf, mergeWaits } from '../messages/merge-waits.js'
import { isSaid, previewOf } from '../state/preview.js'
import { putInInbox } from '../state/inbox-reason.js'
import { wake } from '../state/snooze.js'
import { applyMove } from '../state/transitions.js'
import type { ExclusiveCommand } from './command.js'
import { badText } from './command-text.js'

const TRANSFERRED = 'TRANSFERRED' // 4.8
const TRIGGER = '/import'

interface ImportArguments {
  /** Id of the conversation to merge into this one. */
  origin: string
}

/**
 * `/import <conversation_id>` (4.8, 3.1): merges the named conversation into this one. The origin is archived; this
 * conversation receives copies of its messages, in the order of creation. If closed, it is queued when the consumer of
 * the origin is waiting for an agent: because of an unanswered message, or because the origin was queued, with the place
 * and the team that it had. Users who had the origin in their inbox or followed it get or follow this one instead.
 */
export const importOrigin: ExclusiveCommand<ImportArguments> = {
  name: 'import',
  permission: 'conversation.command',
  grant: 'other',
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
    // What ends there is as much the bot's doing as what comes here.
    await origin.grants.require('other')
    requireMergeable(conversation, origin.conversation, at('origin'))
    const before = { ...origin.conversation }
    const merged = await mergeMessages(change, origin)
    readTail(conversation, merged.tail)
    const isWaiting = mergeWaits(change, before, merged) || before.status === 'queued'
    if (isWaitedFor(before)) wake(change)
    carryOverTimes(before, conversation)
    carryOverLabels(before, conversation)
    carryOverBots(before, conversation)
    // Deliveries go with the copies.
    conversation.undelivered += origin.conversation.undelivered
    origin.conversation.undelivered = 0
    carryOverInboxes(origin, change)
    archive(origin, conversation.id)
    noteMerge(change, origin.conversation, sender.member?.userId ?? null)
    await carryOverPlace(change, router, { origin: before, isWaiting })
    carryOverGivers(before, conversation)
    carryOverNote(before, conversation, merged.copies)
  },
}

/** Checks that a conversation may be merged into another. @throws Unprocessable naming the field */
export function requireMergeable(
  target: ConversationState,
  origin: Pick<ConversationState, 'id' | 'status' | 'organizationId' | 'type'>,
  field: string,
): void {
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
}

/** Tells whether somebody had to do something for its consumer, whatever was said elsewhere since. */
const isWaitedFor = ({ status, awaitingReply }: Readonly<ConversationState>): boolean =>
  status === 'queued' || (status === 'active' && awaitingReply)

/** The consumer has waited since before the merge. */
function carryOverTimes(origin: Readonly<ConversationState>, target: ConversationState): void {
  if (target.status === 'closed' && origin.caseAt) target.caseAt = origin.caseAt
  target.hoursToldUntil = laterOf(origin.hoursToldUntil, target.hoursToldUntil)
  if (target.status === 'active') return
  target.waitingSince = earlierOf(waitingSince(origin), waitingSince(target))
  target.hoursTold ||= origin.hoursTold
}

/** Adds up what bots have said in both cases: the one that is left is both. */
function carryOverBots({ caseBots }: Readonly<ConversationState>, target: ConversationState): void {
  const sums = Object.entries(caseBots).map(([bot, count]) => [bot, count + (target.caseBots[bot] ?? 0)])
  target.caseBots = { ...target.caseBots, ...Object.fromEntries(sums) }
}

const waitingSince = ({ status, waitingSince: since, queuedAt }: Readonly<ConversationState>): Date | null =>
  since ?? (status === 'queued' ? queuedAt : null)

/**
 * The consumer keeps its place in the line, and stays with the team that somebody chose for it: in a closed target that
 * waits from now on, rules decide only if nobody had. Tasks of the origin stay open, whatever the status of the target.
 */
async function carryOverPlace(
  change: ConversationChange,
  router: Router,
  { origin, isWaiting }: { origin: Readonly<ConversationState>; isWaiting: boolean },
): Promise<void> {
  const { conversation } = change
  const wasQueued = origin.status === 'queued'
  const tasks = [...(await knownChannels(change, origin.taskChannels))]
  if (conversation.type === 'contact' && conversation.status === 'closed' && isWaiting) {
    const isChosen = wasQueued && tasks.length > 0
    if (!isChosen && tasks.length > 0) await router.addTask(change, tasks, TRIGGER)
    const channels = isChosen && { channels: [...conversation.taskChannels, ...tasks] }
    applyMove(conversation, 'importedInto')
    await router.queue(change, { trigger: TRIGGER, ...channels, queuedAt: wasQueued ? origin.queuedAt : null })
    return
  }
  if (tasks.length > 0) await router.addTask(change, tasks, TRIGGER)
  const isInLine = conversation.status === 'queued' ? wasQueued : tasks.length > 0
  if (isInLine) conversation.queuedAt = earlierOf(origin.queuedAt, conversation.queuedAt)
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

/** Pins the note of the origin to the target, unless that was handed over with one itself. */
function carryOverNote(
  { handOverNoteId }: Readonly<ConversationState>,
  target: ConversationState,
  copies: readonly MessageRow[],
): void {
  if (target.status === 'closed') return
  target.handOverNoteId ??= copies.find(({ meta }) => meta?._source === handOverNoteId)?.id ?? null
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
