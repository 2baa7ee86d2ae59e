import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import { LARGE_ANSWER_BYTES, UnreadAnswers, type UnreadConnection } from '../../src/platform/limits/unread-answers.js'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { sampleOf } from '../support/metrics.js'
import { PATIENCE_MS } from '../support/until.js'

const MEBIBYTE = 1_048_576
const PER_ADDRESS = 128 * MEBIBYTE
const TEXT = 'x'.repeat(60_000)
/** An answer of 12 MB: as much as one may be, nearly. */
const ANSWER_BYTES = 12 * 1_000_000

let fixture: ConversationFixture
let token: string
let body: string
const sockets: Socket[] = []
const webSockets: WebSocket[] = []

beforeAll(async () => {
  fixture = await startConversationFixture({ GRAPHQL_COST_PER_MINUTE: '1000000000' })
  token = await fixture.tokenFor(fixture.admin)
  const { id } = await fixture.create({})
  for (let count = 0; count < 10; count += 1) await fixture.send(fixture.bot, id, { role: 'CONTACT', text: TEXT })
  const texts = Array.from({ length: 20 }, (_, index) => `t${index}: text`).join(' ')
  body = JSON.stringify({
    query: `query ($id: ID!) { conversation(id: $id) { messages(last: 10) { edges { node { ${texts} } } } } }`,
    variables: { id },
  })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  for (const socket of webSockets) socket.terminate()
  await fixture.close()
})

const unread = (name = 'unread_bytes'): Promise<number> => sampleOf(fixture.url, name)

/** Sends requests on one connection, and reads none of the answers. */
function askAndRead(times: number, isRead = false): Socket {
  const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  if (!isRead) socket.pause()
  const head = `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`
  socket.write(`${head}content-length: ${body.length}\r\n\r\n${body}`.repeat(times))
  return socket
}

/** Asks by operations of one socket, and reads none of the answers. */
async function askOnSocket(times: number, isRead = false): Promise<WebSocket> {
  const socket = new WebSocket(`${fixture.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  webSockets.push(socket)
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
  await new Promise((resolve) => socket.once('message', resolve))
  if (!isRead) socket.pause()
  const payload = JSON.parse(body) as object
  for (let id = 0; id < times; id += 1) socket.send(JSON.stringify({ id: String(id), type: 'subscribe', payload }))
  return socket
}

/** The most of several looks: it may take a while to be more than `bound`, and for some looks more it may grow. */
async function most(bound: number, look: () => Promise<number>): Promise<number> {
  let held = 0
  let looks = 10
  for (const end = Date.now() + PATIENCE_MS; looks > 0 && Date.now() < end;) {
    held = Math.max(held, await look())
    if (held > bound) looks -= 1
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return held
}

describe('unread responses', () => {
  it('are one for a connection that sends request after request; the others come when it reads', async () => {
    const socket = askAndRead(4)
    const held = await most(0, () => unread())
    expect(held).toBeGreaterThan(0)
    expect(held).toBeLessThan(1.5 * ANSWER_BYTES)
    let bytes = 0
    socket.on('data', (data) => (bytes += data.length)).resume()
    await until(
      async () => bytes,
      (received) => received > 4 * ANSWER_BYTES,
    )
    await until(unread, (left) => left === 0)
  })

  it('are bounded for many connections of one address, while others are served', async () => {
    const stalled = Array.from({ length: 30 }, () => askAndRead(1))
    const held = await most(PER_ADDRESS / 2, async () => {
      const { status, errors } = await fixture.gql(fixture.ann, '{ me { id } }')
      expect([status, errors]).toEqual([200, undefined])
      return unread()
    })
    expect(held).toBeGreaterThan(PER_ADDRESS / 2)
    expect(held).toBeLessThanOrEqual(PER_ADDRESS)
    for (const socket of stalled) socket.destroy()
    await until(unread, (bytes) => bytes === 0)
  })

  it('are bounded for sockets as well, of one and of many', async () => {
    const BACKLOG = 'socket_backlog_total_bytes'
    const [first] = await Promise.all(Array.from({ length: 30 }, (_, index) => askOnSocket(index === 0 ? 12 : 1)))
    const held = await most(PER_ADDRESS / 2, () => unread(BACKLOG))
    expect(held).toBeGreaterThan(PER_ADDRESS / 2)
    expect(held).toBeLessThanOrEqual(PER_ADDRESS + ANSWER_BYTES)
    const closed = new Promise((resolve) => first!.once('close', resolve))
    first!.resume()
    expect([1006, 1013]).toContain(await closed)
    for (const socket of webSockets) socket.terminate()
    await until(
      () => unread(BACKLOG),
      (bytes) => bytes === 0,
    )
  })

  it('are delivered in full to clients that read them', async () => {
    const http = askAndRead(1, true)
    let bytes = 0
    http.on('data', (data) => (bytes += data.length))
    await until(
      async () => bytes,
      (received) => received > ANSWER_BYTES,
    )
    const socket = await askOnSocket(2, true)
    const types: string[] = []
    socket.on('message', (data) => types.push((JSON.parse(String(data)) as { type: string }).type))
    await until(
      async () => types,
      (received) => received.length === 4,
    )
    expect(types.toSorted()).toEqual(['complete', 'complete', 'next', 'next'])
    expect([http.destroyed, socket.readyState]).toEqual([false, WebSocket.OPEN])
  })
})

describe('UnreadAnswers', () => {
  const connection = (address: string, unreadBytes: number): UnreadConnection & { isCut: boolean } => ({
    address,
    unreadBytes,
    isCut: false,
    cut() {
      this.isCut = true
      Object.assign(this, { unreadBytes: 0 })
    },
  })

  it('closes the connection that has held the most for the longest, of the same address first', () => {
    const [old, small, other] = [
      connection('10.0.0.1', 60_000),
      connection('10.0.0.1', 20_000),
      connection('10.0.0.2', 90_000),
    ]
    const answers = new UnreadAnswers({ total: 1_000_000, perAddress: 100_000, perConnection: 1 })
    for (const each of [old, small, other]) answers.wrote(each)
    expect([old.isCut, small.isCut, other.isCut]).toEqual([false, false, false])
    const next = connection('10.0.0.1', 30_000)
    answers.wrote(next)
    expect([old.isCut, small.isCut, next.isCut, other.isCut]).toEqual([true, false, false, false])
  })

  it('forgets responses that have been read', () => {
    const answers = new UnreadAnswers({ total: 100_000, perAddress: 100_000, perConnection: 1 })
    const reader = connection('10.0.0.1', 90_000)
    answers.wrote(reader)
    Object.assign(reader, { unreadBytes: LARGE_ANSWER_BYTES - 1 })
    answers.wrote(connection('10.0.0.1', 90_000))
    expect(reader.isCut).toBe(false)
    expect(answers.total).toBe(90_000)
  })
})
