import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { GENERAL_REASON } from '../../src/platform/error-reasons.js'
import type { ErrorCode } from '../../src/platform/errors.js'
import { buildSchema, GraphQLError, type GraphQLSchema } from 'graphql'
import { auditServer } from 'graphql-http'
import { request as httpRequest } from 'node:http'
import pino from 'pino'
import type { Authenticator } from '../../src/platform/access/authenticator.js'
import type { Caller } from '../../src/platform/access/caller.js'
import { systemClock } from '../../src/platform/db/clock.js'
import type { Database } from '../../src/platform/db/database.js'
import {
  BadUserInput,
  NotFound,
  RateLimited,
  TokenExpired,
  Unauthenticated,
  Unavailable,
} from '../../src/platform/errors.js'
import { createGraphqlHttp, type GraphqlHttp } from '../../src/api/graphql/apollo.js'
import { loadBrowserClient } from '../../src/api/graphql/browser-client.js'
import { openOperations } from '../support/operations.js'
import { until } from '../support/until.js'
import { createHttpApp, type HttpApp } from '../../src/api/http/app.js'
import { UnreadAnswers } from '../../src/platform/limits/unread-answers.js'
import { addGraphqlRoute } from '../../src/api/http/graphql-route.js'
import { BrowserCookie } from '../../src/api/http/browser-cookie.js'
import { RequestContexts } from '../../src/api/http/request-context.js'
import { Metrics } from '../../src/platform/metrics.js'

const lines: string[] = []
const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })

/** Once a request for `/slow` is under way. */
const begun = Promise.withResolvers<void>()
const released = Promise.withResolvers<void>()

const authenticator: Authenticator = {
  async authenticate(authorization) {
    if (!authorization) return null
    if (authorization === 'Bearer expired') throw new TokenExpired()
    if (authorization === 'Bearer broken') throw Object.assign(new Error('terminating connection'), { code: '57P01' })
    if (!authorization.startsWith('Bearer user-')) throw new Unauthenticated('invalid token')
    return { key: authorization.slice(7), path: ['one'] as const } as unknown as Caller
  },
  noteUse: () => undefined,
  findEnded: async () => new Set(),
}

const sqlError = (code: string): Error =>
  new Error('the ORM says', { cause: Object.assign(new Error('secret detail'), { code }) })
const ERRORS: Record<string, () => Error> = {
  input: () => new BadUserInput('name', 'name must be short'),
  missing: () => new NotFound('Conversation not found'),
  limited: () => new RateLimited('slower', 7),
  expired: () => new TokenExpired(),
  away: () => new Unavailable('later'),
  encoding: () => sqlError('22021'),
  range: () => sqlError('22003'),
  duplicate: () => sqlError('23505'),
  stopped: () => sqlError('57P01'),
  full: () => sqlError('53100'),
  refused: () => Object.assign(new Error('connect ECONNREFUSED 10.0.0.1'), { code: 'ECONNREFUSED' }),
  bug: () => new TypeError("Cannot read properties of undefined (reading 'secret')"),
  graphql: () =>
    new GraphQLError('said in GraphQL', { extensions: { code: 'BAD_USER_INPUT', stacktrace: ['secret'] } }),
}

function schema(): GraphQLSchema {
  const built = buildSchema(`
    type Query { hello(name: String): String! fail(how: String!): String nodes(first: Int): [Node!]! null: Int! at(at: At): String }
    type Node { name: String nodes(first: Int): [Node!]! }
    type Mutation { touch(input: Touch): Boolean! }
    type Subscription { never: Boolean }
    input Touch { name: String! count: Int }
    scalar At`)
  const query = built.getQueryType()!.getFields()
  query.hello!.resolve = (_root, { name }: { name?: string }) => `hello ${name ?? 'world'}`
  query.fail!.resolve = async (_root, { how }: { how: string }) => Promise.reject(ERRORS[how]!())
  query.nodes!.resolve = () => []
  built.getMutationType()!.getFields().touch!.resolve = () => true
  Object.assign(built.getType('At')!, {
    parseValue: () => {
      throw new GraphQLError('"soon" is not a time', { extensions: { code: 'BAD_USER_INPUT' } })
    },
  })
  return built
}

let http: HttpApp
let graphqlHttp: GraphqlHttp
let url: string
let isStarted = true
let isCommitting = true

beforeAll(async () => {
  const database = { query: async () => [{}] } as unknown as Database
  const config = {
    trustProxy: 1,
    host: '127.0.0.1',
    metricsPort: undefined,
    allowedOrigins: ['https://app.example'],
    publicUrl: 'https://x.example',
    metricsToken: 'of-metrics',
    expiredTokenStatus: 401 as const,
    logsRequests: true,
    rateLimitPerSecond: 1_000,
  }
  http = createHttpApp({
    config,
    log,
    clock: systemClock,
    metrics: new Metrics(),
    unreadAnswers: new UnreadAnswers(),
    isStarted: () => isStarted,
    isCommitting: () => isCommitting,
  })
  const built = schema()
  const operations = openOperations(built, 150_000, 401)
  graphqlHttp = await createGraphqlHttp(operations, log)
  const contexts = new RequestContexts({
    authenticator,
    database,
    clock: systemClock,
    log,
    publicUrl: config.publicUrl,
  })
  await addGraphqlRoute(http.fastify, {
    operations,
    graphqlHttp,
    contexts,
    browserCookie: new BrowserCookie(config.publicUrl),
    log,
    realtime: { stream: () => Promise.reject(new Error('no streams here')) },
    browserClient: await loadBrowserClient(),
  })
  http.fastify.post('/fail/:how', async (request) => {
    throw ERRORS[(request.params as { how: string }).how]!()
  })
  http.fastify.post('/echo', async (request) => ({ body: request.body ?? null }))
  http.fastify.get('/slow', async () => {
    begun.resolve()
    await released.promise
    return { done: true }
  })
  url = await http.fastify.listen({ port: 0, host: '127.0.0.1' })
})

afterAll(async () => {
  await http.fastify.close()
  await graphqlHttp.stop()
})

let callers = 0
/** By a caller of its own, whose budget nobody else spends. */
const post = async (body: unknown, given: Record<string, string> = {}) => {
  const headers: Record<string, string> = { authorization: `Bearer user-${(callers += 1)}`, ...given }
  if (headers.authorization === '') delete headers.authorization
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}
const run = (query: string, variables?: Record<string, unknown>, headers?: Record<string, string>) =>
  post({ query, variables }, headers)

describe('GraphQL over HTTP', () => {
  it('passes the audit of graphql-http, but for GET requests without a header that a form cannot send', async () => {
    const results = await auditServer({ url: `${url}/graphql` })
    expect(results.length).toBeGreaterThan(55)
    const failed = results.filter(({ status }) => status !== 'ok').map(({ name }) => name)
    expect(failed).toEqual([
      'MAY accept application/x-www-form-urlencoded formatted GET requests',
      'MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/graphql-response+json',
      'MAY allow URL-encoded JSON string {variables} parameter in GETs when accepting application/json',
    ])
  })

  it('answers queries, by GET as well, but no mutation by GET', async () => {
    expect((await run('{ hello }')).body).toEqual({ data: { hello: 'hello world' } })
    const get = (query: string, headers: Record<string, string>) =>
      fetch(`${url}/graphql?${new URLSearchParams({ query, variables: '{"n":"GET"}' })}`, { headers })
    const preflighted = { 'apollo-require-preflight': '1' }
    expect(await (await get('query ($n: String) { hello(name: $n) }', preflighted)).json()).toEqual({
      data: { hello: 'hello GET' },
    })
    expect((await get('mutation { touch }', preflighted)).status).toBe(405)
    // A page of another site can send this: it is refused.
    expect((await get('{ hello }', {})).status).toBe(400)
    expect(
      (
        await fetch(`${url}/graphql`, {
          method: 'POST',
          body: '{"query":"{ hello }"}',
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(415)
  })

  it('refuses invalid operation requests with 400 and a code', async () => {
    const refused: [unknown, string][] = [
      ['{', 'BAD_USER_INPUT'],
      ['', 'BAD_REQUEST'],
      [[], 'BAD_REQUEST'],
      [[{ query: '{ hello }' }], 'BAD_REQUEST'],
      [{ query: 5 }, 'BAD_REQUEST'],
      [{ query: '{ hello }', variables: 'x' }, 'BAD_REQUEST'],
      [{ query: '{ hello' }, 'GRAPHQL_PARSE_FAILED'],
      [{ query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
      [{ query: 'query A { hello } query B { hello }' }, 'OPERATION_RESOLUTION_FAILURE'],
      [{ query: `{ ${Array.from({ length: 40 }, () => 'hello').join(' ')} }` }, 'DOCUMENT_TOO_LARGE'],
      [{ query: 'subscription { never }' }, 'BAD_USER_INPUT'],
    ]
    for (const [body, code] of refused) {
      const answer = await post(body)
      expect([code, answer.status, answer.body.errors[0].extensions.code]).toEqual([code, 400, code])
      expect(JSON.stringify(answer.body)).not.toContain('stack')
    }
    expect((await post(`{"query":"{ hello }","x":"${'x'.repeat(1_100_000)}"}`)).status).toBe(413)
  })

  it('names the variable that does not fit', async () => {
    const touch = 'mutation ($input: Touch) { touch(input: $input) }'
    for (let round = 0; round < 2; round += 1) {
      for (const [variables, field, reason] of [
        [{ input: { name: 5 } }, 'input.name', 'INVALID_VALUE'],
        [{ input: { name: 'x', count: 1.5 } }, 'input.count', 'INVALID_VALUE'],
        [{ input: { name: 'x', other: 1 } }, 'input.other', 'UNKNOWN_FIELD'],
        [{ input: {} }, 'input.name', 'MISSING_VALUE'],
      ] as const) {
        const { status, body } = await run(touch, variables)
        expect([status, body.errors[0].extensions]).toEqual([
          400,
          { code: 'BAD_USER_INPUT', reason, field, docs: `/docs/errors#${reason}` },
        ])
      }
      const { body } = await run('query ($at: At) { at(at: $at) }', { at: 'soon' })
      expect(body.errors[0]).toMatchObject({
        message: expect.stringContaining('is not a time'),
        extensions: { code: 'BAD_USER_INPUT', field: 'at' },
      })
    }
  })

  it('treats prototype keys as ordinary keys', async () => {
    const body =
      '{"query":"mutation ($input: Touch) { touch(input: $input) }","variables":{"input":{"name":"x","__proto__":{"count":1}}},"__proto__":{"query":"{"}}'
    expect((await post(body)).body.errors[0].message).toContain('__proto__')
    expect(({} as { count?: number }).count).toBeUndefined()
  })

  it('returns a code for each error, and no details of unexpected ones', async () => {
    const expected: Record<string, [string, Record<string, unknown>]> = {
      input: ['name must be short', { code: 'BAD_USER_INPUT', field: 'name' }],
      missing: ['Conversation not found', { code: 'NOT_FOUND' }],
      limited: ['slower', { code: 'RATE_LIMITED', retryAfterSeconds: 7 }],
      expired: ['jwt expired', { code: 'UNAUTHENTICATED' }],
      away: ['later', { code: 'UNAVAILABLE', retryAfterSeconds: 1 }],
      encoding: ['a value cannot be stored', { code: 'BAD_USER_INPUT' }],
      range: ['a value cannot be stored', { code: 'BAD_USER_INPUT' }],
      duplicate: ['such a record already exists', { code: 'UNPROCESSABLE' }],
      stopped: ['the service is temporarily unavailable; retry', { code: 'UNAVAILABLE', retryAfterSeconds: 1 }],
      refused: ['the service is temporarily unavailable; retry', { code: 'UNAVAILABLE', retryAfterSeconds: 1 }],
      full: [
        'the service has no room for this at the moment, and wrote nothing; retry later',
        { code: 'UNAVAILABLE', retryAfterSeconds: 1 },
      ],
      bug: ['internal server error', { code: 'INTERNAL_SERVER_ERROR', requestId: 'of-this-test' }],
      graphql: ['said in GraphQL', { code: 'BAD_USER_INPUT' }],
    }
    for (const [how, [message, extensions]] of Object.entries(expected)) {
      const { status, body } = await run(
        'query ($how: String!) { fail(how: $how) }',
        { how },
        { 'x-request-id': 'of-this-test' },
      )
      const reason = how === 'expired' ? 'TOKEN_EXPIRED' : GENERAL_REASON[extensions.code as ErrorCode]
      const why = { reason, docs: `/docs/errors#${reason}` }
      expect([how, status, body]).toEqual([
        how,
        200,
        {
          errors: [{ message, locations: expect.anything(), path: ['fail'], extensions: { ...extensions, ...why } }],
          data: { fail: null },
        },
      ])
    }
    const { body } = await run('{ null }')
    expect(body).toMatchObject({ data: null, errors: [{ message: 'internal server error', path: ['null'] }] })
    expect(lines.some((line) => line.includes("reading 'secret'") && line.includes('of-this-test'))).toBe(true)
  })

  it('answers bad credentials with 401 or 403 and a body of GraphQL', async () => {
    expect(await run('{ hello }', {}, { authorization: 'Bearer nonsense' })).toMatchObject({
      status: 401,
      body: { errors: [{ message: 'invalid token', extensions: { code: 'UNAUTHENTICATED' } }] },
    })
    expect(await run('{ hello }', {}, { authorization: 'Bearer expired' })).toMatchObject({
      status: 401,
      body: { errors: [{ message: 'jwt expired', extensions: { code: 'UNAUTHENTICATED' } }] },
    })
    expect(await run('{ hello }', {}, { authorization: 'Bearer broken' })).toMatchObject({ status: 503 })
  })

  it('limits the cost of an operation and of a caller', async () => {
    const deep = '{ nodes(first: 100) { nodes(first: 100) { nodes(first: 100) { name } } } }'
    expect(await run(deep)).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'BAD_USER_INPUT', field: 'query' } }] },
    })
    const page = '{ nodes(first: 100) { nodes(first: 100) { nodes(first: 3) { name } } } }'
    const answers = []
    for (let count = 0; count < 4; count += 1)
      answers.push(await run(page, {}, { authorization: 'Bearer user-greedy' }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    const { headers, body } = answers[3]!
    expect(body.errors[0].extensions).toEqual({
      code: 'RATE_LIMITED',
      reason: 'RATE_LIMIT',
      retryAfterSeconds: expect.any(Number),
      docs: '/docs/errors#RATE_LIMIT',
    })
    expect(Number(headers.get('retry-after'))).toBe(body.errors[0].extensions.retryAfterSeconds)
    expect((await run(page, {}, { authorization: 'Bearer user-modest' })).status).toBe(200)
  })
})

describe('a client of documents that are refused', () => {
  it('is charged for their validation', async () => {
    const headers = { authorization: '', 'x-forwarded-for': '192.0.2.1' }
    const wrong = `{ nodes { ${Array.from({ length: 600 }, (_each, index) => `nothing${index}`).join(' ')} } }`
    const statuses = []
    for (let count = 0; count < 4; count += 1) statuses.push((await run(wrong, {}, headers)).status)
    expect(statuses).toEqual([400, 400, 429, 429])
    expect((await run(wrong, {}, { authorization: '', 'x-forwarded-for': '192.0.2.2' })).status).toBe(400)
  })
})

describe('a browser at /graphql', () => {
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers })

  it('gets a client that this server hosts itself', async () => {
    const page = await get('/graphql', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const html = await page.text()
    expect(html).toContain(`subscriptionsEndpoint: \`ws://${new URL(url).host}/graphql\``)
    const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source!)
    expect(sources.length).toBeGreaterThan(5)
    for (const source of sources) {
      const file = await get(new URL(source, `${url}/graphql/client/`).pathname)
      expect([source, source === '/graphql/client/' ? 200 : file.status]).toEqual([source, 200])
      await file.arrayBuffer()
    }
    expect(page.headers.get('content-security-policy')).toContain(`script-src 'self' 'nonce-`)
  })

  it('gets compressed, cacheable files', async () => {
    const file = await get('/graphql/client/main.js')
    expect(file.headers.get('content-encoding')).toBe('gzip')
    expect((await file.text()).length).toBeGreaterThan(1_000_000)
    const again = await get('/graphql/client/main.js', { 'if-none-match': file.headers.get('etag')! })
    expect(again.status).toBe(304)
    const plain = await get('/graphql/client/styles.css', { 'accept-encoding': 'identity' })
    expect([plain.headers.get('content-encoding'), (await plain.text()).includes('{')]).toEqual([null, true])
  })

  it('serves no other file, and no page for operation requests', async () => {
    for (const path of ['index.ts', '..%2f..%2fpackage.json', '%2e%2e/%2e%2e/package.json', 'nothing.js', '']) {
      expect((await get(`/graphql/client/${path}`)).status).toBe(404)
    }
    const answer = await get('/graphql?query={hello}', {
      accept: 'text/html, application/json',
      'apollo-require-preflight': '1',
    })
    expect(await answer.json()).toEqual({ data: { hello: 'hello world' } })
    const hostile = await fetch(`${url}/graphql`, {
      headers: { accept: 'text/html', 'x-forwarded-host': '`-pwned(1)-`' },
    })
    expect(await hostile.text()).not.toContain('pwned')
  })
})

describe('another route', () => {
  const call = async (method: string, path: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}${path}`, { method, ...init })
    const text = await response.text()
    // oxlint-disable-next-line typescript/no-explicit-any
    return { status: response.status, headers: response.headers, body: (text && JSON.parse(text)) as any }
  }

  it('fails with the body of the open points and the status of the code', async () => {
    const expected: Record<string, [number, string]> = {
      input: [400, 'BAD_USER_INPUT'],
      missing: [404, 'NOT_FOUND'],
      limited: [429, 'RATE_LIMITED'],
      expired: [401, 'TOKEN_EXPIRED'],
      away: [503, 'UNAVAILABLE'],
      encoding: [400, 'BAD_USER_INPUT'],
      duplicate: [422, 'UNPROCESSABLE'],
      full: [503, 'UNAVAILABLE'],
      bug: [500, 'INTERNAL_SERVER_ERROR'],
    }
    for (const [how, [status, code]] of Object.entries(expected)) {
      const answer = await call('POST', `/fail/${how}`)
      expect([how, answer.status, answer.body.code, answer.body.error.code]).toEqual([how, status, code, code])
      expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'))
      expect(answer.body.message).toBe(answer.body.error.message)
    }
    expect((await call('POST', '/fail/limited')).headers.get('retry-after')).toBe('7')
    expect(await call('GET', '/nowhere?token=secret')).toMatchObject({
      status: 404,
      body: { message: 'GET /nowhere does not exist: what there is says /api', code: 'NOT_FOUND' },
    })
  })

  it('accepts JSON, treats an empty body as absent, and accepts nothing else', async () => {
    const json = { 'content-type': 'application/json' }
    expect((await call('POST', '/echo', { body: '{"a":1}', headers: json })).body).toEqual({ body: { a: 1 } })
    expect((await call('POST', '/echo', { headers: json })).body).toEqual({ body: null })
    expect(await call('POST', '/echo', { body: '{"a":', headers: json })).toMatchObject({
      status: 400,
      body: { code: 'BAD_USER_INPUT', field: 'body' },
    })
    expect(
      (await call('POST', '/echo', { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }))
        .status,
    ).toBe(415)
    expect((await call('POST', '/echo', { body: `"${'x'.repeat(1_100_000)}"`, headers: json })).status).toBe(413)
  })

  it('has a request id, the client’s own if it is valid, and secure headers', async () => {
    const answer = await call('GET', '/healthz', { headers: { 'x-request-id': 'abc-1' } })
    expect(answer.headers.get('x-request-id')).toBe('abc-1')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('strict-transport-security')).toContain('max-age')
    for (const insane of ['x'.repeat(101), 'a b', '{"level":60}']) {
      const { headers } = await call('GET', '/healthz', { headers: { 'x-request-id': insane } })
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('is open to pages of allowed origins only', async () => {
    const preflight = (origin: string) =>
      call('OPTIONS', '/graphql', {
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      })
    const allowed = await preflight('https://app.example')
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.example'])
    expect(allowed.headers.get('access-control-allow-headers')).toContain('authorization')
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
    const answer = await run('{ hello }', {}, { origin: 'https://app.example' })
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example')
  })

  it('is logged in one line without a secret', async () => {
    lines.length = 0
    await call('POST', '/echo?refreshToken=secret-1', {
      body: '{"password":"secret-2"}',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret-3', cookie: 'secret-4' },
    })
    await call('GET', '/v2/auth/token/secret-5?refreshToken=secret-5')
    // A line is written once its answer is.
    await until(() => lines.length >= 2)
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0]!)).toMatchObject({
      method: 'POST',
      route: '/echo',
      status: 200,
      requestId: expect.any(String),
      ms: expect.any(Number),
    })
    expect(lines.join()).not.toContain('secret')
  })
})

describe('an operator', () => {
  const status = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status

  it('sees whether the server is alive and ready', async () => {
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200])
    isStarted = false
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503])
    isStarted = true
    isCommitting = false
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503])
    isCommitting = true
    expect(await status('/readyz')).toBe(200)
  })

  it('reads metrics by route and status', async () => {
    const text = await (await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer of-metrics' } })).text()
    expect(text).toMatch(/switchboard_http_request_seconds_count\{method="POST",route="\/graphql",status="200"\} \d+/)
    expect(text).toContain('nodejs_eventloop_lag_seconds')
    expect(text).not.toContain('nowhere')
  })

  it('drains: requests under way end, connections close, and it is not ready', async () => {
    const slow = fetch(`${url}/slow`)
    await begun.promise
    http.beginDrain()
    const ready = await new Promise<{ status?: number; connection?: string }>((resolve) => {
      httpRequest(`${url}/readyz`, (response) => {
        response.resume()
        resolve({ status: response.statusCode, connection: response.headers.connection })
      }).end()
    })
    expect(ready).toEqual({ status: 503, connection: 'close' })
    released.resolve()
    expect(await (await slow).json()).toEqual({ done: true })
  })
})
