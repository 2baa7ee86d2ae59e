import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import pino from 'pino'
import { systemClock } from '../../src/platform/db/clock.js'
import { RateLimited, Unavailable } from '../../src/platform/errors.js'
import { createHttpApp, type HttpApp } from '../../src/api/http/app.js'
import { UnreadAnswers } from '../../src/platform/limits/unread-answers.js'
import { Metrics } from '../../src/platform/metrics.js'
import { refuseUpgrade } from '../../src/api/realtime/upgrade.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

let http: HttpApp
let url: string
let server: TestServer
let release: () => void
const isHeld = new Promise<void>((entered) => {
  http = createHttpApp({
    config: {
      trustProxy: false,
      host: '127.0.0.1',
      metricsPort: undefined,
      metricsToken: undefined,
      allowedOrigins: [],
      publicUrl: 'http://x.example',
      expiredTokenStatus: 403,
      logsRequests: true,
      rateLimitPerSecond: 1_000,
    },
    log: pino({ level: 'silent' }),
    clock: systemClock,
    metrics: new Metrics(),
    unreadAnswers: new UnreadAnswers(),
    isStarted: () => true,
    isCommitting: () => false,
  })
  http.fastify.get('/held', async () => {
    entered()
    await new Promise<void>((resolve) => (release = resolve))
    return { done: true }
  })
})

beforeAll(async () => {
  http.fastify.get('/limited', async () => Promise.reject(new RateLimited('slower', 7)))
  http.fastify.get('/away', async () => Promise.reject(new Unavailable('later')))
  http.fastify.get('/stopped', async () => Promise.reject(Object.assign(new Error('x'), { code: '57P01' })))
  http.fastify.get('/bare/:status', async (request, reply) =>
    reply.code(Number((request.params as { status: string }).status)).send({}),
  )
  url = await http.fastify.listen({ port: 0, host: '127.0.0.1' })
  server = await startTestServer({ RATE_LIMIT_PER_SECOND: '3', GRAPHQL_COST_PER_MINUTE: '100' })
})
afterAll(async () => {
  await http.fastify.close()
  await server.close()
})

it.each([
  ['/limited', 429, '7'],
  ['/away', 503, '1'],
  ['/stopped', 503, '1'],
  ['/readyz', 503, '1'],
  ['/bare/503', 503, '1'],
  ['/bare/429', 429, '1'],
  ['/bare/500', 500, null],
  ['/bare/404', 404, null],
  ['/healthz', 200, null],
])('%s: %i has Retry-After: %s', async (path, status, seconds) => {
  const response = await fetch(`${url}${path}`)
  expect([response.status, response.headers.get('retry-after')]).toEqual([status, seconds])
})

it('is in refusals by the request rate of /v2, the cost of GraphQL and the sockets of an address', async () => {
  const admin = await server.makeUser({ organization: await server.makeOrganization(), role: 'admin' })
  const token = await server.tokenFor(admin)
  const rest = await Promise.all(Array.from({ length: 20 }, () => server.rest(token, 'GET', '/v2/users/me')))
  const refused = rest.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  for (const { headers } of refused) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  const ask = () =>
    fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: '{ users(first: 100) { edges { node { id } } } }' }),
    })
  const answers = await Promise.all(Array.from({ length: 10 }, ask))
  const costly = answers.filter(({ status }) => status === 429)
  expect(costly.length).toBeGreaterThan(0)
  for (const { headers } of costly) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
})

it.each([429, 503])('is in an upgrade that is refused with %i', async (status) => {
  const socket = new PassThrough()
  refuseUpgrade(socket, status, 'later')
  expect(await text(socket)).toContain('\r\nRetry-After: 1\r\n')
})

it('a request on an open connection is still answered while the server closes', async () => {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  const answers = text(socket)
  const ask = (path: string): void => void socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  ask('/held')
  await isHeld
  const closed = http.fastify.close()
  // It waits for the first one's answer.
  ask('/healthz')
  await until(() => !http.fastify.server.listening)
  release()
  await closed
  const [, first = '', second = ''] = (await answers).split('HTTP/1.1 ')
  expect(first).toMatch(/^200[^]*\{"done":true\}$/)
  expect(second).toMatch(/^200[^]*\{"status":"alive"\}$/)
})
