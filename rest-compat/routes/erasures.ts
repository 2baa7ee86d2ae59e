import { contactErasureRecord } from '../records/contact-erasure.js'
import { bodyKey, idempotencyKey, path, record, type Route } from '../route.js'

const tag = 'Erasures'
const cites = '2.11'

/** Erasures of contacts, and the list of them that is kept elsewhere. */
export const erasureRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v2/contacts/:id/erasure',
    tag,
    operationId: 'eraseContact',
    summary: 'Erase a contact with all its conversations, whatever their status.',
    notes:
      'The contact is emptied at once, and the rest goes within minutes, also after a restart; while a legal hold keeps something of it, the ' +
      'erasure is `blocked`. `DELETE /v2/contacts/:id` is refused while ' +
      'a conversation is queued or active.',
    cites,
    operation: `mutation EraseContact($id: ID!, $reason: ErasureReason!, $idempotencyKey: String) {
      result: eraseContact(id: $id, reason: $reason, idempotencyKey: $idempotencyKey) { ...Record }
    }`,
    variables: { id: path('id'), reason: bodyKey('reason'), idempotencyKey },
    result: record(contactErasureRecord),
    status: 201,
  },
  {
    method: 'GET',
    path: '/v2/erasures',
    tag,
    operationId: 'listErasures',
    summary: 'List erasures of contacts as lines of JSON, for keeping them elsewhere.',
    notes:
      'The oldest first. Ask again with the `erasure` of the last one as `after`, until the answer is empty. A restore of an older ' +
      'backup needs the list.',
    cites,
    operation: `query ErasureLines($since: DateTime, $after: ID, $limit: Int) {
      result: erasureLines(since: $since, after: $after, limit: $limit) { lines }
    }`,
    variables: {
      since: { from: 'query', name: 'since', description: 'Only those demanded since this time.' },
      after: { from: 'query', name: 'after', description: 'Id of the erasure before the first.' },
      limit: { from: 'query', name: 'limit', description: 'Number of lines, 1000 by default, at most 10000.' },
    },
    result: { kind: 'text', field: 'lines', type: 'application/x-ndjson' },
    status: 200,
  },
  {
    method: 'GET',
    path: '/v2/erasures/:id',
    tag,
    operationId: 'getErasure',
    summary: 'Fetch the erasure of a contact.',
    cites,
    operation: 'query Erasure($id: ID!) { result: contactErasure(id: $id) { ...Record } }',
    variables: { id: path('id') },
    result: record(contactErasureRecord),
    status: 200,
  },
]
