import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { RawSockets } from '../support/raw-sockets.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const HEAD = 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n'
const sockets = new RawSockets()
let server: TestServer
let token: string

beforeAll(async () => {
  server = await startTestServer()
  token = await server.tokenFor(await server.makeUser({ organization: await server.makeContactCenter() }))
})
afterAll(async () => {
  sockets.close()
  await server.close()
})

const chunkOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

/** Sends a body in chunks of a size. @returns the answer once its head is there */
async function answerTo(body: string, size: number, headers = ''): Promise<string> {
  const socket = sockets.open(server.url)
  const text = RawSockets.textOf(socket)
  const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
    body.slice(at * size, (at + 1) * size),
  )
  socket.write(`${HEAD}${headers}\r\n${pieces.map(chunkOf).join('')}0\r\n\r\n`)
  await until(() => text().includes('\r\n\r\n'))
  return text()
}

it('a body in many chunks of a byte is refused, and its connection is closed', async () => {
  const socket = sockets.open(server.url)
  const text = RawSockets.textOf(socket)
  const closed = once(socket, 'close')
  socket.write(`${HEAD}\r\n${chunkOf(' ').repeat(2_000)}`)
  await closed
  expect(text()).toMatch(/^HTTP\/1\.1 400 /)
  expect(text()).toMatch(/connection: close/i)
  expect(text()).toContain('the chunks of the body are too small')
})

it('a body is refused whose first chunk is large and whose others are of a byte', async () => {
  const socket = sockets.open(server.url)
  const text = RawSockets.textOf(socket)
  socket.write(
    `${HEAD}authorization: Bearer ${token}\r\n\r\n${chunkOf(' '.repeat(500_000))}${chunkOf(' ').repeat(1_000)}`,
  )
  await until(() => text().includes('the chunks of the body are too small'))
  expect(text()).toMatch(/^HTTP\/1\.1 400 /)
})

it('a body without an end in such chunks is not read on', async () => {
  const socket = sockets.open(server.url)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  // What it still writes when the connection ends is its own matter.
  socket.on('error', () => undefined)
  socket.write(`${HEAD}\r\n`)
  const some = chunkOf(' ').repeat(10_000)
  const send = (error?: Error | null): void => void (error || socket.write(some, send))
  send()
  await closed
  expect(socket.bytesWritten).toBeGreaterThan(6_000)
})

it.each([
  ['a short one in chunks of a byte', 240, 1],
  ['a long one in chunks of some', 60_000, 64],
])('%s is read', async (_how, length, size) => {
  const body = `{"query":"{ __typename }"${' '.repeat(length - 25)}}`
  expect(await answerTo(body, size, `authorization: Bearer ${token}\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
})

it('what follows on the connection is answered, where the chunks were large enough', async () => {
  const socket = sockets.open(server.url)
  const text = RawSockets.textOf(socket)
  const request = `${HEAD}authorization: Bearer ${token}\r\n\r\n${chunkOf('{"query":"{ __typename }"}')}0\r\n\r\n`
  socket.write(request.repeat(3))
  await until(() => text().split('HTTP/1.1 200 ').length > 3)
  expect(text()).not.toContain('HTTP/1.1 4')
})
