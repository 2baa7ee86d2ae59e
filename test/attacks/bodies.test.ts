import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connect, type Socket } from 'node:net'
import { BytesInFlight } from '../../src/platform/limits/bytes-in-flight.js'
import { sampleOf } from '../support/metrics.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const MEBIBYTE = 1024 * 1024
const SECRET = 'a secret of the service'

let server: TestServer
let service: string
const sockets: Socket[] = []

beforeAll(async () => {
  server = await startTestServer()
  service = await makeService('help@example.com')
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await server.close()
})

/** A request whose body never ends. @returns its status, and null while there is none */
function send(
  path: string,
  headers: Record<string, string>,
  bytes: number,
): { status: () => number | null; answer: () => string } {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  sockets.push(socket)
  let answer = ''
  socket.on('data', (data) => (answer += String(data)))
  socket.on('error', () => undefined)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${25 * MEBIBYTE}\r\n${lines.join('')}\r\n`)
  for (let sent = 0; sent < bytes; sent += MEBIBYTE) socket.write(Buffer.alloc(MEBIBYTE, 'x'))
  return { answer: () => answer, status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0) || null }
}

const held = (): Promise<number> => sampleOf(server.url, 'bodies_bytes')
const refused = (): Promise<number> => sampleOf(server.url, 'refusals_held')

async function makeService(address: string): Promise<string> {
  const admin = await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin' })
  const params = { address, inboundSecret: SECRET }
  const { status, body } = await server.rest(admin, 'POST', '/v2/services', { name: 'E', type: 'email', params })
  expect([status, body]).toEqual([201, expect.objectContaining({ id: expect.any(String) })])
  return body.id
}

describe('endless bodies', () => {
  it.each([
    ['without the secret', {}, 401],
    ['with a wrong one', { 'x-inbound-secret': 'wrong' }, 401],
  ])('are not read for a mail %s', async (_how, headers, status) => {
    const requests = Array.from({ length: 30 }, () => send(`/inbound/email/${service}`, headers, 4 * MEBIBYTE))
    await until(() => requests.every((request) => request.status() === status))
    expect(await held()).toBe(0)
  })

  it.each([
    ['/inbound/email/019aa000-0000-7000-8000-000000000000', 404],
    ['/inbound/sms/019aa000-0000-7000-8000-000000000000', 404],
    ['/inbound/messenger/nonsense', 404],
    ['/v2/contacts', 401],
    ['/v2/attachments', 401],
  ])('are not read by %s', async (path, status) => {
    const request = send(path, { 'content-type': 'application/json' }, MEBIBYTE)
    await until(() => request.status() === status)
    expect(await held()).toBe(0)
  })

  it('are not read with a wrong token, whatever it is for', async () => {
    const headers = { authorization: 'Bearer nonsense', 'content-type': 'application/json' }
    const request = send('/graphql', headers, 0)
    await until(() => request.status() !== null)
    expect(request.answer()).toContain('"code":"UNAUTHENTICATED"')
    expect(await held()).toBe(0)
  })

  it('are limited per address, even with the secret, and released with their connections', async () => {
    const from = sockets.length
    const requests = Array.from({ length: 10 }, () =>
      send(`/inbound/email/${service}`, { 'x-inbound-secret': SECRET }, 20 * MEBIBYTE),
    )
    await until(() => requests.some((request) => request.status() === 503))
    expect(requests.find((request) => request.status() === 503)!.answer()).toMatch(/\r\nretry-after: \d+\r\n/i)
    expect(await held()).toBeLessThanOrEqual(128 * MEBIBYTE)
    for (const socket of sockets.slice(from)) socket.destroy()
    await until(async () => (await held()) === 0)
  })
})

describe('a body that exceeds the remaining memory', () => {
  it('is refused by its headers: nothing is read, and its connection is closed', async () => {
    const from = sockets.length
    const headers = { 'x-inbound-secret': SECRET }
    const full = Array.from({ length: 5 }, () => send(`/inbound/email/${service}`, headers, 20 * MEBIBYTE))
    const all = full.length * 20 * MEBIBYTE
    await until(held, (bytes) => bytes === all)
    expect(full.map((request) => request.status())).toEqual(full.map(() => null))
    const refused = Array.from({ length: 20 }, () => send(`/inbound/email/${service}`, headers, 0))
    await until(() => refused.every((request) => request.status() === 503))
    expect(refused[0]!.answer()).toMatch(/\r\nconnection: close\r\n/i)
    expect(await held()).toBe(all)
    for (const socket of sockets.slice(from)) socket.destroy()
    await until(async () => (await held()) === 0)
  })
})

describe('many bodies of a sender at once', () => {
  it('are begun as far as they can end: the others are refused by their headers', async () => {
    const from = sockets.length
    const headers = { 'x-inbound-secret': SECRET }
    const requests = Array.from({ length: 30 }, () => send(`/inbound/email/${service}`, headers, 0))
    await until(() => requests.filter((request) => request.status() === 503).length === 25)
    expect(await held()).toBe(0)
    for (const socket of sockets.slice(from)) socket.destroy()
    const again = sockets.length
    // What was announced is given back with its connection.
    await until(async () => {
      const next = send(`/inbound/email/${service}`, headers, MEBIBYTE)
      await until(async () => next.status() === 503 || (await held()) === MEBIBYTE)
      return next.status() === null
    })
    for (const socket of sockets.slice(again)) socket.destroy()
    await until(async () => (await held()) === 0)
  })

  it('wait for one another once they are refused, each with its answer, and those of another sender do not', async () => {
    const from = sockets.length
    const headers = { 'x-inbound-secret': SECRET }
    const requests = Array.from({ length: 12 }, () => send(`/inbound/email/${service}`, headers, 0))
    await until(async () => (await refused()) > 0)
    const colleague = send(`/inbound/email/${await makeService('other@example.com')}`, headers, MEBIBYTE)
    await until(async () => (await held()) === MEBIBYTE)
    expect(colleague.status()).toBeNull()
    await until(() => requests.filter((request) => request.status() === 503).length === 7)
    for (const socket of sockets.slice(from)) socket.destroy()
    await until(async () => (await held()) === 0)
  })

  it('wait also when nobody said how long they are, and the rest of them is not read', async () => {
    const from = sockets.length
    const { port } = new URL(server.url)
    const head = `POST /inbound/email/${service} HTTP/1.1\r\nhost: x\r\nx-inbound-secret: ${SECRET}\r\ntransfer-encoding: chunked\r\n\r\n`
    const piece = `${MEBIBYTE.toString(16)}\r\n${'x'.repeat(MEBIBYTE)}\r\n`
    const answers = Array.from({ length: 3 }, () => {
      const socket = connect(Number(port), '127.0.0.1')
      sockets.push(socket)
      let answer = ''
      socket.on('data', (data) => (answer += String(data)))
      socket.on('error', () => undefined)
      socket.write(head)
      // Longer than any mail may be.
      for (let sent = 0; sent < 30; sent += 1) socket.write(piece)
      return () => answer
    })
    await until(async () => (await refused()) > 0)
    await until(() => answers.every((answer) => answer() !== ''))
    expect(answers.map((answer) => answer().slice(9, 12))).toEqual(['413', '413', '413'])
    for (const socket of sockets.slice(from)) socket.destroy()
    await until(async () => (await held()) === 0)
  })
})

describe('bytes in flight', () => {
  it("are those that its sender announces in the sender's own share alone", () => {
    const bytes = new BytesInFlight({ total: 100, perAddress: 100 })
    const open = (sender: string) => {
      const flight = bytes.open('10.0.0.1')
      flight.know()
      flight.attribute([
        { sender, bytes: 50 },
        { sender: 'center', bytes: 80 },
      ])
      return flight
    }
    const [first, second, third] = [open('caller:a'), open('caller:a'), open('caller:b')]
    first.reserve(40)
    expect(() => second.reserve(20)).toThrow('send it again')
    second.reserve(10)
    // All that it announced has room, however often that is said, and no more.
    first.add(30)
    first.reserve(10)
    first.add(10)
    expect(() => first.add(1)).toThrow('send it again')
    expect(bytes.total).toBe(40)
    // What the other has only announced is nobody's loss.
    third.reserve(40)
    third.add(40)
    second.end()
    first.add(0)
    expect(() => open('caller:a').reserve(11)).toThrow('send it again')
    first.end()
    third.end()
    open('caller:a').reserve(50)
    expect(bytes.total).toBe(0)
  })

  it('are limited in total and per address, where an IPv6 network counts as one', () => {
    const bytes = new BytesInFlight({ total: 100, perAddress: 60 })
    const first = bytes.open('2001:db8::1')
    first.add(60)
    expect(() => bytes.open('2001:db8::2').add(1)).toThrow('send it again')
    const other = bytes.open('10.0.0.1')
    other.add(40)
    expect(() => bytes.open('10.0.0.2').add(1)).toThrow('send it again')
    first.end()
    first.end()
    bytes.open('2001:db8::2').add(60)
    expect(bytes.total).toBe(100)
  })

  it('are those of a sender from the first byte on, once it is known who it is, whatever network they come from', () => {
    const bytes = new BytesInFlight({ total: 100, perAddress: 60, unknown: { total: 20, perAddress: 10 } })
    const open = (address: string) => {
      const flight = bytes.open(address)
      flight.add(10)
      flight.know()
      flight.attribute([{ sender: 'caller:a', bytes: 25 }])
      return flight
    }
    const [first, second] = [open('10.0.0.1'), open('10.0.0.2')]
    expect(() => first.add(6)).toThrow('send it again')
    second.end()
    first.add(15)
    expect(bytes.total).toBe(25)
    first.end()
    open('10.0.0.3').add(15)
    expect(bytes.total).toBe(25)
  })
})
