import { selectList } from '../../../platform/db/columns.js'
import { columnFields } from '../../../platform/lists/column-fields.js'
import { connectionType, OrderDirection, orderInput } from '../../../platform/lists/connection.js'
import { filterInput, ORG_PATH, type ComparedField, type FilterFields } from '../../../platform/lists/filters.js'
import type { ListDefinition } from '../../../platform/lists/list-page.js'
import { MESSAGE_COLUMNS } from '../../messages/message-columns.js'
import { ContentTypeEnum, MessageRoleEnum, MessageTypeEnum } from '../../messages/message-enums.js'
import { TouchpointEnum } from '../../touchpoint-enum.js'
import { Message } from '../../messages/message.js'
import { UserRole } from '../../users/user.js'
import { CONVERSATION_COLUMNS, PARTICIPANT_COLUMNS } from '../state/conversation-columns.js'
import { ConversationStatusEnum, ConversationTypeEnum } from '../state/conversation-enums.js'
import { Conversation, conversationEmbeds, conversationProjection } from './conversation.js'
import { lastMessageSlot } from './last-message-slot.js'
import { conversationSearch, messageSearch } from './text-search.js'

const columns = columnFields(CONVERSATION_COLUMNS, {
  type: ConversationTypeEnum,
  status: ConversationStatusEnum,
  touchpoint: TouchpointEnum,
})
const conversationFields: FilterFields = {
  ...columns,
  orgPath: ORG_PATH,
  lastMessageAt: { ...(columns.lastMessageAt as ComparedField), slot: lastMessageSlot('t.last_message_slot') },
  q: { kind: 'search', search: conversationSearch },
  awaitsAnswer: { kind: 'boolean', sql: 't.awaiting_reply' },
  snoozed: { kind: 'boolean', sql: 't.snoozed_until is not null', isCondition: true },
  unread: {
    kind: 'boolean',
    sql: `exists (select from participant p where p.conversation_id = t.id and p.user_id = {caller} and p.unread_count > 0)`,
    isCondition: true,
  },
  // Who has it.
  assignee: {
    kind: 'id',
    sql: 'p.user_id',
    via: `exists (select 1 from participant p where p.conversation_id = t.id and p.accepted and t.status = 'active' and {})`,
  },
  participants: {
    kind: 'nested',
    name: 'ParticipantFilter',
    sql: 'exists (select 1 from participant p where p.conversation_id = t.id and {})',
    fields: columnFields(PARTICIPANT_COLUMNS, { role: UserRole }, 'p'),
  },
}

export const conversationList: ListDefinition = {
  table: 'conversation',
  columns: selectList(CONVERSATION_COLUMNS, 't'),
  fields: conversationFields,
  projection: conversationProjection,
  embeds: conversationEmbeds,
  defaultOrder: [{ field: 'id', direction: OrderDirection.DESC }],
}
export const ConversationFilter = filterInput('ConversationFilter', conversationFields)
export const ConversationOrder = orderInput('Conversation', conversationFields)
export const ConversationConnection = connectionType('Conversation', () => Conversation)

const messageFields: FilterFields = {
  ...columnFields(MESSAGE_COLUMNS, {
    type: MessageTypeEnum,
    role: MessageRoleEnum,
    contentType: ContentTypeEnum,
    touchpoint: TouchpointEnum,
  }),
  orgPath: ORG_PATH,
  q: { kind: 'search', search: messageSearch },
}

export const messageList: ListDefinition = {
  table: 'message',
  columns: selectList(MESSAGE_COLUMNS, 't'),
  fields: messageFields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.DESC }],
}

/** Messages of one conversation, oldest first. */
export const conversationMessages: ListDefinition = {
  ...messageList,
  defaultOrder: [{ field: 'position', direction: OrderDirection.ASC }],
}
export const MessageFilter = filterInput('MessageFilter', messageFields)
export const MessageOrder = orderInput('Message', messageFields)
export const MessageConnection = connectionType('Message', () => Message)
