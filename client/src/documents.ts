import {
  ConversationEventsDocument,
  InboxDocument,
  MyConversationsDocument,
  QueueDocument,
  type ConversationFieldsFragment,
  type InboxRowFragment,
  type MessageFieldsFragment,
  type ParticipantFieldsFragment,
  type QueueRowFragment,
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
  type InboxRowFragment as InboxRow,
  type MessageFieldsFragment as Message,
  type ParticipantFieldsFragment as Participant,
  type QueueRowFragment as QueueRow,
}

export type Chat = ConversationView<ConversationFieldsFragment, ParticipantFieldsFragment, MessageFieldsFragment>

/** The queues of the channels that are given as `channels`, else of all that the caller is a member of. */
export const QUEUE: LiveDocument<Entries<QueueRowFragment>> = { query: QueueDocument, apply: applyToEntries }

/** What was assigned to the caller, is followed with news, or mentions it. */
export const INBOX: LiveDocument<Entries<InboxRowFragment>> = { query: InboxDocument, apply: applyToEntries }

/** What the caller has accepted and not left. */
export const MY_CONVERSATIONS: LiveDocument<Entries<InboxRowFragment>> = {
  query: MyConversationsDocument,
  apply: applyToEntries,
}

/** One conversation, as an agent sees it: give its `id` as a variable. */
export const CONVERSATION: LiveDocument<Chat> = {
  query: ConversationEventsDocument,
  apply: (state, event) => applyToConversation(state, event),
}

/** The same as its consumer sees it, who has a guest token. */
export const GUEST_CONVERSATION: LiveDocument<Chat> = {
  query: ConversationEventsDocument,
  apply: (state, event) => applyToConversation(state, event, { isGuest: true }),
}
