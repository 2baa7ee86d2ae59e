import { heldMessageRecord, holdRecord } from '../records/hold.js'
import { listSources, page, path, record, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Holds'
const cites = '2.11'
const { delete: _, ...kept } = crudRoutes({ path: '/v2/holds', tag, record: holdRecord, cites })

/** Legal holds, which are released and never deleted. */
export const holdRoutes: Route[] = [
  ...Object.values(kept),
  {
    method: 'DELETE',
    path: '/v2/holds/:id',
    tag,
    operationId: 'releaseHold',
    summary: 'Release a hold, for good.',
    notes:
      'Erasures that no other hold blocks go on by themselves, and what was kept of edited and deleted messages by this hold alone goes.',
    cites,
    operation: 'mutation ReleaseHold($id: ID!) { result: releaseHold(id: $id) { ...Record } }',
    variables: { id: path('id') },
    result: record(holdRecord),
    status: 200,
  },
  {
    method: 'GET',
    path: '/v2/holds/:id/messages',
    tag,
    operationId: 'listHeldMessages',
    summary: 'List messages as they were before they were edited or deleted, which this hold keeps.',
    notes: 'The oldest first. The audit log tells of each reading.',
    cites,
    operation: `query HeldMessages($id: ID!, $first: Int, $offset: Int, $after: String, $filter: HeldMessageFilter) {
      result: heldMessages(hold: $id, first: $first, offset: $offset, after: $after, filter: $filter) {
        edges { node { ...Record } } totalCount pageInfo { hasNextPage endCursor }
      }
    }`,
    variables: (({ orderBy: _order, ...sources }) => ({ id: path('id'), ...sources }))(listSources()),
    result: page(heldMessageRecord),
    status: 200,
  },
]
