import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { MadeUser } from '../support/factories.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

/** They answer no delivery. Each is a host of its own, of which the places are counted. */
let receivers: Server[]
/** More than a node delivers at once. */
const [WEBHOOKS, CONVERSATIONS] = [40, 8]
const held = new Set<ServerResponse>()
let most = 0
/** True while they take the handshake. */
let isTaking = true
/** Says what each does with a delivery; null: nothing. */
let mannerOf: ((receiver: number) => Manner) | null = null
let app: TestServer
let hooks: Hooks

beforeAll(async () => {
  const listening = Array.from({ length: WEBHOOKS }, async (_, number) => {
    const receiver = createServer((request, response) => receive(number, request, response))
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    return receiver
  })
  receivers = await Promise.all(listening)
  house = createServer((_, response) => {
    led += 1
    response.end()
  })
  await new Promise<void>((resolve) => house.listen(0, '127.0.0.1', resolve))
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  hooks = createHooks(app)
})
afterAll(async () => {
  await hooks?.close()
  await app?.close()
  for (const receiver of [house, ...(receivers ?? [])]) {
    receiver?.closeAllConnections()
    receiver?.close()
  }
})

function receive(number: number, request: IncomingMessage, response: ServerResponse): void {
  const challenge = new URL(request.url!, 'http://receiver').searchParams.get('challenge')
  if (challenge !== null && isTaking) return void response.end(challenge)
  held.add(response)
  most = Math.max(most, held.size)
  response.once('close', () => held.delete(response))
  mannerOf?.(number)(request, response)
}

type Manner = (request: IncomingMessage, response: ServerResponse) => void

const PIECE = 'x'.repeat(65_536)
/** Writes on and on, as fast as it is read. */
function pour(socket: Socket, piece: string): void {
  const again = (): void => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', again).on('error', () => undefined)
  again()
}
/** Writes a little now and then, so that it is never silent. */
function drip(socket: Socket, drop: string): void {
  const timer = setInterval(() => socket.write(drop), 50)
  socket.on('close', () => clearInterval(timer)).on('error', () => undefined)
}
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

/** A service inside, to which nobody is to be led. */
let house: Server
let led = 0

const MANNERS: Readonly<Record<string, Manner>> = {
  'says nothing': () => undefined,
  'drips its head': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    drip(socket, 'x: y\r\n')
  },
  'drips its body': ({ socket }) => {
    socket.write(CHUNKED)
    drip(socket, chunk('x'))
  },
  'never ends': ({ socket }) => {
    socket.write(CHUNKED)
    pour(socket, chunk(PIECE))
  },
  'never ends its head': ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    pour(socket, `x: ${PIECE}\r\n`)
  },
  'never ends a refusal': ({ socket }) => {
    socket.write(CHUNKED.replace('200 OK', '500 X'))
    pour(socket, chunk(PIECE))
  },
  'redirects for ever': ({ url }, response) => void response.writeHead(307, { location: url! }).end(),
  'redirects into the house': (_, response) =>
    void response.writeHead(302, { location: `http://127.0.0.1:${portOf(house)}/secret` }).end(),
  'cuts at once': ({ socket }) => void socket.destroy(),
  'cuts half way': ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf'),
}
const NAMES = Object.keys(MANNERS)
const nameOf = (receiver: number): string => NAMES[receiver % NAMES.length]!

const portOf = (server: Server): number => (server.address() as AddressInfo).port

async function makeWebhooks(admin: MadeUser, events: readonly string[]): Promise<string[]> {
  const making = receivers.map(async (receiver) => {
    const url = `http://127.0.0.1:${portOf(receiver)}/hook`
    const made = await app.rest(admin, 'POST', '/v2/services', { type: 'webhook', params: { url, events } })
    expect([made.status, made.body.message]).toEqual([201, undefined])
    return made.body.id as string
  })
  return Promise.all(making)
}

it('40 webhooks whose receiver does not answer the handshake take half of the places, and others have theirs', async () => {
  const [{ admin }, other] = [await hooks.center(), await hooks.center()]
  isTaking = false
  const ids = await makeWebhooks(admin, ['message.create.*'])
  await until(() => held.size >= 8)
  // All that are free are given out at each look: the other's is one of them, though it came last.
  await hooks.register(other.admin)
  // Of 16. A few may be closed by their time, and not yet here.
  expect(most).toBeGreaterThanOrEqual(8)
  expect(most).toBeLessThan(16)
  isTaking = true
  for (const response of held) response.destroy()
  for (const id of ids) expect((await app.rest(admin, 'DELETE', `/v2/services/${id}`)).status).toBe(204)
  await until(() => held.size === 0)
  most = 0
})

it('40 webhooks whose receiver does not answer take half of the places, and others have theirs', async () => {
  const [{ admin }, other] = [await hooks.center(), await hooks.center()]
  const events = ['message.create.*.chat']
  const ids = await makeWebhooks(admin, events)
  for (const id of ids) await hooks.reach(admin, id, 'active')
  const hook = await hooks.register(other.admin, { events })
  for (let count = 0; count < CONVERSATIONS; count += 1) {
    await hooks.say(admin, await hooks.converse(admin), 'nobody answers')
  }
  await until(() => held.size >= 100)
  await hooks.say(other.admin, await hooks.converse(other.admin), 'mine')
  await hook.receiver.next(({ json }) => json.data.message.text === 'mine')
  // Of 256. A few may be closed by their time, and not yet here.
  expect(most).toBeLessThan(160)
  expect(most).toBeGreaterThanOrEqual(100)
})

it('40 webhooks whose receivers drip, never end, redirect and cut take nothing of honest ones, nor of the memory', async () => {
  const [{ admin }, other] = [await hooks.center(), await hooks.center()]
  const events = ['message.create.*.chat']
  const ids = await makeWebhooks(admin, events)
  for (const id of ids) await hooks.reach(admin, id, 'active')
  // Beside them, and at somebody else's.
  const honest = [await hooks.register(admin, { events }), await hooks.register(other.admin, { events })]
  const poured = new Set<Socket>()
  mannerOf = (number) => (request, response) => {
    if (nameOf(number).startsWith('never ends')) poured.add(request.socket)
    MANNERS[nameOf(number)]!(request, response)
  }
  const wanted = ['one', 'two', 'three', 'four']
  for (const text of wanted) {
    for (const as of [admin, other.admin]) await hooks.say(as, await hooks.converse(as), text)
  }
  for (const { receiver } of honest) {
    const texts = (): string[] => receiver.received.map(({ json }) => json.data.message.text as string)
    await until(() => wanted.every((text) => texts().includes(text)))
    // What was not answered in time came twice.
    expect([...new Set(texts())].toSorted()).toEqual(wanted.toSorted())
  }
  // One of each of the others is named by what it did.
  const outcomes = new Map<string, { status: string; error: string | null; response: string | null }>()
  await until(async () => {
    for (const [number, id] of ids.slice(0, NAMES.length).entries()) {
      const [delivery] = (await hooks.deliveries(admin, id)).filter(({ attempts }) => attempts.length > 0)
      const attempt = delivery?.attempts[0]
      if (attempt)
        outcomes.set(nameOf(number), { status: delivery!.status, error: attempt.error, response: attempt.response })
    }
    return NAMES.filter((name) => !/says nothing|drips/.test(name)).every((name) => outcomes.has(name))
  })
  expect(outcomes.get('never ends')).toMatchObject({ status: 'DELIVERED', error: null })
  expect(outcomes.get('never ends its head')!.error).toMatch(/header/i)
  expect(outcomes.get('never ends a refusal')!.error).toBe('answered 500')
  expect(outcomes.get('redirects for ever')!.error).toBe('answered 307: redirects are not followed')
  expect(outcomes.get('redirects into the house')!.error).toBe('answered 302: redirects are not followed')
  for (const cut of ['cuts at once', 'cuts half way']) expect(outcomes.get(cut)!.error).not.toBeNull()
  expect(led).toBe(0)
  // What is kept of an answer is short, and what is read of one is bounded: the rest is what two sockets hold.
  for (const { response } of outcomes.values()) expect((response ?? '').length).toBeLessThanOrEqual(1_000)
  await until(() => [...poured].every((socket) => socket.destroyed))
  for (const socket of poured) expect(socket.bytesWritten).toBeLessThan(32 * 1_048_576)
})
