import { isDeepStrictEqual } from 'node:util'
import { channelStream, conversationStream, userStream, type NewEvent } from '../events/event.js'
import type { JsonObject } from '../json.js'
import type { Aggregate, ConversationState, ParticipantState } from './conversation-state.js'

/** Why a conversation left a channel's queue. */
export const QUEUE_EXITS = ['accepted', 'closed', 'archived', 'rerouted'] as const
export type QueueExit = (typeof QUEUE_EXITS)[number]

/**
 * The events of a change: what differs between the state before and after it, as each stream shows it. Since they come
 * from the difference alone, a snapshot with its events always equals the state fetched anew.
 */
export function eventsOfChange(before: Aggregate | null, after: Aggregate): NewEvent[] {
  return [...conversationEvents(before, after), ...queueEvents(before, after), ...inboxEvents(before, after)]
}

/** Tells queues, inboxes and watchers anew what they show of a conversation: its contact has another name. */
export function eventsOfContactChange(aggregate: Aggregate): NewEvent[] {
  const { conversation, participants } = aggregate
  const entry = queueEntry(aggregate)
  const inboxes = [...participants.values()].filter(({ inbox }) => inbox)
  return [
    {
      stream: conversationStream(conversation.id),
      type: 'conversation.changed',
      data: { conversation: conversationData(conversation) },
    },
    ...queueChannels(conversation).map((channel) => ({
      stream: channelStream(channel),
      type: 'queue.changed',
      data: { entry: { ...entry, channel } },
    })),
    ...inboxes.map((participant) => ({
      stream: userStream(participant.userId),
      type: 'inbox.changed',
      data: { entry: inboxEntry(aggregate, participant) },
    })),
  ]
}

/** The queue of a channel holds the queued conversations that rules sent there, whether or not someone was online. */
export function queueChannels({ status, channels, channelsOffline }: ConversationState): string[] {
  return status === 'queued' ? [...new Set([...channels, ...channelsOffline])] : []
}

/** What an agent's screen shows of a queued conversation. */
export function queueEntry({ conversation, contactName }: Pick<Aggregate, 'conversation' | 'contactName'>): JsonObject {
  return {
    conversation: conversation.id,
    organization: conversation.organizationId,
    name: conversation.name,
    contactName,
    touchpoint: conversation.touchpoint,
    category: conversation.category,
    language: conversation.language,
    preview: conversation.preview,
    queuedAt: conversation.queuedAt?.toISOString() ?? null,
    meta: conversation.meta,
  }
}

/** What a user's inbox shows of a conversation. */
export function inboxEntry(
  { conversation, contactName }: Pick<Aggregate, 'conversation' | 'contactName'>,
  participant: Pick<ParticipantState, 'unreadCount' | 'active' | 'accepted' | 'follow'>,
): JsonObject {
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
    unreadCount: participant.unreadCount,
    active: participant.active,
    accepted: participant.accepted,
    follow: participant.follow,
    lastMessageAt: conversation.lastMessageAt?.toISOString() ?? null,
  }
}

/** What only the rules and the lists read. */
const INTERNAL = [
  'routingRemainder', 'queueing', 'version', 'awaitingReply', 'touchpointChosen', 'lastMessageSlot',
] as const

/** A conversation as its stream shows it: the stored fields but those that only the rules read. */
export function conversationData(conversation: ConversationState): JsonObject {
  const shown: Partial<ConversationState> = { ...conversation }
  for (const key of INTERNAL) delete shown[key]
  return shown as JsonObject
}

/** Changes of these alone make no event: the rules', and what changes with every message, whose own event tells it. */
const SILENT: ReadonlySet<string> = new Set([
  ...INTERNAL, 'messageCount', 'lastMessageId', 'lastMessageAt', 'lastMessageRole', 'preview', 'updatedAt',
])

function conversationEvents(before: Aggregate | null, after: Aggregate): NewEvent[] {
  const stream = conversationStream(after.conversation.id)
  const events: NewEvent[] = []
  if (!before || differ(before.conversation, after.conversation, SILENT)) {
    const type = before ? 'conversation.changed' : 'conversation.created'
    events.push({ stream, type, data: { conversation: conversationData(after.conversation) } })
  }
  if (participantsDiffer(before?.participants, after.participants)) {
    const participants = inOrder(after.participants) as unknown as JsonObject[]
    events.push({ stream, type: 'participants.changed', data: { participants } })
  }
  return events
}

type Participants = ReadonlyMap<string, ParticipantState>

/** In the order of joining, as they are read. */
function inOrder(participants: Participants): ParticipantState[] {
  return [...participants.values()].toSorted(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.userId < other.userId ? -1 : 1),
  )
}

function participantsDiffer(before: Participants = new Map(), after: Participants): boolean {
  if (before.size !== after.size) return true
  for (const [user, participant] of after) {
    const earlier = before.get(user)
    if (!earlier || differ(earlier, participant)) return true
  }
  return false
}

function queueEvents(before: Aggregate | null, after: Aggregate): NewEvent[] {
  const earlier = new Set(before ? queueChannels(before.conversation) : [])
  const now = queueChannels(after.conversation)
  if (earlier.size === 0 && now.length === 0) return []
  const entry = queueEntry(after)
  const isChanged = before !== null && differ(queueEntry(before), entry)
  const events: NewEvent[] = []
  for (const channel of now) {
    const type = earlier.delete(channel) ? (isChanged ? 'queue.changed' : null) : 'queue.added'
    if (type) events.push({ stream: channelStream(channel), type, data: { entry: { ...entry, channel } } })
  }
  for (const channel of earlier) {
    const data = { channel, conversation: after.conversation.id, reason: exitReason(after.conversation) }
    events.push({ stream: channelStream(channel), type: 'queue.removed', data })
  }
  return events
}

function exitReason({ status }: ConversationState): QueueExit {
  return status === 'active' ? 'accepted' : status === 'queued' ? 'rerouted' : status
}

function inboxEvents(before: Aggregate | null, after: Aggregate): NewEvent[] {
  const events: NewEvent[] = []
  for (const [user, participant] of after.participants) {
    const earlier = before?.participants.get(user)
    const stream = userStream(user)
    if (participant.inbox) {
      const entry = inboxEntry(after, participant)
      if (!before || !earlier?.inbox) events.push({ stream, type: 'inbox.added', data: { entry } })
      else if (differ(inboxEntry(before, earlier), entry)) {
        events.push({ stream, type: 'inbox.changed', data: { entry } })
      }
    } else if (earlier?.inbox) {
      events.push({ stream, type: 'inbox.removed', data: { conversation: after.conversation.id } })
    }
  }
  for (const [user, earlier] of before?.participants ?? []) {
    if (earlier.inbox && !after.participants.has(user)) {
      events.push({ stream: userStream(user), type: 'inbox.removed', data: { conversation: after.conversation.id } })
    }
  }
  return events
}

/** Whether any member differs, but for those to ignore. Unchanged members are mostly the same objects: cheap. */
export function differ<T extends object>(one: T, other: T, ignored?: ReadonlySet<string>): boolean {
  for (const key in other) {
    if (ignored?.has(key)) continue
    if (one[key] !== other[key] && !isDeepStrictEqual(one[key], other[key])) return true
  }
  return false
}
