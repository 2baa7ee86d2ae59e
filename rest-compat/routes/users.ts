import { userRecord } from '../records/user.js'
import { identityRecord } from '../records/identity.js'
import { sessionRecord } from '../records/session.js'
import { nothing, path, record, records, type Route } from '../route.js'
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
  {
    method: 'GET',
    path: '/v2/users/:id/sessions',
    tag,
    operationId: 'listSessions',
    summary: 'List where a user is signed in; the id may be `me`.',
    cites: '4.2',
    operation: 'query Sessions($id: ID!) { result: sessions(user: $id) { ...Record } }',
    variables: { id: path('id') },
    result: records(sessionRecord),
    status: 200,
  },
  {
    method: 'DELETE',
    path: '/v2/users/:id/sessions',
    tag,
    operationId: 'endSessions',
    summary: "End all sessions of a user; of one's own (`me`) all but the current one.",
    cites: '4.2',
    operation: 'mutation EndSessions($id: ID!) { result: endSessions(user: $id) }',
    variables: { id: path('id') },
    result: nothing,
    status: 204,
  },
  {
    method: 'DELETE',
    path: '/v2/users/:id/sessions/:session',
    tag,
    operationId: 'endSession',
    summary: 'End a session of a user: its tokens are refused, and its sockets closed.',
    cites: '4.2',
    operation: 'mutation EndSession($id: ID!, $session: ID!) { result: endSession(user: $id, session: $session) }',
    variables: { id: path('id'), session: path('session') },
    result: nothing,
    status: 204,
  },
  {
    method: 'GET',
    path: '/v2/users/:id/identities',
    tag,
    operationId: 'listIdentities',
    summary: 'List who a user is at providers by which it signs in; the id may be `me`.',
    cites: '4.2',
    operation: 'query Identities($id: ID!) { result: identities(user: $id) { ...Record } }',
    variables: { id: path('id') },
    result: records(identityRecord),
    status: 200,
  },
  {
    method: 'DELETE',
    path: '/v2/users/:id/identities/:identity',
    tag,
    operationId: 'unlinkIdentity',
    summary: 'Remove an identity of a user: its sessions end, but for the current one.',
    cites: '4.2',
    operation: 'mutation Unlink($id: ID!, $identity: ID!) { result: unlinkIdentity(user: $id, identity: $identity) }',
    variables: { id: path('id'), identity: path('identity') },
    result: nothing,
    status: 204,
  },
]
