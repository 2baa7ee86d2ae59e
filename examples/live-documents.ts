import { OutOfStep, type LiveDocument, type LiveEvent } from '../web/shared/live/live-view.js'

/** Select what your screen shows; the keys (`conversation`, `channel`, `id`) are what the state is kept by. */
const HEAD = '__typename ... on StreamEvent { cursor at }'
const SUMMARY = 'conversation name contactName touchpoint preview'
const QUEUE_ENTRY = `${SUMMARY} channel queuedAt`
const INBOX_ENTRY = `${SUMMARY} status unreadCount active accepted follow lastMessageAt`
const CONVERSATION = 'id status name touchpoint category language channels channelsOffline meta'
const PARTICIPANT = 'userId name role active accepted inbox follow unreadCount'
const MESSAGE = 'id position type role isBackchannel userId text createdAt updatedAt likes'

export interface Entry {
  conversation: string
  /** Of a queue's entries. */
  channel?: string
  [field: string]: unknown
}

/** By conversation, and channel in queues: in the order of the snapshot, new ones last. */
export type Entries = ReadonlyMap<string, Entry>

export interface Chat {
  conversation: Record<string, unknown>
  participants: Record<string, unknown>[]
  /** From the 50 of the snapshot on. */
  messages: ChatMessage[]
  /** Of the newest message ever seen, which may be deleted since. */
  lastPosition: number
  /** Users who type, `null` for the consumer. */
  typing: ReadonlySet<string | null>
}

interface ChatMessage {
  id: string
  position: number
  [field: string]: unknown
}

/** The queues of all channels that the caller is a member of. */
export const QUEUE: LiveDocument<Entries> = {
  query: `subscription ($after: String) { queue(after: $after) { ${HEAD}
    ... on QueueSnapshot { entries { ${QUEUE_ENTRY} } }
    ... on QueueEntryAdded { entry { ${QUEUE_ENTRY} } }
    ... on QueueEntryChanged { entry { ${QUEUE_ENTRY} } }
    ... on QueueEntryRemoved { channel conversation reason } } }`,
  apply: applyToEntries,
}

export const INBOX: LiveDocument<Entries> = {
  query: `subscription ($after: String) { inbox(after: $after) { ${HEAD}
    ... on InboxSnapshot { entries { ${INBOX_ENTRY} } }
    ... on InboxEntryAdded { entry { ${INBOX_ENTRY} } }
    ... on InboxEntryChanged { entry { ${INBOX_ENTRY} } }
    ... on InboxEntryRemoved { conversation }
    ... on RuleNotification { rule notified: entry { ${SUMMARY} } } } }`,
  apply: applyToEntries,
}

/** One conversation: give its `id` as variable. An agent sees every message, so that a missing one is noticed. */
export const CHAT: LiveDocument<Chat> = {
  query: `subscription ($id: ID!, $after: String) { conversation(id: $id, after: $after) { ${HEAD}
    ... on ConversationSnapshot {
      conversation { ${CONVERSATION} } participants { ${PARTICIPANT} } messages { ${MESSAGE} } }
    ... on MessageAdded { message { ${MESSAGE} } }
    ... on MessageChanged { message { ${MESSAGE} } }
    ... on MessageRemoved { messageId }
    ... on ConversationChanged { conversation { ${CONVERSATION} } }
    ... on ParticipantsChanged { participants { ${PARTICIPANT} } }
    ... on TypingChanged { user typing } } }`,
  apply: (state, event) => applyToChat(state, event, 1),
}

/** The same as a consumer may see it, who has a guest token: not every message. */
export const GUEST_CHAT: LiveDocument<Chat> = {
  query: CHAT.query,
  apply: (state, event) => applyToChat(state, event, Infinity),
}

type EntriesEvent = LiveEvent & { entries?: Entry[]; entry?: Entry; conversation?: string; channel?: string }

function applyToEntries(state: Entries | null, event: LiveEvent): Entries {
  const { __typename: type, entries, entry, conversation, channel } = event as EntriesEvent
  if (entries) return new Map(entries.map((each) => [keyOf(each), each]))
  const next = new Map(fitting(state, event))
  const key = keyOf(entry ?? { conversation: conversation!, channel })
  switch (type) {
    case 'QueueEntryAdded':
    case 'InboxEntryAdded':
      if (next.has(key)) throw new OutOfStep(`${type} of what is there: ${key}`)
      return next.set(key, entry!)
    case 'QueueEntryChanged':
    case 'InboxEntryChanged':
      if (!next.has(key)) throw new OutOfStep(`${type} of what is not there: ${key}`)
      return next.set(key, entry!)
    case 'QueueEntryRemoved':
    case 'InboxEntryRemoved':
      if (!next.delete(key)) throw new OutOfStep(`${type} of what is not there: ${key}`)
      return next
    default:
      // A notification of a rule, or a type of a later version of the server: nothing to keep.
      return next
  }
}

function keyOf({ conversation, channel }: Entry): string {
  return channel ? `${conversation} ${channel}` : conversation
}

type ChatEvent = LiveEvent &
  Partial<Chat> & { message?: ChatMessage; messageId?: string; user?: string | null; typing?: boolean }

function applyToChat(state: Chat | null, event: LiveEvent, stepMax: number): Chat {
  const { __typename: type, conversation, participants, messages, message, messageId, user } = event as ChatEvent
  if (type === 'ConversationSnapshot') {
    const lastPosition = messages!.at(-1)?.position ?? 0
    return {
      conversation: conversation!,
      participants: participants!,
      messages: messages!,
      lastPosition,
      typing: new Set(),
    }
  }
  const chat = fitting(state, event)
  switch (type) {
    case 'MessageAdded': {
      const { position, userId } = message!
      const step = position - chat.lastPosition
      if (step < 1 || step > stepMax) throw new OutOfStep(`message ${position} after message ${chat.lastPosition}`)
      // Who has sent types no longer.
      const typing = without(chat.typing, userId as string | null)
      return { ...chat, messages: [...chat.messages, message!], lastPosition: position, typing }
    }
    case 'MessageChanged':
      return { ...chat, messages: chat.messages.map((each) => (each.id === message!.id ? message! : each)) }
    case 'MessageRemoved':
      return { ...chat, messages: chat.messages.filter(({ id }) => id !== messageId) }
    case 'ConversationChanged':
      return { ...chat, conversation: conversation! }
    case 'ParticipantsChanged':
      return { ...chat, participants: participants! }
    case 'TypingChanged': {
      const others = without(chat.typing, user!)
      return { ...chat, typing: (event as { typing?: unknown }).typing ? new Set([...others, user!]) : others }
    }
    default:
      return chat
  }
}

function without(typing: Chat['typing'], user: string | null): Chat['typing'] {
  return new Set([...typing].filter((each) => each !== user))
}

function fitting<State>(state: State | null, { __typename }: LiveEvent): State {
  if (!state) throw new OutOfStep(`${__typename} before a snapshot`)
  return state
}
