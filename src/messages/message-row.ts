import type { TenantColumns } from '../db/tenancy.js'
import type { FormResult } from '../forms/active-form.js'
import type { JsonObject } from '../json.js'
import type { Action } from './actions.js'
import type { DeliveryRow } from './delivery.js'
import type { Item } from './items.js'
import type { ReportedResult } from './reported-results.js'
import type { ContentType, MessageRole, MessageType, Touchpoint } from './message-enums.js'

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
  /** Of a `results` message: the completed forms that were sent; of a tag, search or report what it was sent with. */
  results?: (FormResult | ReportedResult)[] | null
  version: number
  /** Of a copy made by a merge: the conversation in which it was said. */
  originId?: string | null
  /** Of a copy made by a merge: the id with which the message was sent. */
  originalId?: string | null
  /** Of a conversation's create, but sent after its delay. */
  isDelayedOfCreate?: boolean | null
  /** Of a message that has just been sent; otherwise they are loaded. */
  deliveries?: DeliveryRow[]
  createdAt: Date
  updatedAt: Date
}

const FOR_THE_TEAM: readonly MessageType[] = ['command', 'results', 'mention', 'tag', 'search', 'report']

/** What a consumer may see of a conversation: what was said to and by them, no commands, no backchannel. */
export function isConsumerVisible({
  type,
  role,
  isBackchannel,
}: Pick<MessageRow, 'type' | 'role' | 'isBackchannel'>): boolean {
  return !isBackchannel && (role === 'contact' || role === 'agent') && !FOR_THE_TEAM.includes(type)
}

/** The same for a query's alias. */
export const consumerVisibleSql = (alias: string): string =>
  `(not ${alias}.is_backchannel and ${alias}.role in ('contact', 'agent') ` +
  `and ${alias}.type not in (${FOR_THE_TEAM.map((type) => `'${type}'`).join(', ')}))`
