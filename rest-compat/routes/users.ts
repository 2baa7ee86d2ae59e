import { userRecord } from '../records/user.js'
import { record, type Route } from '../route.js'
import { crudRoutes } from './crud.js'

const tag = 'Users'
const names = { path: '/v2/users', tag, record: userRecord, cites: '4.2' }
const { list, fetch, create, update, delete: remove } = crudRoutes(names)

export const userRoutes: Route[] = [
  list,
  { ...create, location: '/users/:id' },
  {
    method: 'GET',
    path: '/v2/users/me',
    tag,
    operationId: 'getMe',
    summary: 'Fetch the authenticated user, with the names of its organizations.',
    cites: '2.2, 4.2',
    operation: 'query Me { result: me { ...Record } }',
    variables: {},
    result: record(userRecord),
    populated: ['organizations.organization'],
    status: 200,
  },
  fetch,
  { ...update, summary: 'Change the given fields of a user; the id may be `me`.', cites: '4.2' },
  { ...remove, summary: "Delete a user; a bot's API token ends with it.", cites: '4.2' },
]
