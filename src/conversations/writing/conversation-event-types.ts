import type { MessageData } from '../../messages/message-columns.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import type { ConversationData } from './conversation-columns.js'
import type { ConversationState, ParticipantState } from './conversation-state.js'
import type { ConversationStatus } from './conversation-enums.js'

/** Why a conversation left a channel's queue. */
export const QUEUE_EXITS = ['accepted', 'closed', 'archived', 'rerouted'] as const
export type QueueExit = (typeof QUEUE_EXITS)[number]

/** The events of one conversation's stream. */
export interface ConversationEvents {
  'message.added': { message: MessageData }
  'message.changed': { message: MessageData }
  /** With the message, for those who are told after it has gone. */
  'message.deleted': { id: string; isConsumerVisible: boolean; message: MessageData }
  'message.delivery': { deliveries: DeliveryRow[] }
  'conversation.created': { conversation: ConversationData }
  'conversation.changed': { conversation: ConversationData }
  'participants.changed': { participants: ParticipantState[] }
}

/** The events of a channel's queue. Of many channels that are told alike, the log keeps one entry, without its channel. */
export interface QueueEvents {
  'queue.added': { entry: QueueEntryData & { channel?: string } }
  'queue.changed': { entry: QueueEntryData & { channel?: string } }
  'queue.removed': { channel: string; conversation: string; reason: QueueExit }
}

/** An entry of a list of one's own, and the path of its organization: a source tells nobody of what is out of reach. */
interface OwnEntry {
  entry: InboxEntryData
  path: string[]
}

/** The events of a user's stream: its inbox, the conversations that it has accepted and not left, and its drafts. */
export interface OwnListEvents {
  'inbox.added': OwnEntry
  'inbox.changed': OwnEntry
  'inbox.removed': { conversation: string }
  'mine.added': OwnEntry
  'mine.changed': OwnEntry
  'mine.removed': { conversation: string }
  'draft.changed': { conversation: string; path: string[] }
  'rule.notification': { rule: string | null; entry: QueueEntryData; path: string[] }
}

declare module '../../events/event.js' {
  interface EventTypes extends ConversationEvents, QueueEvents, OwnListEvents {
    /** In the organization's stream: the conversation's own goes with it. */
    'conversation.deleted': { id: string; organization: string }
  }
}

/** What an agent's screen shows of a queued conversation. */
export interface QueueEntryData extends EntryData {
  queuedAt: string | null
}

/** What a user's inbox, and the list of those it has accepted, shows of a conversation. */
export interface InboxEntryData
  extends EntryData, Pick<ParticipantState, 'unreadCount' | 'active' | 'accepted' | 'follow'> {
  status: ConversationStatus
  lastMessageAt: string | null
}

interface EntryData extends Pick<ConversationState, 'name' | 'touchpoint' | 'category' | 'language' | 'preview'> {
  conversation: string
  organization: string
  contactName: string | null
}
