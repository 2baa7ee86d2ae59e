import { bulkRunRecord } from '../records/bulk-run.js'
import { bodyKey, path, record, type Route } from '../route.js'

const tag = 'Conversations'
const ofOne = { tag, cites: '4.8', variables: { id: path('id') }, result: record(bulkRunRecord), status: 200 } as const

export const bulkRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v2/conversations/bulk',
    tag,
    operationId: 'bulkConversations',
    summary: 'Begin an act with up to 500 conversations.',
    notes:
      'The response comes at once: the work is done by a job. `id` is a UUID of the run, chosen by the client, by which it is read afterwards; ' +
      'a repeat gets the same run. `filter` has the form of the GraphQL interface.',
    cites: '4.8',
    operation: `mutation BulkConversations($act: BulkActInput!, $id: ID!, $conversations: [ID!], $filter: ConversationFilter) {
      result: bulk(act: $act, id: $id, conversations: $conversations, filter: $filter) { ...Record }
    }`,
    variables: {
      act: bodyKey('act'),
      id: bodyKey('id'),
      conversations: bodyKey('conversations'),
      filter: bodyKey('filter'),
    },
    result: record(bulkRunRecord),
    status: 200,
  },
  {
    ...ofOne,
    method: 'GET',
    path: '/v2/bulkruns/:id',
    operationId: 'getBulkRun',
    summary: "Read a run of the caller's own, with the first 50 conversations that stayed as they were.",
    operation: 'query BulkRun($id: ID!) { result: bulkRun(id: $id) { ...Record } }',
  },
  {
    ...ofOne,
    method: 'POST',
    path: '/v2/bulkruns/:id/cancel',
    operationId: 'cancelBulkRun',
    summary: 'End a run: what was done stays, the rest is skipped.',
    operation: 'mutation CancelBulk($id: ID!) { result: cancelBulk(id: $id) { ...Record } }',
  },
  {
    ...ofOne,
    method: 'POST',
    path: '/v2/bulkruns/:id/undo',
    operationId: 'undoBulkRun',
    summary: 'Undo the labels, snoozes and closings of a run, until its `undoUntil`.',
    operation: 'mutation UndoBulk($id: ID!) { result: undoBulk(id: $id) { ...Record } }',
  },
]
