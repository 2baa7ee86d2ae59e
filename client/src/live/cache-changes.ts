import type { LiveEvent } from './live-view.js'

/** A record of a normalized cache. */
export interface Entity {
  __typename: string
  id: string
}

/**
 * Change by an event in a normalized cache: a list of records, which a field without arguments (but `channels`) holds.
 * The fields of the records need nothing, since their ids are the cache's keys.
 */
export interface CacheChange {
  /** Null for the fields of `Query`. */
  owner: Entity | null
  field: 'liveQueue' | 'liveInbox' | 'liveMessages' | 'sentMessages' | 'participants' | 'deliveries'
  how: 'replace' | 'add' | 'remove'
  entities: Entity[]
  /** Set by a snapshot of a conversation: the place of its earlier messages. */
  startCursor?: string | null
}

/** Variables of the subscription, which distinguish the lists. */
export interface LiveVariables {
  id?: string
  channels?: readonly string[] | null
}

interface EventFields extends LiveEvent {
  entries?: Entity[]
  entry?: Entity
  channel?: string
  conversation?: unknown
  message?: Entity
  messageId?: string
  messages?: Entity[]
  participants?: Entity[]
  deliveries?: (Entity & { messageId: string })[]
  startCursor?: string | null
}

export function changesOf(event: LiveEvent, { id }: LiveVariables): CacheChange[] {
  const fields = event as EventFields
  const { __typename: type } = fields
  if (/^(?:Queue|Inbox)/.test(type)) return entryChanges(fields)
  if (id === undefined) return []
  const owner = { __typename: 'Conversation', id }
  switch (type) {
    case 'ConversationSnapshot': {
      const { messages = [], participants = [], startCursor = null } = fields
      return [
        { owner, field: 'liveMessages', how: 'replace', entities: messages, startCursor },
        { owner, field: 'participants', how: 'replace', entities: participants },
      ]
    }
    case 'MessageAdded':
      return [{ owner, field: 'liveMessages', how: 'add', entities: [fields.message!] }]
    case 'MessageRemoved':
      return [
        { owner, field: 'liveMessages', how: 'remove', entities: [{ __typename: 'Message', id: fields.messageId! }] },
      ]
    case 'ParticipantsChanged':
      return [{ owner, field: 'participants', how: 'replace', entities: fields.participants! }]
    case 'MessageDeliveryChanged':
      return fields.deliveries!.map((delivery) => ({
        owner: { __typename: 'Message', id: delivery.messageId },
        field: 'deliveries',
        how: 'add',
        entities: [delivery],
      }))
    default:
      return []
  }
}

/** `myConversations` has no field of `Query` to read it by: its entries are those of the inbox. */
function entryChanges({ __typename: type, entries = [], entry, channel, conversation }: EventFields): CacheChange[] {
  const isQueue = type.startsWith('Queue')
  const of = { owner: null, field: isQueue ? 'liveQueue' : 'liveInbox' } as const
  if (type.endsWith('Snapshot')) return [{ ...of, how: 'replace', entities: entries }]
  if (type.endsWith('SnapshotPage')) return [{ ...of, how: 'add', entities: entries }]
  if (type.endsWith('Added')) return [{ ...of, how: 'add', entities: [entry!] }]
  if (!type.endsWith('Removed')) return []
  // Ids are made of those that the entry joins.
  const id = isQueue ? `${channel}:${conversation as string}` : `inbox:${conversation as string}`
  return [{ ...of, how: 'remove', entities: [{ __typename: isQueue ? 'QueueEntry' : 'InboxEntry', id }] }]
}

/** Answer of a mutation, or the expected one. */
export interface SentMessage {
  id: string
  /** `UNSENT_POSITION` until the server has answered. */
  position: number
}

/** Type in caches alone: the messages of a conversation that the server has not answered yet. */
export const UNSENT_TYPE = 'UnsentMessages'

/** Position of a message in an optimistic answer: after all others. */
export const UNSENT_POSITION = 2 ** 31 - 1

/**
 * A message that the caller sends is held in a record of its own until the server has answered: an optimistic layer hides
 * all of the record that it changes, and with it what others write meanwhile.
 */
export function sentChange(conversation: string, { id, position }: SentMessage): CacheChange {
  const isUnsent = position === UNSENT_POSITION
  return {
    owner: { __typename: isUnsent ? UNSENT_TYPE : 'Conversation', id: conversation },
    field: isUnsent ? 'sentMessages' : 'liveMessages',
    how: 'add',
    entities: [{ __typename: 'Message', id }],
  }
}

/** The keys of a list after a change, each once. */
export function changedKeys(before: readonly string[], how: CacheChange['how'], keys: readonly string[]): string[] {
  if (how === 'replace') return [...keys]
  if (how === 'remove') return before.filter((key) => !keys.includes(key))
  return [...new Set([...before, ...keys])]
}
