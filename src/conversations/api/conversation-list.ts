import { connectionType, OrderDirection, orderInput } from '../../lists/connection.js'
import { filterInput, ORG_PATH, type FilterFields, type Slot } from '../../lists/filters.js'
import type { ListDefinition } from '../../lists/list-page.js'
import { Message } from '../../messages/message.js'
import { Conversation, conversationEmbeds, conversationProjection } from './conversation.js'
import { conversationSearch, messageSearch } from './text-search.js'

/** As the database makes it (migration 0008). */
const LAST_MESSAGE_SLOT: Slot = {
  sql: 't.last_message_slot',
  of: (parameter) => `date_bin('10 minutes', ${parameter}::timestamptz, 'epoch')`,
}

const conversationFields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  type: { kind: 'text', sql: 't.type' },
  name: { kind: 'text', sql: 't.name', sortable: true },
  slug: { kind: 'text', sql: 't.slug' },
  status: { kind: 'text', sql: 't.status', sortable: true },
  contact: { kind: 'id', sql: 't.contact_id' },
  touchpoint: { kind: 'text', sql: 't.touchpoint' },
  category: { kind: 'text', sql: 't.category', sortable: true },
  categoryIndex: { kind: 'int', sql: 't.category_index' },
  language: { kind: 'text', sql: 't.language', sortable: true },
  channels: { kind: 'idArray', sql: 't.channels' },
  channelsOffline: { kind: 'idArray', sql: 't.channels_offline' },
  meta: { kind: 'json', sql: 't.meta' },
  createdBy: { kind: 'id', sql: 't.created_by_id' },
  queuedAt: { kind: 'time', sql: 't.queued_at', sortable: true },
  lastMessageAt: { kind: 'time', sql: 't.last_message_at', sortable: true, slot: LAST_MESSAGE_SLOT },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
  q: { kind: 'search', search: conversationSearch },
  participants: {
    kind: 'nested',
    name: 'ParticipantFilter',
    sql: 'exists (select 1 from participant p where p.conversation_id = t.id and {})',
    fields: {
      user: { kind: 'id', sql: 'p.user_id' },
      role: { kind: 'text', sql: 'p.role' },
      inbox: { kind: 'boolean', sql: 'p.inbox' },
      accepted: { kind: 'boolean', sql: 'p.accepted' },
      active: { kind: 'boolean', sql: 'p.active' },
      follow: { kind: 'boolean', sql: 'p.follow' },
      unreadCount: { kind: 'int', sql: 'p.unread_count' },
    },
  },
}

export const conversationList: ListDefinition = {
  table: 'conversation',
  fields: conversationFields,
  projection: conversationProjection,
  embeds: conversationEmbeds,
  defaultOrder: [{ field: 'id', direction: OrderDirection.DESC }],
}
export const ConversationFilter = filterInput('ConversationFilter', conversationFields)
export const ConversationOrder = orderInput('Conversation', conversationFields)
export const ConversationConnection = connectionType('Conversation', () => Conversation)

const messageFields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  orgPath: ORG_PATH,
  conversation: { kind: 'id', sql: 't.conversation_id' },
  position: { kind: 'int', sql: 't.position', sortable: true },
  type: { kind: 'text', sql: 't.type' },
  role: { kind: 'text', sql: 't.role' },
  isBackchannel: { kind: 'boolean', sql: 't.is_backchannel' },
  user: { kind: 'id', sql: 't.user_id' },
  contentType: { kind: 'text', sql: 't.content_type' },
  text: { kind: 'text', sql: 't.text' },
  touchpoint: { kind: 'text', sql: 't.touchpoint' },
  q: { kind: 'search', search: messageSearch },
  meta: { kind: 'json', sql: 't.meta' },
  likes: { kind: 'idArray', sql: 't.likes' },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const messageList: ListDefinition = {
  table: 'message',
  fields: messageFields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.DESC }],
}

/** The messages of one conversation, in their order. */
export const conversationMessages: ListDefinition = {
  ...messageList,
  defaultOrder: [{ field: 'position', direction: OrderDirection.ASC }],
}
export const MessageFilter = filterInput('MessageFilter', messageFields)
export const MessageOrder = orderInput('Message', messageFields)
export const MessageConnection = connectionType('Message', () => Message)
