import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import pino from 'pino'
import { WebSocket } from 'ws'
import { RawSockets } from '../support/raw-sockets.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const MEBIBYTE = 1024 * 1024
const lines: { level: number; msg: string }[] = []
const sockets = new RawSockets()

let server: TestServer
let script: string
let token: string

beforeAll(async () => {
  execFileSync(process.execPath, ['web/build.mjs'])
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as (typeof lines)[0])
      done()
    },
  })
  server = await startTestServer({}, { log: pino({ level: 'info' }, sink) })
  const page = await (await fetch(`${server.url}/console`)).text()
  script = /\/web\/console-\w+\.js/.exec(page)![0]
  token = await server.tokenFor(
    await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin' }),
  )
})
afterAll(async () => {
  sockets.close()
  await server.close()
})

const open = (from?: string): Socket => sockets.open(server.url, from)

const get = (path: string, id = '', headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\n${id && `x-request-id: ${id}\r\n`}${headers}\r\n`

const post = (path: string, id: string, body: string, headers = ''): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nx-request-id: ${id}\r\ncontent-type: application/json\r\n${headers}` +
  `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** Sends the parts one after the other, and reads until there are so many answers. @returns id and status of each */
async function exchange(parts: readonly (string | Buffer)[], count: number): Promise<[id: string, status: number][]> {
  const socket = open()
  const text = RawSockets.textOf(socket)
  socket.setNoDelay(true)
  for (const part of parts) {
    await new Promise((resolve) => socket.write(part, resolve))
    if (parts.length > 1) await new Promise((resolve) => setImmediate(resolve))
  }
  const answers = (): [string, number][] =>
    [...text().matchAll(/HTTP\/1\.1 (\d+) [^\r]*\r\n(?:[^\r]+\r\n)*?x-request-id: ([^\r]+)\r\n/g)]
      .filter(([, status]) => status !== '100')
      .map(([, status, id]) => [id!, Number(status)])
  await until(() => answers().length >= count || socket.destroyed)
  socket.destroy()
  return answers()
}

const memory = (): number => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describe('requests that wait for the answer to the one before', () => {
  it('are begun one at a time at the port for metrics as well', async () => {
    const beside = await startTestServer({ METRICS_PORT: '0' }, { beside: server })
    const own = `http://127.0.0.1:${beside.server.metricsPort}`
    const texts = Array.from({ length: 20 }, (_, index) => {
      const socket = sockets.open(own, `127.0.4.${index + 1}`)
      const text = RawSockets.textOf(socket)
      socket.write(get('/metrics').repeat(2_000))
      return text
    })
    await until(() => texts.every((text) => text().includes('switchboard_')))
    const answered = (): number => texts.reduce((sum, text) => sum + text().split('HTTP/1.1 200').length - 1, 0)
    const before = answered()
    expect((await fetch(`${own}/metrics`)).status).toBe(200)
    // Of the 40,000, others had their turns while this one waited for its own: not all of them.
    expect(answered() - before).toBeLessThan(1_000)
    sockets.close()
    await beside.close()
  })

  it('are not begun, hold no memory, and end with their connection without a line in the log', async () => {
    const before = memory()
    const from = lines.length
    const all = Array.from({ length: 50 }, (_, index) => open(`127.0.0.${(index % 10) + 1}`))
    for (const [index, socket] of all.entries()) {
      socket.pause()
      socket.write(get(index % 5 === 0 ? '/healthz' : script).repeat(2_000))
    }
    let most = 0
    for (let look = 0; look < 40; look += 1) {
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
      most = Math.max(most, memory() - before)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    for (const socket of all) socket.destroy()
    await until(async () => (await fetch(`${server.url}/readyz`)).ok)
    expect(most).toBeLessThan(150 * MEBIBYTE)
    expect(lines.slice(from).filter(({ level }) => level > 30)).toEqual([])
    const served = lines.slice(from).filter((line) => line.msg === 'request')
    // Of 100,000: the 20,000 short answers fit into what the connections hold.
    expect(served.length).toBeLessThan(40_000)
  })

  it('go behind those of others, of however many connections', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => {
      const socket = open(`127.0.2.${index + 1}`)
      const text = RawSockets.textOf(socket)
      socket.write(get('/healthz').repeat(2_000))
      return text
    })
    await until(() => texts.every((text) => text() !== ''))
    const answered = (): number => texts.reduce((sum, text) => sum + text().split('HTTP/1.1 200').length - 1, 0)
    const before = answered()
    // One by one on one connection, each when the one before was answered.
    const own = open('127.0.3.1')
    for (let count = 1; count <= 20; count += 1) {
      own.write(get('/healthz'))
      await once(own, 'data')
    }
    // Each took at least two turns of the loop, in each of which all fifty would have been answered.
    expect(answered() - before).toBeLessThan(20 * 50)
    sockets.close()
  })

  const mixed = (): { text: string; expected: [string, number][] } => {
    const query = JSON.stringify({ query: '{ me { id } }' })
    const bearer = `authorization: Bearer ${token}\r\n`
    const chunked = `${query.length.toString(16)}\r\n${query}\r\n0\r\n\r\n`
    const requests: [string, number][] = [
      [get('/healthz', 'a'), 200],
      [post('/graphql', 'b', query, bearer), 200],
      [get(script, 'c', 'accept-encoding: gzip\r\n'), 200],
      [get('/nothing', 'd'), 404],
      [`HEAD ${script} HTTP/1.1\r\nhost: x\r\nx-request-id: e\r\n\r\n`, 200],
      [post('/graphql', 'f', query, `expect: 100-continue\r\n${bearer}`), 200],
      [`\r\n\r\n${get('/readyz', 'g')}`, 200],
      [
        `POST /graphql HTTP/1.1\r\nhost: x\r\nx-request-id: h\r\ncontent-type: application/json\r\n${bearer}transfer-encoding: chunked\r\n\r\n${chunked}`,
        200,
      ],
      [post('/v2/contacts', 'i', '\r\n\r\n{ "profile": {} }\r\n\r\n'), 401],
      [get('/web/none.js', 'j'), 404],
    ]
    return {
      text: requests.map(([text]) => text).join(''),
      expected: requests.map(([, status], index) => [String.fromCodePoint(97 + index), status]),
    }
  }

  it('are all answered in their order when they are read', async () => {
    const { text, expected } = mixed()
    expect(await exchange([text], expected.length)).toEqual(expected)
    const many = Array.from({ length: 500 }, (_, index) => get('/healthz', `n${index}`)).join('')
    expect(await exchange([many], 500)).toEqual(Array.from({ length: 500 }, (_, index) => [`n${index}`, 200]))
  })

  it.each([1, 2, 3, 7, 64])('are answered alike when they come in pieces of %d bytes', async (size) => {
    const { text, expected } = mixed()
    const bytes = Buffer.from(text)
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    )
    expect(await exchange(pieces, expected.length)).toEqual(expected)
  })

  it('may be followed by a socket, whose first frames came along with them', async () => {
    const socket = open()
    const upgrade = get(
      '/graphql',
      '',
      'upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
        'sec-websocket-protocol: graphql-transport-ws\r\n',
    )
    const text = RawSockets.textOf(socket)
    const init = Buffer.from(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
    const frame = Buffer.concat([
      Buffer.from([0x81, 0x80 | 126, init.length >> 8, init.length & 255, 0, 0, 0, 0]),
      init,
    ])
    socket.write(Buffer.concat([Buffer.from(get('/healthz', 'first').repeat(3) + upgrade), frame]))
    await until(() => text().includes('connection_ack'))
    expect(text().match(/HTTP\/1\.1 200/g)).toHaveLength(3)
    expect(text().indexOf('HTTP/1.1 101')).toBeGreaterThan(text().lastIndexOf('HTTP/1.1 200'))
    socket.destroy()
  })

  it.each([
    ['without a host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['that expect what nobody does', get('/healthz', '', 'expect: wonders\r\n'), 417],
  ])('are no way around it %s', async (_how, request, status) => {
    const unread = open('127.0.0.9')
    unread.pause()
    unread.write(request.repeat(5_000))
    const socket = open()
    const text = RawSockets.textOf(socket)
    socket.write(request)
    await until(() => text().startsWith(`HTTP/1.1 ${status} `))
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  it('are dropped after one that is not HTTP', async () => {
    const socket = open()
    const text = RawSockets.textOf(socket)
    socket.write(`${get('/healthz')}nonsense\r\n\r\n${get('/healthz').repeat(100)}`)
    await once(socket, 'close')
    expect(text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  it('leave sockets and uploads as they are', async () => {
    const ws = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
    await once(ws, 'open')
    ws.terminate()
    const form = new FormData()
    const bytes = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(5 * MEBIBYTE, '\r\n\r\n')])
    form.set('file', new Blob([bytes], { type: 'image/gif' }), 'a.gif')
    const answer = await fetch(`${server.url}/v2/attachments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    expect([answer.status, await answer.json()]).toEqual([201, expect.objectContaining({ size: bytes.length })])
  })
})
