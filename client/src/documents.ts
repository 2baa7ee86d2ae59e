import {
  ConversationEventsDocument,
  InboxDocument,
  MyConversationsDocument,
  QueueDocument,
  type ConversationEventsSubscription,
  type ConversationFieldsFragment,
  type InboxEntryFieldsFragment,
  type InboxSubscription,
  type MessageFieldsFragment,
  type MyConversationsSubscription,
  type ParticipantFieldsFragment,
  type QueueEntryFieldsFragment,
  type QueueSubscription,
} from './generated/live.js'
import { applyToConversation, type ConversationView } from './live/conversation.js'
import { applyToEntries, type Entries } from './live/entries.js'
import type { LiveDocument } from './live/live-view.js'

export * from './generated/operations.js'
export {
  ConversationEventsDocument,
  InboxDocument,
  MyConversationsDocument,
  QueueDocument,
  type ConversationFieldsFragment as Conversation,
  type InboxEntryFieldsFragment as InboxRow,
  type MessageFieldsFragment as Message,
  type ParticipantFieldsFragment as Participant,
  type QueueEntryFieldsFragment as QueueRow,
}

export type Chat = ConversationView<ConversationFieldsFragment, ParticipantFieldsFragment, MessageFieldsFragment>

/** Events of each subscription, told apart by `__typename`. */
export type QueueEvent = QueueSubscription['queue']
export type InboxEvent = InboxSubscription['inbox']
export type MyConversationsEvent = MyConversationsSubscription['myConversations']
export type ConversationEvent = ConversationEventsSubscription['conversation']

/** The queues of the channels that are given as `channels`, else of all that the caller is a member of. */
export const QUEUE: LiveDocument<Entries<QueueEntryFieldsFragment>, QueueEvent> = {
  query: QueueDocument,
  apply: applyToEntries,
}

/** Conversations that were assigned to the caller, are followed with news, or mention it. */
export const INBOX: LiveDocument<Entries<InboxEntryFieldsFragment>, InboxEvent> = {
  query: InboxDocument,
  apply: applyToEntries,
}

/** Conversations that the caller has accepted and not left. */
export const MY_CONVERSATIONS: LiveDocument<Entries<InboxEntryFieldsFragment>, MyConversationsEvent> = {
  query: MyConversationsDocument,
  apply: applyToEntries,
}

/** One conversation, as an agent sees it: give its `id` as a variable. */
export const CONVERSATION: LiveDocument<Chat, ConversationEvent> = {
  query: ConversationEventsDocument,
  apply: (state, event) => applyToConversation(state, event),
}

/** The same as its consumer sees it, who has a guest token. */
export const GUEST_CONVERSATION: LiveDocument<Chat, ConversationEvent> = {
  query: ConversationEventsDocument,
  apply: (state, event) => applyToConversation(state, event, { isGuest: true }),
}
