import { messageRecord } from '../records/message.js'
import { body, bodyKey, idempotencyKey, path, record, type Route } from '../route.js'
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
  {
    method: 'POST',
    path: '/v2/messages/:id/forward',
    tag,
    operationId: 'forwardMessage',
    summary: 'Forward a message by mail to people outside.',
    notes:
      'The result is the note that says so: `meta._mail.to` has the addresses, `deliveries` what became of the mail. What they answer ' +
      'arrives as notes of the role `system`, with `meta._answersForwarding`, which no consumer sees.',
    cites: '4.7',
    operation: `mutation ForwardMessage($id: ID!, $to: [String!]!, $note: String, $evenIfInternal: Boolean, $idempotencyKey: String) {
      result: forwardMessage(
        message: $id, to: $to, note: $note, evenIfInternal: $evenIfInternal, idempotencyKey: $idempotencyKey
      ) { ...Record }
    }`,
    variables: {
      id: path('id'),
      to: bodyKey('to'),
      note: bodyKey('note'),
      evenIfInternal: bodyKey('evenIfInternal'),
      idempotencyKey,
    },
    result: record(messageRecord),
    status: 201,
    location: '/v2/messages/:id',
  },
  update,
  remove,
]
