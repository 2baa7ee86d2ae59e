import { messageRecord } from '../records/message.js'
import { body, bodyKey, idempotencyKey, record, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Messages'
const names = { path: '/v2/messages', tag, record: messageRecord, cites: '4.7' }
const { list, fetch, update, delete: remove } = crudRoutes(names)

export const messageRoutes: Route[] = [
  list,
  {
    method: 'POST',
    path: '/v2/messages',
    tag,
    isLenient: true,
    operationId: 'sendMessage',
    summary: 'Send a message or a command to the conversation named in the body.',
    cites: '4.7',
    operation: `mutation SendMessage($conversation: ID!, $message: MessageInput!, $idempotencyKey: String) {
      result: sendMessage(conversation: $conversation, message: $message, idempotencyKey: $idempotencyKey) { ...Record }
    }`,
    variables: { conversation: bodyKey('conversation'), message: body, idempotencyKey },
    result: record(messageRecord),
    status: 201,
  },
  fetch,
  update,
  remove,
]
