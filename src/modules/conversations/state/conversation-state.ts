import type { TenantColumns } from '../../../platform/db/tenancy.js'
import type { ActiveForm, FormResult } from '../../forms/active-form.js'
import type { JsonObject } from '../../../platform/json.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import type { SlaState } from '../../sla/sla-clock.js'
import type { AgentNeeds, DeferredRule } from '../../workflows/routing-decision.js'
import type { ContactRoutes } from './contact-routes.js'
import type { ConversationStatus, ConversationType, InboxReason } from './conversation-enums.js'
import type { OpenStream } from './message-stream.js'
import type { MilestoneRow } from './milestone.js'
import type { PendingProposal } from './pending-proposal.js'

/** More labels could not be told apart on a screen. */
export const LABELS_PER_CONVERSATION_MAX = 20

/** A stored conversation (2.8), including the fields that let rules decide without reading its messages. */
export interface ConversationState extends TenantColumns {
  id: string
  type: ConversationType
  name: string
  slug: string
  status: ConversationStatus
  contactId: string | null
  touchpoint: Touchpoint | null
  touchpoints: JsonObject
  /** True if a user chose the touchpoint (4.7, delivery rule 4). */
  touchpointChosen: boolean
  category: string | null
  categoryIndex: number | null
  language: string | null
  channels: string[]
  channelsOffline: string[]
  /**
   * Channels among `channels` and `channelsOffline` that `/notify` named (2.12, `isTask`): kept until the conversation
   * is accepted.
   */
  taskChannels: string[]
  forms: ActiveForm[]
  results: FormResult[]
  meta: JsonObject
  createdById: string | null
  queuedAt: Date | null
  /** Number of queueings: plans for an earlier queueing are void. */
  queueing: number
  /** Delayed rules that are not due yet, see `resumeRouting`. */
  routingRemainder: DeferredRule[] | null
  /** The pending offer: its id, the agent, and when it expires; all null without one. */
  offerId: string | null
  offerUserId: string | null
  offerUntil: Date | null
  /** Time at which it was made. */
  offerAt: Date | null
  /** Demands on agents of the rules that queued it. */
  needs: AgentNeeds | null
  /** Advance over others in being served: what rules say, and what its clocks add. */
  urgency: number
  /** True if the last consumer message has not been answered by an agent (3.1, `/leave`). */
  awaitingReply: boolean
  messageCount: number
  /** Counts changes after which an answer written before would be blind, see `turn.ts`. */
  turn: number
  /** User who made the last of them; null for consumers, the service, and merges, which nobody has seen. */
  turnBy: string | null
  /** The newest of them that somebody else than `turnBy` made. */
  turnOther: number
  lastMessageId: string | null
  lastMessageAt: Date | null
  /** Generated column: `lastMessageAt` rounded down to ten minutes, for the order of lists. */
  lastMessageSlot?: Date | null
  lastMessageRole: string | null
  /** Beginning of the last chat text, for queue and inbox. */
  preview: string | null
  version: number
  /** Number of milestones so far. */
  milestoneCount: number
  /**
   * Time at which the current case began. A case is: the time from a consumer's first message, or an agent's, until it
   * is closed.
   */
  caseAt: Date | null
  /** Number of times in the case that the consumer began to wait for an answer. */
  caseTurns: number
  /** Channels whose queues hold the conversation, or held it last in the case. */
  caseChannels: string[]
  /** Numbers of messages that bots have sent in the case, by id; in a team conversation ever. */
  caseBots: Readonly<Record<string, number>>
  /** Since when it has been queued, whatever re-queued it meanwhile. */
  waitingSince: Date | null
  /** True if the consumer was told in this queueing that it is closed. */
  hoursTold: boolean
  /** Opening time that the consumer was told last: until then it is not told anew. */
  hoursToldUntil: Date | null
  /** Time of the first consumer message that has not been answered. */
  unansweredSince: Date | null
  /** The clocks of the current or last case; null if no SLA policy applies to it. */
  sla: SlaState | null
  /** The earliest due time of a clock that has not ended; past if one is missed. */
  nextDue: Date | null
  /** From when a clock that runs is past its warning, or its due time if nothing warns of that. */
  riskAt: Date | null
  /** Ids of its labels, in the order in which they were put on. */
  labels: string[]
  /** Number of messages whose last delivery failed. */
  undelivered: number
  /** Time at which it was closed; null unless it is closed. */
  closedAt: Date | null
  /** Until when those who accepted it have put it aside; null unless they have. Only of active ones. */
  snoozedUntil: Date | null
  /** The agent who put it aside, and the time of that. */
  snoozedBy: string | null
  snoozedAt: Date | null
  /** The note with which it was handed over in this case, for whoever takes it; null without one. */
  handOverNoteId: string | null
  /** Proposals on which nobody has decided; null without any. Whatever changes the conversation knows them without reading. */
  proposals: PendingProposal[] | null
  createdAt: Date
  updatedAt: Date
}

/** A user's participation in a conversation (2.8, 3.2). */
export interface ParticipantState {
  conversationId: string
  userId: string
  name: string | null
  avatar: string | null
  role: string
  unreadCount: number
  /** Position of the last message that the user marked as read. */
  readPosition: number | null
  inbox: boolean
  /** Reason for which it came into the inbox last, and the message that brought it there; null before it ever did. */
  inboxReason: InboxReason | null
  inboxMessageId: string | null
  /** The slot of the conversation's last message while it is in the inbox. */
  inboxSlot?: Date | null
  accepted: boolean
  active: boolean
  follow: boolean
  /** Since when the user has worked on it: accepted it, or it was woken; null for one who has not accepted it. */
  acceptedAt: Date | null
  /** For how long the user had worked on it, in milliseconds, when it was snoozed last. */
  handledMs: number
  createdAt: Date
  updatedAt: Date
}

/** One conversation with its participants, locked for a change. */
export interface Aggregate {
  conversation: ConversationState
  participants: Map<string, ParticipantState>
  /** For queue and inbox entries. */
  contactName: string | null
  isContactBlocked: boolean
  /** The touchpoints that reach the contact, if an operation requested them. */
  reach?: ContactRoutes
  /** Milestones that earlier operations of the same transaction added: not in the database yet. */
  unwritten?: readonly MilestoneRow[]
  /** Messages that are being written in front of their readers; none in a new conversation. */
  streams?: readonly OpenStream[]
  /** True if a webhook receives its events; unknown for a new conversation. */
  hasWebhookListeners?: boolean
}

export function cloneAggregate(aggregate: Aggregate): Aggregate {
  const { conversation, participants, ...rest } = aggregate
  return {
    ...rest,
    conversation: { ...conversation },
    participants: new Map([...participants].map(([user, participant]) => [user, { ...participant }])),
  }
}
