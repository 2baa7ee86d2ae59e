import type { TenantColumns } from '../../platform/db/tenancy.js'
import type { FormResult } from '../forms/active-form.js'
import type { JsonObject } from '../../platform/json.js'
import type { Action } from './actions.js'
import type { DeliveryRow } from './delivery.js'
import type { Item } from './items.js'
import type { ReportedResult } from './reported-results.js'
import type { Provenance } from './provenance.js'
import type { ContentType, MessageAudience, MessageRole, MessageType } from './message-enums.js'
import type { StreamEnding } from './stream-ending.js'
import type { Touchpoint } from '../touchpoint-traits.js'

/** A stored message; the plain form of the entity `Message`. */
export interface MessageRow extends TenantColumns {
  id: string
  conversationId: string
  position: number
  type: MessageType
  role: MessageRole
  isBackchannel: boolean
  userId: string | null
  contentType: ContentType
  text: string | null
  serviceId: string | null
  touchpoint: Touchpoint | null
  actions: Action[] | null
  items: Item[] | null
  meta: JsonObject | null
  likes: string[]
  comments: { user: string; message: string; text: string }[]
  /** For a `results` message, the completed forms that were sent; for a tag, search or report, its values. */
  results?: (FormResult | ReportedResult)[] | null
  version: number
  /** For a copy made by a merge, the conversation to which the message was sent. */
  originId?: string | null
  /** For a copy made by a merge, the id with which the message was sent. */
  originalId?: string | null
  /** True if the message is part of a conversation's create, but was sent after a delay. */
  isDelayedOfCreate?: boolean | null
  /** Time at which its text, actions or items were last edited. */
  editedAt?: Date | null
  /** True if a consumer wrote it before its page showed the answer before it; null if the page did not tell. */
  crossedAnswer?: boolean | null
  /** True if a bot wrote it, in whatever role. */
  isAutomated?: boolean | null
  /** Number of automations that answered each other up to it; null if it answers no event. */
  depth?: number | null
  /** Model, tools and sources, as a bot names them. */
  provenance?: Provenance | null
  /** A bot's words that it is one, which open its first message to the consumer in a case. */
  disclosure?: string | null
  /** The ending of its stream, if that was before its author had finished; null if it is whole. */
  ending?: StreamEnding | null
  /** Set for a message that has just been sent; otherwise loaded on request. */
  deliveries?: DeliveryRow[]
  createdAt: Date
  updatedAt: Date
}

const FOR_THE_TEAM: readonly MessageType[] = ['command', 'results', 'mention', 'tag', 'search', 'report']

/** The consumer's own, and what is said to the consumer. */
const CONSUMER_ROLES: readonly MessageRow['role'][] = ['contact', 'agent', 'system']

/** Tells whether a consumer may see a message: sent by or to the consumer, neither a command nor backchannel. */
export function isConsumerVisible({
  type,
  role,
  isBackchannel,
}: Pick<MessageRow, 'type' | 'role' | 'isBackchannel'>): boolean {
  return !isBackchannel && CONSUMER_ROLES.includes(role) && !FOR_THE_TEAM.includes(type)
}

/**
 * Returns whom a message reaches. Messages to the consumer keep the touchpoint that they took, so that those of a team
 * conversation have none.
 */
export function audienceOf(
  message: Pick<MessageRow, 'type' | 'role' | 'isBackchannel' | 'touchpoint'>,
): MessageAudience {
  const isDelivered = message.role !== 'contact' && message.touchpoint !== null && isConsumerVisible(message)
  return isDelivered ? 'consumer' : 'team'
}

/** Returns the short identifier of a message: its id in 22 characters. */
export function messageSlug(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
}

/** Returns the address of a message in the agents' view (2.9). */
export function messageUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/m/${messageSlug(id)}`
}

/** The condition of {@link isConsumerVisible} for a query's alias. */
export const consumerVisibleSql = (alias: string): string =>
  `(not ${alias}.is_backchannel and ${alias}.role in (${CONSUMER_ROLES.map((role) => `'${role}'`).join(', ')}) ` +
  `and ${alias}.type not in (${FOR_THE_TEAM.map((type) => `'${type}'`).join(', ')}))`
