import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { routes } from '../../rest-compat/routes/index.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type RestAnswer, type TestServer } from '../support/test-server.js'

const RUNS = 105
const REQUESTS_A_RUN = 20

let test: TestServer
let callers: (MadeUser | string | null)[]
/** Ids of records that the callers see, and one of another tenant's. */
let ids: string[]
const FOREIGN = 6

beforeAll(async () => {
  test = await startTestServer()
  const organization = await test.makeOrganization()
  const admin = await test.makeUser({ organization, role: 'admin' })
  const agent = await test.makeUser({ organization })
  const foreign = await test.makeUser({ organization: await test.makeOrganization(), role: 'admin' })
  callers = [admin, admin, admin, await test.makeUser({ organization, role: 'bot' }), agent, null, 'nonsense']
  const make = async (path: string, body: object, as = admin): Promise<string> =>
    (await test.rest(as, 'POST', path, body)).body.id as string
  const conversation = {
    contact: { profile: { name: 'Bo', email: 'bo@example.com' } },
    touchpoint: 'email',
    messages: [{ text: 'Hi', role: 'contact' }],
  }
  ids = [
    await make('/v2/conversations', conversation),
    await make('/v2/channels', { name: 'C' }),
    await make('/v2/workflows', { name: 'W', rules: [] }),
    await make('/v2/contacts', { profile: { name: 'Cy' } }),
    await make('/v2/services', { name: 'S', type: 'email' }),
    await make('/v2/orggroups', { name: 'G' }),
    await make('/v2/channels', { name: 'F' }, foreign),
    agent.id,
    organization.id,
  ]
})
afterAll(() => test.close())

const KEYS = [
  'id',
  '_id',
  'name',
  'email',
  'password',
  'organization',
  'parent',
  'role',
  'status',
  'settings',
  'meta',
  'profile',
  'contact',
  'messages',
  'message',
  'conversation',
  'text',
  'type',
  'user',
  'users',
  'members',
  'channels',
  'delay',
  'actions',
  'items',
  'touchpoint',
  'contentType',
  'rules',
  'conditions',
  'event',
  'params',
  'priority',
  'all',
  'any',
  'fact',
  'path',
  'operator',
  'value',
  'refreshToken',
  'clientId',
  'categories',
  'profileFields',
  'tags',
  'country',
  'language',
  'category',
  'scopes',
  'invite',
  'nothing',
  '__proto__',
  'constructor',
  'prototype',
  '_secret',
  '',
  '\u0000',
  '\ud800',
  'a.b',
  '$ne',
  'toString',
]
const NASTY = [
  2 ** 31,
  -(2 ** 31) - 1,
  -1,
  1e308,
  1.5,
  0,
  '',
  ' ',
  '\u0000',
  '\ud800',
  'me',
  'NaN',
  '/set @language nl',
  '/accept',
  '/assign',
  '/import x',
  '/set',
  '>x',
  '/',
  '(a+)+$',
  '<script>',
  'javascript:alert(1)',
  'x'.repeat(5_000),
  '\u202e',
  '2026-13-45',
  'http://',
  'text/html',
  'admin',
  'notify',
  'match',
  'equal',
  '.text',
  'message',
  'contact',
  'command',
  'agent',
  null,
  true,
  [],
  {},
  [[]],
  [null],
]
const PARAMETERS = [
  'limit',
  'offset',
  'sort',
  'select',
  'populate',
  'id',
  'name',
  'email',
  'status',
  'organization',
  'createdAt',
  'participants.inbox',
  'participants.user',
  'members.user',
  'meta.a',
  'meta',
  'profile.telephone',
  'profile.address.city',
  'level',
  'categoryIndex',
  'and',
  'or.name',
  '__proto__',
  'constructor.prototype',
  'refreshToken',
  'text',
  'nothing',
  '',
  'a[b]',
  'meta.',
  'meta.__proto__',
  'likes',
]
const OPERANDS = [
  '1',
  '-1',
  'x',
  '',
  'true',
  '2026-01-01',
  '\u0000',
  '%',
  '_',
  '\\',
  '1e308',
  '99999999999999999999',
  'name,-id',
  'contact',
  'messages.user',
  '\ud800',
]

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    { weight: 5, arbitrary: fc.constantFrom<unknown>(...NASTY) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
    { weight: 1, arbitrary: fc.nat(20).map((index) => ids[index % ids.length]) },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    {
      weight: 6,
      arbitrary: fc.array(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 6 }).map(objectOf),
    },
  ),
})).value

/** With own keys such as `__proto__`, as JSON.parse makes them. */
function objectOf(entries: [string, unknown][]): object {
  const object = {}
  for (const [key, value] of entries) define(object, key, value)
  return object
}

function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

const deep = fc.integer({ min: 1, max: 20_000 }).map((depth) => '{"meta":'.repeat(depth) + '1' + '}'.repeat(depth))
const rawBody = fc.oneof(
  { weight: 12, arbitrary: json.map((value) => JSON.stringify(value) ?? '') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '{', '{"a":}', 'null', '[]', '"x"', '\u0000', '{"a":1e999}', '[1,2', 'undefined'),
  },
  { weight: 1, arbitrary: deep },
)
const operand = fc.oneof(
  fc.constantFrom(...OPERANDS),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.nat(20).map((index) => ids[index % ids.length]!),
)
const prefix = fc.constantFrom('', '', '!', '~', '^', '$', '>', '>=', '<', '<=', '[')
const condition = fc.tuple(prefix, operand).map(([start, value]) => (start === '[' ? `[${value},1]` : start + value))
const query = fc
  .array(fc.tuple(fc.constantFrom(...PARAMETERS), condition), { maxLength: 2 })
  .map((pairs) =>
    pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`).join('&'),
  )
const segment = fc.oneof(
  { weight: 6, arbitrary: fc.nat(20).map((index) => ids[index % ids.length]!) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'me',
      '0',
      '__proto__',
      'constructor',
      '%00',
      '%ff',
      '%zz',
      'x'.repeat(450),
      '%F0%9F%98%80',
      "'",
      '%2e%2e',
    ),
  },
)

interface Hostile {
  method: string
  path: string
  caller: number
  body: string | undefined
  headers: Record<string, string>
}

const NO_HEADERS: Record<string, string> = {}
const someHeaders = fc.constantFrom(
  NO_HEADERS,
  NO_HEADERS,
  { 'idempotency-key': 'k' },
  { 'idempotency-key': 'x'.repeat(300) },
)

/** Any row, or its path with another method, with anything in its places. What exists is left there for the others. */
const anything: fc.Arbitrary<Hostile> = fc
  .record({
    route: fc.constantFrom(...routes),
    other: fc.constantFrom(null, null, null, null, null, 'PUT', 'PATCH', 'DELETE', 'POST', 'GET'),
    segments: fc.array(segment, { minLength: 3, maxLength: 3 }),
    query,
    caller: fc.nat(6),
    body: rawBody,
    headers: someHeaders,
  })
  .map(({ route, other, segments, query: search, body, ...rest }): Hostile => {
    const method = other ?? route.method
    let used = 0
    const path = route.path.replace(/:[A-Za-z]+/g, () => {
      const given = segments[used++]!
      return method === 'DELETE' && ids.includes(given) ? ids[FOREIGN]! : given
    })
    const takesBody = method !== 'GET' && (method !== 'DELETE' || body.length < 20)
    return { ...rest, method, path: search === '' ? path : `${path}?${search}`, body: takesBody ? body : undefined }
  })

const ACTION = { type: 'link', text: 'Go', uri: 'https://example.com' }
const RULE = {
  conditions: { all: [{ fact: 'message', path: '.text', operator: 'match', value: 'a+' }, { any: [] }] },
  event: { type: 'notify', params: { name: 'R', channels: [], users: [], delay: 1, isLastRule: true } },
  priority: 1,
}
const MESSAGE = {
  text: 'Hi',
  type: 'chat',
  role: 'agent',
  contentType: 'text/plain',
  meta: { a: 1 },
  actions: [ACTION],
  items: [{ title: 'T', actions: [ACTION] }],
  delay: 0,
}
const PROFILE = { name: 'N', givenName: 'G', address: { city: 'C' } }

const COMMANDS = [
  '/accept',
  '/assign',
  '/notify',
  '/set',
  '/set @category x',
  '/action like',
  '/action comment c',
  '/leave',
  '/follow',
  '/block',
  '/enqueue',
]

/** Requests that would succeed; `$n` stands for an id. */
const VALID: [string, string, unknown][] = [
  ['POST', '/v2/auth/token', { email: 'a@example.com', password: 'p' }],
  ['POST', '/v2/auth/token', { refreshToken: 'x', clientId: 'a@example.com' }],
  [
    'POST',
    '/v2/users',
    {
      email: 'new@example.com',
      role: 'agent',
      settings: { locale: 'nl', timezone: 'Europe/Amsterdam', notifications: [] },
      meta: {},
      status: 'active',
    },
  ],
  ['PATCH', '/v2/users/$7', { givenName: 'G', settings: { locale: 'en' }, meta: { a: {} } }],
  [
    'POST',
    '/v2/organizations',
    {
      name: 'O',
      categories: [{ name: 'C', forms: [] }],
      profileFields: { email: { label: 'E', enabled: true } },
      tags: ['t'],
      country: 'NL',
    },
  ],
  [
    'PATCH',
    '/v2/organizations/$8',
    {
      commands: ['c'],
      stopwords: ['s'],
      meta: { a: 1 },
      logo: 'https://example.com/a.png',
    },
  ],
  ['POST', '/v2/orggroups', { name: 'G', members: ['$8'] }],
  ['PATCH', '/v2/channels/$1', { name: 'C', members: [{ user: '$7' }] }],
  ['POST', '/v2/channels/$1/members', { user: '$7' }],
  ['POST', '/v2/workflows', { name: 'W', organizations: ['$8'], organizationTags: ['t'], rules: [RULE] }],
  ['POST', '/v2/workflows/$2/rules', RULE],
  [
    'POST',
    '/v2/workflows/$2',
    {
      message: { text: 'aaa', meta: {} },
      contact: { address: { city: 'C' } },
      context: { currentTime: 1200, dayOfWeek: 'Mon' },
    },
  ],
  [
    'POST',
    '/v2/conversations',
    {
      type: 'contact',
      contact: { profile: { ...PROFILE, email: 'x@example.com' } },
      touchpoint: 'email',
      messages: [MESSAGE, { type: 'command', text: '/leave', delay: 5 }],
    },
  ],
  ['PATCH', '/v2/conversations/$0', { name: 'N', language: 'nl', meta: { a: 1 }, touchpoint: 'email' }],
  ['POST', '/v2/conversations/$0/messages', MESSAGE],
  ['POST', '/v2/conversations/$0/messages', [MESSAGE, { text: 'Two' }]],
  ...COMMANDS.map((text): [string, string, unknown] => [
    'POST',
    '/v2/conversations/$0/messages',
    {
      type: 'command',
      text,
      user: '$7',
      meta: { users: ['$7'], channels: ['$1'], organizations: ['$8'], message: '$0' },
    },
  ]),
  ['POST', '/v2/messages', { ...MESSAGE, conversation: '$0' }],
  ['POST', '/v2/contacts', { profile: { ...PROFILE, telephone: '+31612345678' }, meta: {} }],
  ['PATCH', '/v2/contacts/$3', { profile: PROFILE, status: 'active' }],
  ['POST', '/v2/services', { name: 'S', type: 'webhook', params: { url: 'https://example.com', events: [] } }],
  ['PATCH', '/v2/services/$4', { params: { host: 'h', port: 25 }, meta: { a: 1 } }],
]

/** A request that would succeed, with up to two of its values replaced, taken out or joined by another. */
const spoilt: fc.Arbitrary<Hostile> = fc
  .record({
    valid: fc.constantFrom(...VALID),
    edits: fc.array(
      fc.record({
        at: fc.nat(),
        how: fc.constantFrom('replace', 'replace', 'drop', 'add'),
        key: fc.constantFrom(...KEYS),
        value: json,
      }),
      { maxLength: 2 },
    ),
    caller: fc.nat(4),
    headers: someHeaders,
  })
  .map(({ valid: [method, path, template], edits, ...rest }): Hostile => {
    const fill = (text: string): string => text.replace(/\$(\d)/g, (_, index: string) => ids[Number(index)]!)
    const body: unknown = JSON.parse(fill(JSON.stringify(template)))
    for (const edit of edits) spoil(body, edit)
    return { ...rest, method, path: fill(path), body: JSON.stringify(body) }
  })

function spoil(body: unknown, { at, how, key, value }: { at: number; how: string; key: string; value: unknown }): void {
  const places: [object, string][] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [name, member] of Object.entries(node)) {
      places.push([node, name])
      visit(member)
    }
  }
  visit(body)
  const place = places[at % Math.max(1, places.length)]
  if (!place) return
  const [node, name] = place
  const own: unknown = JSON.parse(JSON.stringify(value) ?? 'null')
  if (how === 'drop') Reflect.deleteProperty(node, name)
  else define(node, how === 'add' && !Array.isArray(node) ? key : name, own)
}

const run = fc.array(fc.oneof(anything, spoilt), { minLength: REQUESTS_A_RUN, maxLength: REQUESTS_A_RUN })

function isErrorBody({ message, error, requestId }: RestAnswer['body']): boolean {
  return typeof message === 'string' && error.message === message && typeof requestId === 'string'
}

describe('hostile requests to /v2', () => {
  it('get an error that explains the problem, never a failure of the server', async () => {
    const statuses = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(run, async (requests) => {
        const answers = await Promise.all(
          requests.map(async (request) => {
            const { method, path, caller, body, headers } = request
            return { request, answer: await test.rest(callers[caller]!, method, path, body, headers) }
          }),
        )
        for (const {
          request,
          answer: { status, body },
        } of answers) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          const isTold = status < 400 || isErrorBody(body)
          if (status >= 500 || !isTold) {
            throw new Error(`${status} ${JSON.stringify(body)} for ${JSON.stringify(request)}`)
          }
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
    const sent = [...statuses.values()].reduce((sum, count) => sum + count, 0)
    expect(sent).toBeGreaterThanOrEqual(2_000)
    // Else the requests would not reach what they are to try.
    for (const status of [200, 201, 400, 401, 403, 404, 405, 422]) expect([...statuses.keys()]).toContain(status)
    expect((await test.rest(null, 'GET', '/readyz')).status).toBe(200)
    const failed = [...statuses].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0)
    process.stdout.write(`/v2: ${sent} hostile requests, ${failed} answered with 500 or more\n`)
  })
})
