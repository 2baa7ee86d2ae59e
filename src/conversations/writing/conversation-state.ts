import type { TenantColumns } from '../../db/tenancy.js'
import type { ActiveForm, FormResult } from '../../forms/active-form.js'
import type { JsonObject } from '../../json.js'
import type { Touchpoint } from '../../messages/message-enums.js'
import type { DeferredRule } from '../../workflows/routing-decision.js'
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
  inbox: boolean
  accepted: boolean
  active: boolean
  follow: boolean
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
