import type { BotAction } from '../../bots/bot-grant.js'
import type { MessageData } from '../../messages/message-columns.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import type { ClockData } from '../../sla/clock-data.js'
import type { AgentEvents, ChannelAgentEvents } from '../../staffing/staff-events.js'
import type { ConversationData, PREVIOUS_OF_PARTICIPANT } from './conversation-columns.js'
import type { OfferData, OfferOutcome } from './offer.js'
import type { ConversationState, ParticipantState } from './conversation-state.js'
import type { ProposalKind } from './proposal-kind.js'
import type { ConversationStatus, InboxReason, QueueExitEnum } from './conversation-enums.js'

/** Reasons why a conversation leaves a channel's queue. */
export type QueueExit = (typeof QueueExitEnum)[keyof typeof QueueExitEnum]

/** Events of a conversation's stream. */
export interface ConversationEvents {
  /** With the conversation's turn after the operation that added it, see `turn.ts`. */
  'message.added': { message: MessageData; turn: number }
  'message.changed': { message: MessageData }
  /** Includes the message, for subscribers whose access is checked after the message is gone. */
  'message.deleted': { id: string; isConsumerVisible: boolean; message: MessageData }
  'message.delivery': { deliveries: DeliveryRow[] }
  'conversation.created': { conversation: ConversationData }
  /** Absent `previous`: the conversation shows something else, but nothing of it changed. */
  'conversation.changed': { conversation: ConversationData; previous?: PreviousConversation }
  /** With `previous` if more than counts changed, and no other event of the change has it. */
  'participants.changed': { participants: ParticipantState[]; previous?: Pick<PreviousConversation, 'participants'> }
  /** It was offered to an agent, or assigned. */
  'conversation.offered': { offer: OfferData }
  'conversation.offerEnded': { offer: string; user: string; outcome: OfferOutcome }
  /** A clock started, paused, went on or stopped. */
  'clock.changed': { clock: ClockData }
  /** A target will soon be missed: told once of a clock. */
  'clock.warned': { clock: ClockData }
  /** A target was missed: told once of a clock. */
  'clock.breached': { clock: ClockData }
  /** A bot proposed something, or what became of it. What it says is in its row alone. */
  'proposal.changed': { proposal: { id: string; bot: string; kind: ProposalKind; action: BotAction; status: string } }
  /** An agent asks bots to propose something, until then. */
  'proposal.requested': { id: string; kind: ProposalKind; user: string; until: string }
  /** The conversation was deleted: the last event of its stream. */
  'conversation.removed': { id: string }
}

/** The former values of what changed and is published. */
export type PreviousConversation = Partial<ConversationState> & { participants?: PreviousParticipant[] }

export type PreviousParticipant = Pick<ParticipantState, (typeof PREVIOUS_OF_PARTICIPANT)[number]>

/**
 * Events of a channel's queue and its agents. For channels with equal events, the log keeps one entry without its
 * channel.
 */
export interface QueueEvents extends ChannelAgentEvents {
  'queue.added': { entry: QueueEntryData & { channel?: string } }
  'queue.changed': { entry: QueueEntryData & { channel?: string } }
  'queue.removed': { channel: string; conversation: string; reason: QueueExit }
}

/** An entry of a user's own list with the path of its organization, by which sources skip what is out of reach. */
interface OwnEntry {
  entry: InboxEntryData
  path: string[]
}

/** Events of a user's stream: the inbox, the conversations accepted and not left, drafts, and its availability. */
export interface OwnListEvents extends AgentEvents {
  'inbox.added': OwnEntry
  'inbox.changed': OwnEntry
  'inbox.removed': { conversation: string }
  'mine.added': OwnEntry
  'mine.changed': OwnEntry
  'mine.removed': { conversation: string }
  'draft.changed': { conversation: string; path: string[] }
  /** Tells of a run of the user's own; its counts are read when it is shown. */
  'bulk.changed': { run: string }
  'offer.made': { offer: OfferData; entry: QueueEntryData; path: string[] }
  'offer.ended': { offer: string; conversation: string; outcome: OfferOutcome }
  'rule.notification': { rule: string | null; entry: QueueEntryData; path: string[] }
}

declare module '../../../platform/events/event.js' {
  interface EventTypes extends ConversationEvents, QueueEvents, OwnListEvents {
    /** In the organization's stream, since the conversation's own stream is deleted. */
    'conversation.deleted': { id: string; organization: string }
  }
}

/** The entry that agents' screens show of a queued conversation. */
export interface QueueEntryData extends EntryData {
  queuedAt: string | null
}

/** The entry that a user's inbox and list of accepted conversations show. */
export interface InboxEntryData
  extends EntryData, Pick<ParticipantState, 'unreadCount' | 'active' | 'accepted' | 'follow'> {
  status: ConversationStatus
  lastMessageAt: string | null
  /** True if the consumer's last message has not been answered. */
  awaitsAnswer: boolean
  snoozedUntil: string | null
  /** Reason for which it is in the inbox, and the message that brought it there. */
  reason: InboxReason | null
  reasonMessage: string | null
}

interface EntryData extends Pick<
  ConversationState,
  'name' | 'touchpoint' | 'category' | 'language' | 'preview' | 'undelivered' | 'labels'
> {
  nextDue: string | null
  conversation: string
  organization: string
  contactName: string | null
}
