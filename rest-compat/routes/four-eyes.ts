import { fourEyesRecord, pendingChangeRecord } from '../records/four-eyes.js'
import { body, bodyKey, path, record, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'FourEyes'
const cites = '5'
const { list, fetch } = crudRoutes({ path: '/v2/pendingchanges', tag, record: pendingChangeRecord, cites })
const decide = { method: 'POST', tag, cites, result: record(pendingChangeRecord), status: 200 } as const

/** Changes that need two administrators, and where they do. */
export const fourEyesRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v2/foureyes',
    tag,
    operationId: 'fetchFourEyes',
    summary: 'Fetch the areas in which a change waits for a second administrator.',
    cites,
    operation: 'query FourEyes { result: fourEyes { ...Record } }',
    variables: {},
    result: record(fourEyesRecord),
    status: 200,
  },
  {
    method: 'PATCH',
    path: '/v2/foureyes',
    tag,
    operationId: 'setFourEyes',
    summary: 'Set the areas in which a change waits for a second administrator: what is absent stays.',
    notes: 'To guard an area no more needs another administrator itself.',
    cites,
    operation: 'mutation SetFourEyes($input: SetFourEyesInput!) { result: setFourEyes(input: $input) { ...Record } }',
    variables: { input: body },
    result: record(fourEyesRecord),
    status: 200,
  },
  list,
  fetch,
  {
    ...decide,
    path: '/v2/pendingchanges/:id/approve',
    operationId: 'approveChange',
    summary: 'Approve a change and carry it out.',
    notes: 'By another administrator than the one who proposed it, in person: not with an API token.',
    operation: 'mutation ApproveChange($id: ID!) { result: approveChange(id: $id) { ...Record } }',
    variables: { id: path('id') },
  },
  {
    ...decide,
    path: '/v2/pendingchanges/:id/refuse',
    operationId: 'refuseChange',
    summary: 'Refuse a change that another administrator has proposed, for good.',
    operation: `mutation RefuseChange($id: ID!, $comment: String) {
      result: refuseChange(id: $id, comment: $comment) { ...Record }
    }`,
    variables: { id: path('id'), comment: bodyKey('comment') },
  },
  {
    ...decide,
    path: '/v2/pendingchanges/:id/withdraw',
    operationId: 'withdrawChange',
    summary: 'Take back a change that the caller has proposed.',
    operation: 'mutation WithdrawChange($id: ID!) { result: withdrawChange(id: $id) { ...Record } }',
    variables: { id: path('id') },
  },
]
