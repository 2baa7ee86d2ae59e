import type { TenantColumns } from '../db/tenancy.js'
import type { FormResult } from '../forms/active-form.js'
import type { JsonObject } from '../json.js'
import type { Action } from './actions.js'
import type { DeliveryRow } from './delivery.js'
import type { Item } from './items.js'
import type { ContentType, MessageRole, MessageType, Touchpoint } from './message-content.js'

/** A message as it is stored; the plain form of the entity `Message`. */
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
  /** Of a `results` message: the completed forms that were sent. */
  results?: FormResult[] | null
  version: number
  /** Of a conversation's create, but sent after its delay. */
  isDelayedOfCreate?: boolean | null
  /** Of a message that has just been sent; otherwise they are loaded. */
  deliveries?: DeliveryRow[]
  createdAt: Date
  updatedAt: Date
}

/** What a consumer may see of a conversation: what was said to and by them, no commands, no backchannel. */
export function isConsumerVisible(message: Pick<MessageRow, 'type' | 'role' | 'isBackchannel'>): boolean {
  return (
    !message.isBackchannel &&
    (message.role === 'contact' || message.role === 'agent') &&
    message.type !== 'command' &&
    message.type !== 'results' &&
    message.type !== 'mention'
  )
}

/** The same for a query's alias. */
export const consumerVisibleSql = (alias: string): string =>
  `(not ${alias}.is_backchannel and ${alias}.role in ('contact', 'agent') ` +
  `and ${alias}.type not in ('command', 'results', 'mention'))`

/** What a consumer sees of a message: nothing of what the team says about it. */
export function messageForGuest(message: MessageRow): MessageRow {
  return { ...message, likes: [], comments: [], serviceId: null, deliveries: [] }
}
