import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { RawSockets } from '../support/raw-sockets.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

/** Fifty times as many a second and network, over five seconds. */
const RATE = 1
const LIMIT = RATE * 50 * 5
const sockets = new RawSockets()

let server: TestServer
let token: string

beforeAll(async () => {
  server = await startTestServer({ RATE_LIMIT_PER_SECOND: String(RATE), ALLOWED_ORIGINS: 'https://shop.example' })
  const organization = await server.makeContactCenter()
  token = await server.tokenFor(await server.makeUser({ organization, role: 'agent' }))
})
afterAll(async () => {
  sockets.close()
  await server.close()
})

/** Sends the same request so often. @returns what has been answered */
function send(from: string, request: string, times: number, url = server.url): () => string[] {
  const socket = sockets.open(url, from)
  const text = RawSockets.textOf(socket)
  socket.write(request.repeat(times))
  return () => text().match(/(?<=HTTP\/1\.1 )\d+/g) ?? []
}

async function answersTo(from: string, request: string, times: number): Promise<string[]> {
  const statuses = send(from, request, times)
  await until(() => statuses().length === times)
  return [...new Set(statuses())]
}

/**
 * Sends requests each on a connection of its own, which is closed by the answer, until one is refused for the rate: a machine that
 * is slow reads fewer in time.
 */
async function answersUntilRefused(from: string, request: string): Promise<ReadonlySet<string>> {
  const statuses = new Set<string>()
  await until(async () => {
    const answers = await Promise.all(Array.from({ length: 2 * LIMIT }, () => answersTo(from, request, 1)))
    for (const status of answers.flat()) statuses.add(status)
    return statuses.has('429')
  })
  return statuses
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`
const BODY = '{"query":"{ me { id } }"}'
const post = (authorization: string): string =>
  `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: ${authorization}\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`

it.each([
  ['/healthz', '127.0.1.1'],
  ['/', '127.0.1.2'],
  ['/web/none.js', '127.0.1.3'],
  ['/graphql/client/none.js', '127.0.1.4'],
  ['/nothing', '127.0.1.5'],
])('a network that goes on asking for %s is refused for a while, and others are not', async (path, from) => {
  const statuses = send(from, get(path), 20 * LIMIT)
  await until(() => statuses().includes('429'))
  expect(await answersTo('127.0.1.100', get('/'), 1)).toEqual(['200'])
})

it.each([
  ['paths that cannot be decoded', '127.0.1.10', get('/%ff'), '400'],
  [
    'sockets that are refused',
    '127.0.1.11',
    get('/graphql').replace(/\r\n$/, 'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 12\r\n\r\n'),
    '400',
  ],
])('%s count as well', async (_what, from, request, status) => {
  expect(await answersUntilRefused(from, request)).toEqual(new Set([status, '429']))
})

const preflight = (path: string, origin: string): string =>
  `OPTIONS ${path} HTTP/1.1\r\nhost: x\r\norigin: ${origin}\r\naccess-control-request-method: POST\r\n\r\n`

it.each([
  ['/graphql', '127.0.1.12'],
  ['/v2/attachments', '127.0.1.13'],
  ['/healthz', '127.0.1.14'],
])('preflights for %s count as well, and not as probes', async (path, from) => {
  const request = preflight(path, 'https://shop.example')
  const statuses = send(from, request, 20 * LIMIT)
  await until(() => statuses().includes('429'))
  expect(new Set(statuses())).toEqual(new Set(['204', '429']))
  expect(await answersTo(from, get('/readyz'), 1)).toEqual(['200'])
  expect(await answersTo('127.0.1.101', request, 1)).toEqual(['204'])
})

it.each([
  ['preflights of pages that may not call', '127.0.1.15', preflight('/graphql', 'https://evil.example'), '403'],
  [
    'headers that are not supported',
    '127.0.1.16',
    post('Bearer wrong').replace('content-type', 'content-encoding: gzip\r\ncontent-type'),
    '415',
  ],
  [
    'bodies too long for a wrong token',
    '127.0.1.17',
    post('Bearer wrong').replace(/length: \d+/, 'length: 70000'),
    '401',
  ],
])('operations refused for %s count', async (_what, from, request, status) => {
  expect(await answersUntilRefused(from, request)).toEqual(new Set([status, '429']))
})

it('requests at the port for metrics count, and nothing else is answered there', async () => {
  const beside = await startTestServer({ RATE_LIMIT_PER_SECOND: String(RATE), METRICS_PORT: '0' }, { beside: server })
  const own = `http://127.0.0.1:${beside.server.metricsPort}`
  const statuses = send('127.0.1.18', get('/nothing'), 20 * LIMIT, own)
  await until(() => statuses().includes('429'))
  expect(new Set(statuses())).toEqual(new Set(['404', '429']))
  const others = send('127.0.1.102', get('/metrics'), 1, own)
  await until(() => others().length > 0)
  expect(others()).toEqual(['200'])
  await beside.close()
})

it('what was sent behind a refused request is dropped with its connection', async () => {
  const statuses = send('127.0.1.9', get('/'), 20 * LIMIT)
  await until(() => statuses().includes('429'))
  expect(await answersTo('127.0.1.9', get('/readyz'), 1)).toEqual(['200'])
  expect(statuses().filter((status) => status === '429')).toHaveLength(1)
})

it('probes of a network do not wait for its other requests', async () => {
  const statuses = send('127.0.1.6', get('/'), 20 * LIMIT)
  await until(() => statuses().includes('429'))
  expect(await answersTo('127.0.1.6', get('/readyz'), 1)).toEqual(['200'])
})

it('operations of who is signed in count by their cost, those with a wrong token by their network', async () => {
  expect(await answersTo('127.0.1.7', post(`Bearer ${token}`), 2 * LIMIT)).toEqual(['200'])
  const statuses = send('127.0.1.8', post('Bearer wrong'), 20 * LIMIT)
  await until(() => statuses().includes('429'))
})
