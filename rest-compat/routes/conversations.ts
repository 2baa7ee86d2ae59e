import { conversationRecord } from '../records/conversation.js'
import { messageRecord } from '../records/message.js'
import { transcriptRecord } from '../records/transcript.js'
import {
  body,
  bodyKey,
  idempotencyKey,
  listSources,
  nothing,
  page,
  path,
  record,
  records,
  type Route,
} from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Conversations'
const messages = '/v2/conversations/:id/messages'
const ofMessage = { id: path('id'), message: path('message') }
/** Legacy clients put it into every message. */
const repeated = { conversation: 'id' }
const isLenient = true
const { create, ...others } = crudRoutes({ path: '/v2/conversations', tag, record: conversationRecord, cites: '4.7' })

export const conversationRoutes: Route[] = [
  ...Object.values(others),
  { ...create, isLenient },
  {
    method: 'GET',
    path: messages,
    tag,
    operationId: 'listConversationMessages',
    summary: 'List the messages of a conversation, in order.',
    cites: '4.7',
    operation: `query ConversationMessages(
      $id: ID!, $first: Int, $offset: Int, $after: String, $filter: MessageFilter, $orderBy: [MessageOrder!]
    ) {
      conversation(id: $id) { id }
      result: messages(first: $first, offset: $offset, after: $after, filter: $filter, orderBy: $orderBy) {
        edges { node { ...Record } } totalCount pageInfo { hasNextPage endCursor }
      }
    }`,
    variables: { id: path('id'), ...listSources({ fixed: { conversation: 'id' }, sort: 'position' }) },
    result: page(messageRecord),
    status: 200,
  },
  {
    method: 'POST',
    path: messages,
    tag,
    when: { bodyIs: 'list' },
    isLenient,
    repeated,
    joinsSpreadTexts: true,
    operationId: 'sendConversationMessage',
    summary: 'Send several messages in order, either all or none.',
    cites: '4.7',
    operation: `mutation SendMessages($id: ID!, $messages: [MessageInput!]!, $idempotencyKey: String) {
      result: sendMessages(conversation: $id, messages: $messages, idempotencyKey: $idempotencyKey) { ...Record }
    }`,
    variables: { id: path('id'), messages: body, idempotencyKey },
    result: records(messageRecord),
    status: 201,
  },
  {
    method: 'POST',
    path: messages,
    tag,
    isLenient,
    repeated,
    operationId: 'sendConversationMessage',
    isStreamable: true,
    summary: 'Send a message or a command to a conversation.',
    notes:
      'With `?stream=true`, the body is plain text that is sent in chunks: each is shown to the readers of the conversation as it comes, ' +
      'and the response is the message that it has become. 422 with the reason `STREAM_ENDED` if it was stopped or a person took over.',
    cites: '4.7, 4.8',
    operation: `mutation SendMessage($id: ID!, $message: MessageInput!, $idempotencyKey: String) {
      result: sendMessage(conversation: $id, message: $message, idempotencyKey: $idempotencyKey) { ...Record }
    }`,
    variables: { id: path('id'), message: body, idempotencyKey },
    result: record(messageRecord),
    status: 201,
  },
  {
    method: 'GET',
    path: `${messages}/:message`,
    tag,
    operationId: 'getConversationMessage',
    summary: 'Fetch a message of a conversation.',
    cites: '4.7',
    operation: `query ConversationMessage($id: ID!, $message: ID!) {
      result: message(id: $message, conversation: $id) { ...Record }
    }`,
    variables: ofMessage,
    result: record(messageRecord),
    status: 200,
  },
  {
    method: 'PATCH',
    path: `${messages}/:message`,
    tag,
    operationId: 'updateConversationMessage',
    summary: 'Change the given fields of a message.',
    cites: '4.7',
    operation: `mutation UpdateConversationMessage($id: ID!, $message: ID!, $patch: UpdateMessageInput!) {
      result: updateMessage(id: $message, conversation: $id, patch: $patch) { ...Record }
    }`,
    variables: { ...ofMessage, patch: body },
    result: record(messageRecord),
    status: 200,
  },
  {
    method: 'DELETE',
    path: `${messages}/:message`,
    tag,
    operationId: 'deleteConversationMessage',
    summary: 'Delete a message.',
    cites: '4.7',
    operation: `mutation DeleteConversationMessage($id: ID!, $message: ID!) {
      result: deleteMessage(id: $message, conversation: $id)
    }`,
    variables: ofMessage,
    result: nothing,
    status: 204,
  },
  {
    method: 'POST',
    path: '/v2/conversations/:id/transcript',
    tag,
    operationId: 'sendTranscript',
    summary: 'Mail the contact a copy of what it sees of the conversation.',
    cites: '2.8',
    operation: `mutation SendTranscript($id: ID!, $to: String!, $code: String) {
      result: sendTranscript(conversation: $id, to: $to, code: $code) { ...Record }
    }`,
    variables: { id: path('id'), to: bodyKey('to'), code: bodyKey('code') },
    result: record(transcriptRecord),
    status: 200,
  },
]
