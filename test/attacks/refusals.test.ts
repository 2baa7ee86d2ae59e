import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { sampleOf } from '../support/metrics.js'
import { RawSockets } from '../support/raw-sockets.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

/** Refusals of a network that are answered at once, and the number that can be held back in the five seconds after them. */
const AT_ONCE = 250
const HELD = 250
const sockets = new RawSockets()

let server: TestServer
let organization: Awaited<ReturnType<TestServer['makeContactCenter']>>
let token: string

beforeAll(async () => {
  server = await startTestServer({ RATE_LIMIT_PER_SECOND: '20' })
  organization = await server.makeContactCenter()
  token = await server.tokenFor(await server.makeUser({ organization, role: 'agent' }))
})
afterAll(async () => {
  sockets.close()
  await server.close()
})

const figure = (name: string): Promise<number> => sampleOf(server.url, name)

/** Sends an operation on a connection of its own. @returns the status, once there is one; `ended` without an answer */
function send(from: string, credentials: string, query = '{ me { id } }'): () => string {
  const socket = sockets.open(server.url, from)
  const text = RawSockets.textOf(socket)
  const body = JSON.stringify({ query })
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${credentials}\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  )
  return () => /HTTP\/1\.1 (\d+)/.exec(text())?.[1] ?? (socket.closed ? 'ended' : '')
}

/** Sends one after the other until the server holds refusals back, however slow it is. */
async function sendUntilHeld(begin: (nth: number) => () => string): Promise<(() => string)[]> {
  const answers: (() => string)[] = []
  do {
    for (let nth = 0; nth < 25; nth += 1) answers.push(begin(answers.length))
    await until(() => answers.filter((answer) => answer() === '').length <= HELD / 2)
  } while ((await figure('refusals_held')) === 0)
  return answers
}

it('a network that is refused again and again waits for it, others and who is signed in do not', async () => {
  const answers = await sendUntilHeld(() => send('127.0.3.1', 'wrong'))
  expect(answers.length).toBeGreaterThan(AT_ONCE)

  const others = [send('127.0.3.2', 'wrong'), send('127.0.3.1', token), send('127.0.3.1', token, '{ nothing }')]
  await until(() => others.every((answer) => answer() !== ''))
  expect(others.map((answer) => answer())).toEqual(['401', '200', '400'])
  // What they sent is not kept meanwhile.
  expect(await figure('bodies_bytes')).toBe(0)
  expect(await figure('refusals_held')).toBeGreaterThan(0)

  await until(() => answers.every((answer) => answer() !== ''))
  expect(new Set(answers.map((answer) => answer()))).toEqual(new Set(['401']))
  await until(async () => (await figure('refusals_held')) === 0)
})

it('whoever would wait for longer than some seconds gets no answer', async () => {
  const answers = Array.from({ length: 3 * (AT_ONCE + HELD) }, () => send('127.0.3.3', 'wrong'))
  await until(() => answers.filter((answer) => answer() === 'ended').length > 0)
  expect(await figure('refusals_held')).toBeLessThanOrEqual(HELD + 1)
  await until(() => answers.every((answer) => answer() !== ''))
  const answered = answers.filter((answer) => answer() === '401')
  expect(answered.length).toBeGreaterThanOrEqual(AT_ONCE + HELD)
})

it('a network of many addresses is held back as one, twice as late, and another is not', async () => {
  const answers = await sendUntilHeld((nth) => send(`127.0.4.${1 + (nth % 250)}`, 'wrong'))
  expect(answers.length).toBeGreaterThan(2 * AT_ONCE)
  const other = send('127.0.5.1', 'wrong')
  await until(() => other() !== '')
  expect(other()).toBe('401')
  expect(await figure('refusals_held')).toBeGreaterThan(0)
  await until(() => answers.every((answer) => answer() !== ''))
  expect(new Set(answers.map((answer) => answer()))).toEqual(new Set(['401']))
})

it('large bodies of a caller that are refused wait for one another, each with its answer, and nothing else does', async () => {
  const wide = `{"query":"{ me { id } }","variables":{${Array.from({ length: 60_000 }, (_, at) => `"key${at}":${at}`).join()}}}`
  const [small, colleague] = [
    JSON.stringify({ query: '{ nothing }' }),
    await server.tokenFor(await server.makeUser({ organization, role: 'agent' })),
  ]
  const post = (credentials: string, body: string) =>
    fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credentials}`, 'content-type': 'application/json' },
      body,
    })
  const statuses: number[] = []
  let isHeld = false
  const workers = Array.from({ length: 25 }, async () => {
    while (!isHeld) statuses.push((await post(token, wide)).status)
  })
  await until(async () => (isHeld = (await figure('refusals_held')) > 0))
  expect((await post(token, small)).status).toBe(400)
  expect((await post(colleague, wide)).status).toBe(400)
  await Promise.all(workers)
  expect(new Set(statuses)).toEqual(new Set([400]))
})

/** Asks without a pause on 25 connections until the server holds refusals back. @returns which answers there were */
async function askUntilHeld(ask: () => Promise<Response>): Promise<Set<string>> {
  const found = new Set<string>()
  let isHeld = false
  const workers = Array.from({ length: 25 }, async () => {
    while (!isHeld) {
      const answer = await ask()
      const isRefused = /"(code|reason)":"RATE_LIMIT/.test(await answer.text())
      expect(answer.headers.has('retry-after')).toBe(isRefused)
      found.add(isRefused ? `refused with ${answer.status}` : 'done')
    }
  })
  await until(async () => (isHeld = (await figure('refusals_held')) > 0))
  await Promise.all(workers)
  return found
}

it('a guest that writes on beyond its rate waits for its refusals, of which GraphQL answers some with 200', async () => {
  const admin = await server.makeUser({ organization, role: 'admin' })
  const { body: service } = await server.rest(admin, 'POST', '/v2/services', { name: 'W', type: 'web', params: {} })
  const start = 'mutation ($s: ID!) { startGuestSession(service: $s) { tokens { token } conversationId } }'
  const { tokens, conversationId } = (await server.gql(null, start, { s: service.id })).data.startGuestSession
  const query = `mutation { sendMessage(conversation: "${conversationId}", message: { role: CONTACT, text: "hello" }) { id } }`
  const found = await askUntilHeld(() =>
    fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    }),
  )
  expect(found).toEqual(new Set(['done', 'refused with 200']))
})

it('a caller that goes on beyond its rate waits for its refusals, and a colleague does not', async () => {
  await until(async () => (await figure('refusals_held')) === 0)
  const ask = (credentials: string) =>
    fetch(`${server.url}/v2/users/me`, { headers: { authorization: `Bearer ${credentials}` } })
  const colleague = await server.tokenFor(await server.makeUser({ organization, role: 'agent' }))
  const found = await askUntilHeld(() => ask(token))
  // Section 8 also counts by address, so on `/graphql`, which does not.
  expect((await server.gql(colleague, '{ me { id } }')).errors).toBeUndefined()
  expect(found).toEqual(new Set(['done', 'refused with 429']))
})
