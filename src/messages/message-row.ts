import type { TenantColumns } from '../db/tenancy.js'
import type { FormResult } from '../forms/active-form.js'
import type { JsonObject } from '../json.js'
import type { Action } from './actions.js'
import type { DeliveryRow } from './delivery.js'
import type { Item } from './items.js'
import type { ReportedResult } from './reported-results.js'
import type { ContentType, MessageRole, MessageType, Touchpoint } from './message-enums.js'

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
  /** Whether the message is part of a conversation's create, but was sent after a delay. */
  isDelayedOfCreate?: boolean | null
  /** When its text, actions or items were last edited. */
  editedAt?: Date | null
  /** Set for a message that has just been sent; otherwise loaded on request. */
  deliveries?: DeliveryRow[]
  createdAt: Date
  updatedAt: Date
}

const FOR_THE_TEAM: readonly MessageType[] = ['command', 'results', 'mention', 'tag', 'search', 'report']

/** The consumer's own, and what is said to the consumer. */
const CONSUMER_ROLES: readonly MessageRow['role'][] = ['contact', 'agent', 'system']

/** Whether a consumer may see a message: sent by or to the consumer, neither a command nor backchannel. */
export function isConsumerVisible({
  type,
  role,
  isBackchannel,
}: Pick<MessageRow, 'type' | 'role' | 'isBackchannel'>): boolean {
  return !isBackchannel && CONSUMER_ROLES.includes(role) && !FOR_THE_TEAM.includes(type)
}

/** The condition of {@link isConsumerVisible} for a query's alias. */
export const consumerVisibleSql = (alias: string): string =>
  `(not ${alias}.is_backchannel and ${alias}.role in (${CONSUMER_ROLES.map((role) => `'${role}'`).join(', ')}) ` +
  `and ${alias}.type not in (${FOR_THE_TEAM.map((type) => `'${type}'`).join(', ')}))`
