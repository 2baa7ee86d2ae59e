import type { TenantColumns } from '../../db/tenancy.js'
import type { ActiveForm, FormResult } from '../../forms/active-form.js'
import type { JsonObject } from '../../json.js'
import type { Touchpoint } from '../../messages/message-enums.js'
import type { SlaState } from '../../sla/sla-clock.js'
import type { AgentNeeds, DeferredRule } from '../../workflows/routing-decision.js'
import type { ContactRoutes } from './contact-routes.js'
import type { ConversationStatus, ConversationType } from './conversation-enums.js'

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
  /** Whether a user chose the touchpoint (4.7, delivery rule 4). */
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
  /** When it was made. */
  offerAt: Date | null
  /** What the rules that queued it ask of agents. */
  needs: AgentNeeds | null
  /** How much sooner than others it is served: what rules say, and what its clocks add. */
  urgency: number
  /** Whether the last consumer message has not been answered by an agent (3.1, `/leave`). */
  awaitingReply: boolean
  messageCount: number
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
  /** When the current case began: the time from a consumer's first message, or an agent's, until it is closed. */
  caseAt: Date | null
  /** Number of times in the case that the consumer began to wait for an answer. */
  caseTurns: number
  /** Channels whose queues hold the conversation, or held it last in the case. */
  caseChannels: string[]
  /** Since when it has been queued, whatever re-queued it meanwhile. */
  waitingSince: Date | null
  /** Whether the consumer was told in this queueing that it is closed. */
  hoursTold: boolean
  /** When it opens again, as the consumer was told last: until then it is not told anew. */
  hoursToldUntil: Date | null
  /** When the first consumer message that has not been answered was sent. */
  unansweredSince: Date | null
  /** The clocks of the current or last case; null if no SLA policy applies to it. */
  sla: SlaState | null
  /** The earliest due time of a clock that has not ended; past if one is missed. */
  nextDue: Date | null
  /** From when a clock that runs is past its warning, or its due time if nothing warns of that. */
  riskAt: Date | null
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
  /** The slot of the conversation's last message while it is in the inbox. */
  inboxSlot?: Date | null
  accepted: boolean
  active: boolean
  follow: boolean
  /** Since when the user has had the conversation accepted; null for one who has not. */
  acceptedAt: Date | null
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
  /** Whether a webhook receives its events; unknown for a new conversation. */
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
