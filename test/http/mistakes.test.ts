import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let admin: MadeUser
let token: string
let conversation: string

beforeAll(async () => {
  app = await startTestServer()
  admin = await app.makeUser({ organization: await app.makeOrganization(), role: 'admin' })
  token = await app.tokenFor(admin)
  const made = await app.rest(admin, 'POST', '/v2/conversations', {
    touchpoint: 'web',
    contact: { profile: { name: 'Bo', email: 'bo@example.com' } },
    messages: [{ role: 'contact', text: 'hi' }],
  })
  conversation = made.body.id
})
afterAll(() => app.close())

type Told = [status: number, reason: string | undefined, field: string | undefined, says: RegExp]

interface Sent {
  headers?: Record<string, string>
  body?: unknown
}

async function send(method: string, path: string, { headers, body }: Sent = {}): Promise<Response> {
  return fetch(`${app.url}${path.replace(':conversation', conversation)}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && typeof body !== 'string' && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const form = { 'content-type': 'multipart/form-data; boundary=b' }
const part = (name: string, rest: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\nx\r\n--b--\r\n`
const rule = (leaf: object): object => ({
  rules: [{ conditions: { all: [leaf] }, event: { type: 'notify', params: {} } }],
})
const webhook = (params: object): object => ({ type: 'webhook', name: 'Hook', params })
const MESSAGES = '/v2/conversations/:conversation/messages'
const LEAF = 'rules[0].conditions.all[0]'

const REST: [string, Sent, Told][] = [
  ['GET /v2/users/abc', {}, [404, 'MALFORMED_ID', undefined, /"abc" not found: the id is malformed/]],
  ['GET /v2/conversations/123', {}, [404, 'MALFORMED_ID', undefined, /"123" not found: the id is malformed/]],
  ['GET /v2/messages/123', {}, [404, 'MALFORMED_ID', undefined, /"123" not found: the id is malformed/]],
  [
    'POST /v2/conversations/123/messages',
    { body: { text: 'x' } },
    [404, 'MALFORMED_ID', undefined, /^Conversation not found$/],
  ],
  ['GET /v2/conversations?contact=abc', {}, [400, 'INVALID_VALUE', 'contact', /must be an id, not "abc"/]],
  [
    'POST /v2/channels',
    { body: { name: 'x', organization: 'abc' } },
    [404, 'MALFORMED_ID', 'organization', /"abc".*malformed/],
  ],
  ['GET /v2/users/', {}, [404, 'ROUTE_NOT_FOUND', undefined, /leave out the slash/]],
  ['GET /v2/user', {}, [404, 'ROUTE_NOT_FOUND', undefined, /the nearest is \/v2\/users/]],
  ['GET /api/v2/users', {}, [404, 'ROUTE_NOT_FOUND', undefined, /the nearest is \/v2\/users/]],
  ['GET /v1/conversations', {}, [404, 'ROUTE_NOT_FOUND', undefined, /the nearest is \/v2\/conversations/]],
  ['GET /users', {}, [404, 'ROUTE_NOT_FOUND', undefined, /the nearest is \/v2\/users/]],
  ['GET /V2/Users', {}, [404, 'ROUTE_NOT_FOUND', undefined, /the nearest is \/v2\/users/]],
  ['GET //v2/users', {}, [404, 'ROUTE_NOT_FOUND', undefined, /the nearest is \/v2\/users/]],
  ['GET /v2/invoices', {}, [404, 'ROUTE_NOT_FOUND', undefined, /what there is says \/api/]],
  ['PUT /v2/users/me', { body: {} }, [405, 'METHOD_NOT_ALLOWED', undefined, /allowed: GET, HEAD, PATCH, DELETE/]],
  [
    'POST /v2/channels',
    { body: 'name=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    [415, 'INVALID_VALUE', 'Content-Type', /send application\/json/],
  ],
  [
    'POST /v2/channels',
    { body: '{name: 1}', headers: { 'content-type': 'application/json' } },
    [400, 'INVALID_VALUE', 'body', /is not JSON/],
  ],
  ['POST /v2/channels', {}, [400, 'MISSING_VALUE', 'body', /the body is missing/]],
  [
    'GET /v2/users/me',
    { headers: { authorization: 'e30.e30.e30' } },
    [401, 'TOKEN_INVALID', undefined, /^invalid token.*Bearer/],
  ],
  [
    'GET /v2/users/me',
    { headers: { authorization: '' } },
    [401, 'AUTHENTICATION_REQUIRED', undefined, /authentication is required/],
  ],
  ['GET /v2/users?limit=abc', {}, [400, 'INVALID_VALUE', 'limit', /whole number from 1/]],
  ['GET /v2/users?page=2', {}, [400, 'UNKNOWN_FIELD', 'page', /parameters: limit, offset/]],
  ['GET /v2/users?sort=foo', {}, [400, 'INVALID_VALUE', 'sort', /"foo" is not a sortable field/]],
  [
    'GET /v2/conversations?createdAt=%3Eyesterday',
    {},
    [400, 'INVALID_VALUE', 'createdAt', /"yesterday" is not an ISO 8601/],
  ],
  [
    'GET /v2/conversations?createdAt=%3E2026-02-29',
    {},
    [400, 'INVALID_VALUE', 'createdAt', /"2026-02-29" is not an ISO 8601/],
  ],
  [
    'GET /v2/conversations?createdAt=%3E2026-11-29T10:00:00+01:00',
    {},
    [400, 'INVALID_VALUE', 'createdAt', /is not an ISO 8601 datetime: a \+ in a URL is written as %2B/],
  ],
  // As long as a text may be, of what the pattern of dates begins with.
  [
    'PATCH /v2/conversations/:conversation',
    { body: { snoozedUntil: `2026-11-29${'T'.repeat(200_000)}` } },
    [400, 'INVALID_VALUE', 'snoozedUntil', /is not an ISO 8601 datetime$/],
  ],
  ['GET /v2/conversations?status=open', {}, [400, 'INVALID_VALUE', 'status', /must be one of queued, active/]],
  [
    'GET /v2/conversations?populate=mesages',
    {},
    [400, 'INVALID_VALUE', 'populate', /"mesages" is not a reference.*; the nearest is messages; known/],
  ],
  ['POST /v2/conversations', { body: {} }, [400, 'MISSING_VALUE', 'contact', /contact is required/]],
  [
    'POST /v2/conversations',
    { body: { contact: { profile: { name: 'x' } } } },
    [400, 'INVALID_VALUE', 'contact.profile', /requires an email or a telephone/],
  ],
  [
    'POST /v2/conversations',
    { body: { contact: { profile: { telephone: 'hello' } } } },
    [400, 'INVALID_VALUE', 'contact.profile.telephone', /such as \+31/],
  ],
  [`POST ${MESSAGES}`, { body: { text: 5 } }, [400, 'INVALID_VALUE', 'text', /must be a string, not 5/]],
  [
    `POST ${MESSAGES}`,
    { body: { text: 'x', type: 'txt' } },
    [400, 'INVALID_VALUE', 'type', /must be one of chat, card/],
  ],
  [`POST ${MESSAGES}`, { body: { text: 'x', delay: '5' } }, [400, 'INVALID_VALUE', 'delay', /must be/]],
  [
    `POST ${MESSAGES}`,
    { body: { type: 'command', text: '/acept' } },
    [400, 'INVALID_VALUE', 'text', /the nearest is \/accept/],
  ],
  [
    `POST ${MESSAGES}`,
    { body: { type: 'command', text: '/assign' } },
    [400, 'MISSING_VALUE', 'meta.users', /is required; it must be a list/],
  ],
  [
    `POST ${MESSAGES}`,
    { body: { type: 'command', text: '/notify', meta: { channels: ['x'] } } },
    [400, 'INVALID_VALUE', 'meta.channels[0]', /must be an id, not "x"/],
  ],
  ['POST /v2/messages', { body: { text: 'x' } }, [400, 'MISSING_VALUE', 'conversation', /is required/]],
  ['POST /v2/users', { body: { role: 'agent' } }, [400, 'MISSING_VALUE', 'email', /is required/]],
  [
    'POST /v2/users',
    { body: { email: 'a@b.example', role: 'Agent' } },
    [400, 'INVALID_VALUE', 'role', /must be one of viewer, agent/],
  ],
  [
    'POST /v2/users',
    { body: { email: 'a@b.example', pasword: 'x' } },
    [400, 'UNKNOWN_FIELD', 'pasword', /not a known field; the nearest is password; known fields/],
  ],
  [
    'POST /v2/workflows',
    { body: rule({ fact: 'message', path: '.text', operator: 'equals', value: 'x' }) },
    [400, 'INVALID_VALUE', `${LEAF}.operator`, /must be one of defined, equal/],
  ],
  [
    'POST /v2/workflows',
    { body: rule({ fact: 'message', path: 'text', operator: 'equal', value: 'x' }) },
    [400, 'INVALID_VALUE', `${LEAF}.path`, /with a dot first/],
  ],
  [
    'POST /v2/auth/token',
    { body: { username: 'x', password: 'y' } },
    [400, 'UNKNOWN_FIELD', 'username', /known fields: email, password/],
  ],
  // Names that are near to others.
  ['GET /v2/conversations?select=nmae', {}, [400, 'INVALID_VALUE', 'select', /not a field; the nearest is name;/]],
  [
    'GET /v2/conversations?sort=-created_at',
    {},
    [400, 'INVALID_VALUE', 'sort', /not a sortable field; the nearest is createdAt;/],
  ],
  ['GET /v2/conversations?Status=queued', {}, [400, 'UNKNOWN_FIELD', 'Status', /of this list; the nearest is status;/]],
  [
    'POST /v2/users',
    { body: { family_name: 'x', email: 'a@b.example' } },
    [400, 'UNKNOWN_FIELD', 'family_name', /the nearest is familyName;/],
  ],
  [
    'POST /v2/workflows',
    { body: { rules: [{ conditions: { all: [] }, event: { type: 'notify', params: { channel: ['x'] } } }] } },
    [400, 'UNKNOWN_FIELD', 'rules[0].event.params.channel', /the nearest is channels;/],
  ],
  [
    'GET /v2/conversations/:conversation/message',
    {},
    [404, 'ROUTE_NOT_FOUND', undefined, /the nearest is \/v2\/conversations\/:id\/messages$/],
  ],
  // What `/v2` ignores is often the cause of what it refuses.
  [
    `POST ${MESSAGES}`,
    { body: { txt: 'x' } },
    [400, 'MISSING_VALUE', 'text', /must not be empty in a chat message; ignored, since not known here: txt$/],
  ],
  [
    'POST /v2/conversations',
    { body: { contact: { name: 'x', email: 'x@example.com' } } },
    [400, 'INVALID_VALUE', 'contact.profile', /not known here: contact\.name, contact\.email$/],
  ],
  [
    `POST ${MESSAGES}`,
    { body: { text: 'x', isBackchanel: true }, headers: { prefer: 'handling=strict' } },
    [400, 'UNKNOWN_FIELD', 'isBackchanel', /the nearest is isBackchannel;/],
  ],
  // Values and headers.
  ['GET /v2/users?limit=0', {}, [400, 'INVALID_VALUE', 'limit', /whole number from 1; more than 100 count as these/]],
  ['GET /v2/users?limit=5&limit=6', {}, [400, 'INVALID_VALUE', 'limit', /must be given once/]],
  ['GET /v2/auth/token', {}, [400, 'MISSING_VALUE', 'refreshToken', /query parameter refreshToken is required/]],
  ['POST /v2/channels', { body: [] }, [400, 'INVALID_VALUE', 'body', /must be an object, not \[\]/]],
  [
    'POST /v2/channels',
    { body: '{"name":"x",}', headers: { 'content-type': 'application/json' } },
    [400, 'INVALID_VALUE', 'body', /is not JSON: .*line 1 column 13/],
  ],
  [
    'POST /v2/channels',
    { body: 'x', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
    [415, 'INVALID_VALUE', 'Content-Encoding', /send the body without one/],
  ],
  [
    'POST /v2/channels',
    { body: { name: 'x' }, headers: { 'idempotency-key': 'k'.repeat(300) } },
    [400, 'INVALID_VALUE', 'Idempotency-Key', /^Idempotency-Key .* must have 1 to 255 characters/],
  ],
  [
    'PATCH /v2/conversations/:conversation',
    { body: { snoozedUntil: 'tomorrow' } },
    [400, 'INVALID_VALUE', 'snoozedUntil', /"tomorrow" is not an ISO 8601 datetime/],
  ],
  [
    'PATCH /v2/conversations/:conversation',
    { body: { snoozedUntil: '2027-04-31T10:00:00Z' } },
    [400, 'INVALID_VALUE', 'snoozedUntil', /"2027-04-31T10:00:00Z" is not an ISO 8601 datetime/],
  ],
  [
    'PATCH /v2/conversations/:conversation',
    { body: { snoozedUntil: '2028-02-29T10:00:00Z' }, headers: { 'if-match': '3' } },
    [400, 'INVALID_VALUE', 'If-Match', /in its quotation marks, such as "3", or \*, not 3$/],
  ],
  [
    'PATCH /v2/conversations/:conversation',
    { body: { status: 'closed' } },
    [400, 'INVALID_VALUE', 'status', /cannot be set here; fields that can: name/],
  ],
  [
    'POST /v2/conversations',
    { body: { touchpoint: 'web', contact: { profile: { email: 'bo@example.com' } } } },
    [422, 'CONTACT_EXISTS', 'contact.profile.email', /already exists/],
  ],
  [
    `POST ${MESSAGES}`,
    { body: { type: 'command', text: 'accept' } },
    [400, 'INVALID_VALUE', 'text', /plain text beginning with \/ or >, not "accept"/],
  ],
  ['DELETE /v2/conversations', {}, [405, 'METHOD_NOT_ALLOWED', undefined, /allowed: GET, POST, HEAD/]],
  // Uploads.
  [
    'POST /v2/attachments',
    { body: { file: 'x' } },
    [400, 'INVALID_VALUE', 'file', /must be multipart\/form-data with a part named file/],
  ],
  [
    'POST /v2/attachments',
    { body: 'x', headers: { 'content-type': 'multipart/form-data' } },
    [400, 'INVALID_VALUE', 'file', /oundary/],
  ],
  [
    'POST /v2/attachments',
    { body: part('name', ''), headers: form },
    [400, 'INVALID_VALUE', 'name', /parts are file and organization/],
  ],
  [
    'POST /v2/attachments',
    { body: part('file', '; filename="a.exe"'), headers: form },
    [400, 'INVALID_VALUE', 'file', /must be one of image\/png/],
  ],
  // Webhooks.
  ['POST /v2/services', { body: webhook({}) }, [400, 'MISSING_VALUE', 'params.url', /is required/]],
  [
    'POST /v2/services',
    { body: webhook({ url: 'example.org/hook' }) },
    [400, 'INVALID_VALUE', 'params.url', /must be an absolute URL/],
  ],
  [
    'POST /v2/services',
    { body: webhook({ url: 'https://example.org/x', events: ['mesage.create'] }) },
    [400, 'INVALID_VALUE', 'params.events[0]', /the nearest are message\./],
  ],
  [
    'POST /v2/services',
    { body: { type: 'webhok', name: 'x', params: {} } },
    [400, 'INVALID_VALUE', 'type', /the nearest is webhook/],
  ],
]

it.each(REST)('tells what is wrong with %s %#', async (call, sent, [status, reason, field, says]) => {
  const [method, path] = call.split(' ') as [string, string]
  const response = await send(method, path, sent)
  const body = (await response.json()) as Record<string, unknown>
  expect(body.message).toMatch(says)
  expect([response.status, body.reason, body.field]).toEqual([status, reason, field])
  expect(response.headers.has('www-authenticate')).toBe(status === 401)
})

const SEND = 'mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id } }'
const ofMessage = (m: unknown): object => ({ c: conversation, m })
const GRAPHQL: [string, () => object, Told][] = [
  ['{ me { nme } }', () => ({}), [400, 'DOCUMENT_INVALID', undefined, /Did you mean "name"/]],
  ['{ me { id', () => ({}), [400, 'DOCUMENT_SYNTAX', undefined, /Syntax Error/]],
  [
    '{ conversation(id: "abc") { id } }',
    () => ({}),
    [200, 'MALFORMED_ID', undefined, /"abc" not found: the id is malformed/],
  ],
  ['{ node(id: "abc") { id } }', () => ({}), [200, 'MALFORMED_ID', undefined, /"abc" not found: the id is malformed/]],
  [
    '{ conversations(first: 1000) { totalCount } }',
    () => ({}),
    [200, 'INVALID_VALUE', 'first', /from 1 to 100, not 1000/],
  ],
  [
    '{ conversations(after: "zzz") { totalCount } }',
    () => ({}),
    [200, 'INVALID_VALUE', 'after', /not a cursor of this list/],
  ],
  [
    '{ conversations(filter: { createdAt: { gt: "yesterday" } }) { totalCount } }',
    () => ({}),
    [400, 'INVALID_VALUE', 'filter.createdAt.gt', /not an ISO 8601/],
  ],
  [
    'query ($d: DateTime) { conversations(filter: { createdAt: { gt: $d } }) { totalCount } }',
    () => ({ d: 5 }),
    [400, 'INVALID_VALUE', 'd', /5 is not an ISO 8601/],
  ],
  [
    '{ conversations(filter: { status: { in: [QUEUED, OPEN] } }) { totalCount } }',
    () => ({}),
    [400, 'DOCUMENT_INVALID', 'filter.status.in[1]', /known are QUEUED/],
  ],
  [
    '{ conversations(filter: { stat: { eq: QUEUED } }) { totalCount } }',
    () => ({}),
    [400, 'DOCUMENT_INVALID', 'filter.stat', /Did you mean "status"/],
  ],
  [
    'subscription { inbox { __typename } }',
    () => ({}),
    [400, 'INVALID_VALUE', 'query', /WebSocket.*text\/event-stream/],
  ],
  [SEND, () => ({}), [400, 'MISSING_VALUE', 'c', /was not provided/]],
  [SEND, () => ofMessage({ text: 5 }), [400, 'INVALID_VALUE', 'm.text', /non string value: 5/]],
  [SEND, () => ofMessage({ txt: 'x' }), [400, 'UNKNOWN_FIELD', 'm.txt', /Did you mean "text"/]],
  [SEND, () => ofMessage({ text: '/accept' }), [200, 'INVALID_VALUE', 'text', /send it with type: COMMAND/]],
  [SEND, () => ({ c: 'abc', m: { text: 'x' } }), [200, 'MALFORMED_ID', undefined, /^Conversation not found$/]],
  [SEND, () => ofMessage({ text: 'x', service: 'abc' }), [200, 'INVALID_VALUE', 'service', /must be an ID, not "abc"/]],
  [
    SEND,
    () => ofMessage({ text: 'x', actions: [{ type: 'LINK', text: 'x' }] }),
    [200, 'MISSING_VALUE', 'actions[0].uri', /is required/],
  ],
]

it.each(GRAPHQL)('tells what is wrong with %s %#', async (query, variables, [status, reason, field, says]) => {
  const { status: given, errors } = await app.gql(admin, query, variables() as Record<string, unknown>)
  expect(errors![0]!.message).toMatch(says)
  expect([given, errors![0]!.extensions.reason, errors![0]!.extensions.field]).toEqual([status, reason, field])
})

const INIT = (): object => ({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })
const SOCKETS: [string, () => unknown[], string | RegExp][] = [
  ['another protocol', () => ['subprotocol'], /Subprotocol not acceptable/],
  [
    'a subscription before the greeting',
    () => [{ id: '1', type: 'subscribe', payload: { query: '{ me { id } }' } }],
    /4401/,
  ],
  [
    'a token without Bearer',
    () => [{ type: 'connection_init', payload: { authorization: token } }],
    /4403 invalid token.*Bearer/,
  ],
  ['a text that is not JSON', () => ['{x'], /4400 Invalid message/],
  ['messages of the older protocol', () => [INIT(), { id: '1', type: 'start', payload: {} }], /4400 Invalid message/],
]

it.each(SOCKETS)('closes a socket that sends %s, and says why', async (_name, messages, says) => {
  const [first, ...rest] = messages()
  const isOther = first === 'subprotocol'
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, isOther ? [] : 'graphql-transport-ws')
  const closed = new Promise<string>((resolve) => {
    socket.on('close', (code, reason) => resolve(`${code} ${String(reason)}`))
  })
  socket.on('open', () => {
    for (const each of isOther ? rest : [first, ...rest])
      socket.send(typeof each === 'string' ? each : JSON.stringify(each))
  })
  expect(await closed).toMatch(says)
})

it.each([
  ['subscription { conversation(id: "abc") { __typename } }', undefined],
  ['subscription { queue(channels: ["abc"]) { __typename } }', 'channels'],
  ['subscription { wallboard(channels: ["abc"]) { __typename } }', 'channels'],
])('tells that the id is malformed in %s', async (query, field) => {
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const refused = new Promise<Record<string, unknown>>((resolve, reject) => {
    socket.on('close', (code, reason) => reject(new Error(`${code} ${String(reason)}`)))
    socket.on('message', (data) => {
      const { type, payload } = JSON.parse(String(data)) as { type: string; payload: unknown }
      if (type === 'connection_ack') socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }))
      else if (type !== 'ping') resolve({ type, payload })
    })
  })
  socket.on('open', () => socket.send(JSON.stringify(INIT())))
  const told = await refused
  socket.terminate()
  const extensions = { code: 'NOT_FOUND', reason: 'MALFORMED_ID', ...(field !== undefined && { field }) }
  expect(told).toMatchObject({ type: 'error', payload: [{ extensions }] })
})

it.each(['/api', '/v2'])('points from %s to the interfaces', async (path) => {
  expect(await (await send('GET', path)).json()).toMatchObject({ graphql: '/graphql', rest: '/v2/docs' })
})
