import { isDeepStrictEqual } from 'node:util'
import {
  channelStream,
  conversationStream,
  newEvent,
  organizationStream,
  userStream,
  type NewEvent,
} from '../../../platform/events/event.js'
import { columnName, columnsWhere } from '../../../platform/db/columns.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { CONVERSATION_COLUMNS, conversationData, PREVIOUS_OF_PARTICIPANT } from './conversation-columns.js'
import type { InboxEntryData, PreviousParticipant, QueueEntryData, QueueExit } from './conversation-event-types.js'
import type { Aggregate, ConversationState, ParticipantState } from './conversation-state.js'

/**
 * Returns the events of a change: the difference between the state before and after it, as each stream shows it. Since
 * events derive from the difference only, a snapshot plus its events always equals the state fetched anew.
 */
export function eventsOfChange(before: Aggregate | null, after: Aggregate): NewEvent[] {
  return [...conversationEvents(before, after), ...queueEvents(before, after), ...ownListEvents(before, after)]
}

/**
 * Returns the events of a deletion, which only say that the conversation no longer exists.
 * @param emitted by the operation: those of other streams are told, such as the end of an offer to whom it was made
 */
export function eventsOfRemoval(before: Aggregate, emitted: readonly object[]): NewEvent[] {
  const { conversation, participants } = before
  const { id, organizationId } = conversation
  const isAnothers = (event: object): event is NewEvent => 'stream' in event && event.stream !== conversationStream(id)
  return [
    ...emitted.filter(isAnothers),
    newEvent(organizationStream(organizationId), 'conversation.deleted', { id, organization: organizationId }),
    newEvent(conversationStream(id), 'conversation.removed', { id }),
    ...queueChannels(conversation).map((channel) =>
      newEvent(channelStream(channel), 'queue.removed', { channel, conversation: id, reason: 'deleted' }),
    ),
    ...[...participants.keys()].flatMap((user) =>
      OWN_LISTS.filter(({ holds }) => holds(before, user)).map(({ removed }) =>
        newEvent(userStream(user), removed, { conversation: id }),
      ),
    ),
  ]
}

/** Returns events that update queues, inboxes and subscribers after a change of the contact's name. */
export function eventsOfContactChange(aggregate: Aggregate): NewEvent[] {
  const { conversation, participants } = aggregate
  const entry = queueEntry(aggregate)
  const path = [...pathOf(conversation)] as string[]
  return [
    newEvent(conversationStream(conversation.id), 'conversation.changed', {
      conversation: conversationData(conversation),
    }),
    ...entryEvents(new Map(queueChannels(conversation).map((channel) => [channel, 'queue.changed'])), entry),
    ...[...participants.values()].flatMap((participant) =>
      OWN_LISTS.filter(({ holds }) => holds(aggregate, participant.userId)).map(({ changed }) =>
        newEvent(userStream(participant.userId), changed, { entry: inboxEntry(aggregate, participant), path }),
      ),
    ),
  ]
}

/**
 * Returns the channels whose queues hold a conversation: rules or `/notify` chose them, whether or not anyone was
 * online. A conversation that is neither queued nor a task has no channels.
 */
export function queueChannels({ channels, channelsOffline }: ConversationState): string[] {
  return [...new Set([...channels, ...channelsOffline])]
}

/** Fields of a conversation that queues and inboxes show. */
export type ShownConversation = Pick<
  ConversationState,
  | 'id'
  | 'organizationId'
  | 'name'
  | 'status'
  | 'touchpoint'
  | 'category'
  | 'language'
  | 'preview'
  | 'queuedAt'
  | 'lastMessageAt'
  | 'nextDue'
  | 'undelivered'
  | 'labels'
  | 'awaitingReply'
  | 'snoozedUntil'
>

/** SQL columns of these fields, for a conversation at `c`. */
export const SHOWN_COLUMNS = `c.id, c.organization_id, c.name, c.status, c.touchpoint, c.category, c.language, c.preview,
  c.queued_at, c.last_message_at, c.next_due, c.undelivered, c.labels, c.awaiting_reply, c.snoozed_until`

/** Fields of a participant that the lists of its user show. */
export type ShownParticipant = Pick<ParticipantState, (typeof OF_PARTICIPANT)[number]>

const OF_PARTICIPANT = [
  'unreadCount',
  'active',
  'accepted',
  'follow',
  'inbox',
  'inboxReason',
  'inboxMessageId',
] as const satisfies (keyof ParticipantState)[]

/** SQL columns of these fields, for a participant at `p`. */
export const SHOWN_OF_PARTICIPANT = OF_PARTICIPANT.map((property) => `p.${columnName(property)}`).join(', ')

interface Shown {
  conversation: ShownConversation
  contactName: string | null
}

/** Returns the entry that agents' screens show of a queued conversation; metadata is loaded on request. */
export function queueEntry({ conversation, contactName }: Shown): QueueEntryData {
  return {
    conversation: conversation.id,
    organization: conversation.organizationId,
    name: conversation.name,
    contactName,
    touchpoint: conversation.touchpoint,
    category: conversation.category,
    language: conversation.language,
    preview: conversation.preview,
    nextDue: conversation.nextDue?.toISOString() ?? null,
    undelivered: conversation.undelivered,
    labels: conversation.labels,
    queuedAt: conversation.queuedAt?.toISOString() ?? null,
  }
}

/** Returns the entry that a user's inbox and list of accepted conversations show. */
export function inboxEntry({ conversation, contactName }: Shown, participant: ShownParticipant): InboxEntryData {
  return {
    conversation: conversation.id,
    organization: conversation.organizationId,
    name: conversation.name,
    contactName,
    status: conversation.status,
    touchpoint: conversation.touchpoint,
    category: conversation.category,
    language: conversation.language,
    preview: conversation.preview,
    nextDue: conversation.nextDue?.toISOString() ?? null,
    undelivered: conversation.undelivered,
    labels: conversation.labels,
    awaitsAnswer: conversation.awaitingReply,
    snoozedUntil: conversation.snoozedUntil?.toISOString() ?? null,
    reason: participant.inbox ? participant.inboxReason : null,
    reasonMessage: participant.inbox ? participant.inboxMessageId : null,
    unreadCount: participant.unreadCount,
    active: participant.active,
    accepted: participant.accepted,
    follow: participant.follow,
    lastMessageAt: conversation.lastMessageAt?.toISOString() ?? null,
  }
}

/**
 * Columns whose changes emit no event: those that events do not carry, and those that change with every message, which
 * has an event of its own.
 */
const SILENT: ReadonlySet<string> = new Set(
  columnsWhere(CONVERSATION_COLUMNS, ({ events, written }) => events !== 'shown' || written === 'message'),
)

/** Columns that `previous` holds when they change: those that events and webhooks both show. */
const PREVIOUS = columnsWhere(
  CONVERSATION_COLUMNS,
  ({ events, webhook, written }) => events === 'shown' && webhook === 'shown' && written === 'change',
) as (keyof ConversationState)[]

function conversationEvents(before: Aggregate | null, after: Aggregate): NewEvent[] {
  const stream = conversationStream(after.conversation.id)
  const participants = inOrder(after.participants)
  const created = participants.length > 0 ? [newEvent(stream, 'participants.changed', { participants })] : []
  const conversation = conversationData(after.conversation)
  if (!before) return [newEvent(stream, 'conversation.created', { conversation }), ...created]
  const former = formerParticipants(before.participants, after.participants)
  const previous = { ...formerValues(before.conversation, after.conversation), ...(former && { participants: former }) }
  const isChanged = hasChanges(before.conversation, after.conversation, SILENT)
  const events = isChanged ? [newEvent(stream, 'conversation.changed', { conversation, previous })] : []
  if (!participantsDiffer(before.participants, after.participants)) return events
  const data = { participants, ...(former && !isChanged && { previous: { participants: former } }) }
  return [...events, newEvent(stream, 'participants.changed', data)]
}

function formerValues(before: ConversationState, after: ConversationState): Partial<ConversationState> {
  const changed = PREVIOUS.filter((key) => hasChanges({ value: before[key] }, { value: after[key] }))
  return Object.fromEntries(changed.map((key) => [key, before[key]]))
}

/** Returns the participants before a change of more than counts; null if there was none. */
function formerParticipants(before: Participants, after: Participants): PreviousParticipant[] | null {
  const [former, now] = [before, after].map((participants) => inOrder(participants).map(published)) as [
    PreviousParticipant[],
    PreviousParticipant[],
  ]
  return isDeepStrictEqual(former, now) ? null : former
}

const published = (participant: ParticipantState): PreviousParticipant =>
  Object.fromEntries(PREVIOUS_OF_PARTICIPANT.map((key) => [key, participant[key]])) as unknown as PreviousParticipant

type Participants = ReadonlyMap<string, ParticipantState>

/** Returns the participants in the order of joining. */
function inOrder(participants: Participants): ParticipantState[] {
  return [...participants.values()].toSorted(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.userId < other.userId ? -1 : 1),
  )
}

/** Tells whether anybody joined or left, or takes part in another way. */
export function participantsDiffer(before: Participants, after: Participants): boolean {
  if (before.size !== after.size) return true
  for (const [user, participant] of after) {
    const earlier = before.get(user)
    if (!earlier || hasChanges(earlier, participant)) return true
  }
  return false
}

function queueEvents(before: Aggregate | null, after: Aggregate): NewEvent[] {
  const earlier = new Set(before ? queueChannels(before.conversation) : [])
  const now = queueChannels(after.conversation)
  if (earlier.size === 0 && now.length === 0) return []
  const entry = queueEntry(after)
  const isChanged = before !== null && (hasChanges(queueEntry(before), entry) || hasOtherMeta(before, after))
  const entries = new Map<string, EntryEvent>()
  for (const channel of now) {
    const type = earlier.delete(channel) ? (isChanged ? 'queue.changed' : null) : 'queue.added'
    if (type) entries.set(channel, type)
  }
  const events = entryEvents(entries, entry)
  for (const channel of earlier) {
    const data = { channel, conversation: after.conversation.id, reason: exitReason(after.conversation) }
    events.push(newEvent(channelStream(channel), 'queue.removed', data))
  }
  return events
}

/** Number of channels from which the log stores equal events once: for fewer, copies cost less than lookups. */
const SHARED_FROM = 8

type EntryEvent = 'queue.added' | 'queue.changed'

/** @param types types of events, by channel */
function entryEvents(types: ReadonlyMap<string, EntryEvent>, entry: QueueEntryData): NewEvent[] {
  const shared = types.size >= SHARED_FROM ? { entry } : undefined
  return [...types].map(([channel, type]) =>
    newEvent(channelStream(channel), type, { entry: { ...entry, channel } }, shared),
  )
}

function hasOtherMeta(before: Aggregate, after: Aggregate): boolean {
  const [earlier, now] = [before.conversation.meta, after.conversation.meta]
  return earlier !== now && hasChanges({ meta: earlier }, { meta: now })
}

function exitReason({ status }: ConversationState): QueueExit {
  return status === 'active' ? 'accepted' : status === 'queued' ? 'rerouted' : status
}

/** The lists in a user's stream, and which participants are in them. */
const OWN_LISTS = [
  {
    added: 'inbox.added',
    changed: 'inbox.changed',
    removed: 'inbox.removed',
    holds: ({ participants }: Aggregate, user: string): boolean => participants.get(user)?.inbox === true,
  },
  { added: 'mine.added', changed: 'mine.changed', removed: 'mine.removed', holds: isMine },
] as const

/** Tells whether the user has accepted and not left the conversation. */
export function isMine({ conversation, participants }: Aggregate, user: string): boolean {
  return conversation.status === 'active' && participants.get(user)?.accepted === true
}

function ownListEvents(before: Aggregate | null, after: Aggregate): NewEvent[] {
  const events: NewEvent[] = []
  // Used by the sources to skip events that are out of the user's reach.
  const path = [...pathOf(after.conversation)] as string[]
  for (const user of new Set([...(before?.participants.keys() ?? []), ...after.participants.keys()])) {
    const stream = userStream(user)
    const earlier = before?.participants.get(user)
    for (const { added, changed, removed, holds } of OWN_LISTS) {
      const was = before !== null && holds(before, user)
      if (!holds(after, user)) {
        if (was) events.push(newEvent(stream, removed, { conversation: after.conversation.id }))
        continue
      }
      const entry = inboxEntry(after, after.participants.get(user)!)
      if (was && !hasChanges(inboxEntry(before, earlier!), entry)) continue
      events.push(newEvent(stream, was ? changed : added, { entry, path }))
    }
  }
  return events
}

/**
 * Tells whether any member differs, except those to ignore. Unchanged members are usually identical objects, so this is
 * cheap.
 */
export function hasChanges<T extends object>(one: T, other: T, ignored?: ReadonlySet<string>): boolean {
  for (const key in other) {
    if (ignored?.has(key)) continue
    if (one[key] !== other[key] && !isDeepStrictEqual(one[key], other[key])) return true
  }
  return false
}
