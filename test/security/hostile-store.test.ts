import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import pino from 'pino'
import { parseS3Url, S3Store } from '../../src/modules/attachments/s3-store.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const [KEY, SECRET] = ['AKIACANARY', 'canary/of+the=secret']
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(300_000, 1)])
const PIECE = Buffer.alloc(65_536, 'x')

/** Behaviour of a store once a request has come: `head` is its line and headers. */
type Manner = (socket: Socket, head: string) => void

/** A store of objects that does what it likes. */
class HostileStore {
  manner: Manner = answers(200)
  readonly sockets = new Set<Socket>()
  readonly heads: string[] = []
  /** True if the manner begins before the content has come. */
  isEarly = false
  readonly #server: Server = createServer((socket) => this.#serve(socket))

  async start(): Promise<this> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo
    return `http://${KEY}:${encodeURIComponent(SECRET)}@127.0.0.1:${port}/bucket`
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy()
    this.#server.close()
  }

  #serve(socket: Socket): void {
    this.sockets.add(socket)
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined)
    let received = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      const end = received.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = received.subarray(0, end).toString('latin1')
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
      if (!this.isEarly && received.length < end + 4 + length) return
      received = received.subarray(Math.min(received.length, end + 4 + length))
      this.heads.push(head)
      if (this.isEarly) socket.pause()
      this.manner(socket, head)
    })
  }
}

function answers(status: number, body: string | Buffer = '', headers: Record<string, string | number> = {}): Manner {
  return (socket) => {
    const all = { 'content-length': body.length, ...headers }
    socket.write(
      `HTTP/1.1 ${status} X\r\n${Object.entries(all)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`,
    )
    socket.write(body)
  }
}

/** Begins an answer whose content has no end. */
function answersWithoutEnd(status: number): Manner {
  return (socket) => {
    socket.write(`HTTP/1.1 ${status} X\r\ntransfer-encoding: chunked\r\n\r\n`)
    pour(socket, `${PIECE.length.toString(16)}\r\n${PIECE.toString()}\r\n`)
  }
}

/** Writes until the other side goes away. */
function pour(socket: Socket, piece: string): void {
  while (!socket.destroyed && socket.write(piece)) {
    // On until it takes no more.
  }
  if (!socket.destroyed) socket.once('drain', () => pour(socket, piece))
}

const ENTITIES = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "${'b'.repeat(1_000)}">${Array.from(
  { length: 20 },
  (_, nth) => `<!ENTITY a${nth} "${`&a${nth - 1};`.repeat(10)}">`,
).join('')}]><Error><Code>&a19;</Code></Error>`

let store: HostileStore
let app: TestServer
let admin: MadeUser
let dataDir: string
let neighbour: HostileStore
const said: string[] = []

beforeAll(async () => {
  store = await new HostileStore().start()
  neighbour = await new HostileStore().start()
  dataDir = await mkdtemp(join(tmpdir(), 'hostile-'))
  const sink = new Writable({
    write(line, _encoding, done) {
      said.push(String(line))
      done()
    },
  })
  app = await startTestServer({ DATA_DIR: dataDir, S3_URL: store.url }, { log: pino({ level: 'debug' }, sink) })
  admin = await app.makeUser({ organization: await app.makeContactCenter(), role: 'admin' })
})
afterEach(() => {
  store.manner = answers(200)
  store.isEarly = false
})
afterAll(async () => {
  store.close()
  neighbour.close()
  await app?.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function upload(): Promise<{ status: number; retryAfter: string | null; body: { url: string; code?: string } }> {
  const form = new FormData()
  form.append('file', new Blob([PNG]), 'a.png')
  const headers = { authorization: `Bearer ${await app.tokenFor(admin)}` }
  const response = await fetch(`${app.url}/v2/attachments`, { method: 'POST', body: form, headers })
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as never,
  }
}

/** Nothing of what the store is asked with is in the log. */
function expectNoCredentials(): void {
  const log = said.join('')
  for (const head of store.heads) {
    const signature = /Signature=([0-9a-f]{64})/.exec(head)![1]!
    expect(log).not.toContain(signature)
  }
  for (const each of [KEY, SECRET, encodeURIComponent(SECRET)]) expect(log).not.toContain(each)
}

const MANNERS: Readonly<Record<string, Manner>> = {
  'refuses with an answer that does not end': answersWithoutEnd(403),
  'fails with an answer that does not end': answersWithoutEnd(500),
  'is not to be found': answers(404, '<Error><Code>NoSuchBucket</Code></Error>'),
  'repeats what it was asked with': (socket, head) =>
    answers(403, `<Error><Code>SignatureDoesNotMatch</Code><AWSAccessKeyId>${KEY}</AWSAccessKeyId>${head}</Error>`)(
      socket,
      head,
    ),
  'repeats what it was asked with as the code': (socket, head) => answers(403, `<Code>${head}</Code>`)(socket, head),
  'repeats what it was asked with, and no HTTP': (socket, head) => void socket.end(`${head}\r\n\r\n`),
  'refuses with entities of entities': answers(403, ENTITIES),
  'refuses with 10 MB of XML': answers(400, `<Error>${'<a>'.repeat(3_500_000)}`),
  'sends the way to a neighbour': (socket, head) =>
    answers(307, '', { location: `${neighbour.url.replace(/\/\/.*@/, '//')}/x` })(socket, head),
  'sends headers without end': (socket) =>
    pour(socket.setNoDelay(), `HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1_000)}\r\n`.repeat(200)}`),
  'ends within the first line': (socket) => void socket.end('HTTP/1.1 20'),
  'ends at once': (socket) => void socket.destroy(),
  'ends half way in a refusal': (socket) => void socket.end('HTTP/1.1 403 X\r\ncontent-length: 1000\r\n\r\n<Error>'),
  'says that it answers with less than nothing': answers(500, '', { 'content-length': '-1' }),
}

describe('a store that', () => {
  it.each(Object.entries(MANNERS))(
    '%s has an upload sent again later, and learns and leaves nothing',
    async (_name, manner) => {
      store.manner = manner
      const { status, retryAfter, body } = await upload()
      expect([status, body.code]).toEqual([503, 'UNAVAILABLE'])
      expect(Number(retryAfter)).toBeGreaterThan(0)
      await until(async () => (await readdir(join(dataDir, 'attachments', 'incoming'))).length === 0)
      expect(neighbour.heads).toEqual([])
      expect(said.join('')).toMatch(/the store of attachments (refuses|cannot be reached)/)
      expectNoCredentials()
      // A removal of what was not stored may wait; no answer goes on.
      store.manner = answers(200)
      await until(() => [...store.sockets].every((socket) => socket.writableLength === 0))
      const again = await upload()
      expect([again.status, again.status === 201 ? '' : said.slice(-6)]).toEqual([201, ''])
    },
  )

  it('takes a file with an answer that does not end does not go on answering', async () => {
    store.manner = answersWithoutEnd(200)
    expect((await upload()).status).toBe(201)
    await until(() => store.sockets.size === 0)
  })
})

describe('a store whose object', () => {
  let link: string
  beforeAll(async () => {
    link = (await upload()).body.url
  })

  /** Returns all bytes that a client gets on a connection that it would use again. */
  async function download(): Promise<Buffer> {
    const { pathname, search } = new URL(link)
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: x\r\n\r\n`)
    const chunks: Buffer[] = []
    const isWhole = (): boolean => {
      const [head = '', ...rest] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Infinity)
      return rest.join('\r\n\r\n').length >= length
    }
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (isWhole()) resolve()
      })
      socket.on('close', resolve).on('error', () => undefined)
    })
    socket.destroy()
    return Buffer.concat(chunks)
  }

  const headOf = (answer: Buffer): string => answer.subarray(0, answer.indexOf('\r\n\r\n')).toString('latin1')
  const bodyOf = (answer: Buffer): Buffer => answer.subarray(answer.indexOf('\r\n\r\n') + 4)

  it('is what it should be is sent', async () => {
    store.manner = answers(200, PNG)
    expect(bodyOf(await download()).equals(PNG)).toBe(true)
  })

  it.each(['is not there', 'refuses', 'is longer', 'is shorter', 'is elsewhere', 'is no HTTP'])(
    '%s is asked for again later, and the refusal is not kept by browsers',
    async (name) => {
      const manners: Record<string, Manner> = {
        'is not there': answers(404),
        refuses: answersWithoutEnd(403),
        'is longer': answers(200, Buffer.concat([PNG, PNG])),
        'is shorter': answers(200, PNG.subarray(1)),
        'is elsewhere': answers(302, '', { location: neighbour.url.replace(/\/\/.*@/, '//') }),
        'is no HTTP': (socket) => void socket.end('SSH-2.0-x\r\n\r\n'),
      }
      store.manner = manners[name]!
      const answer = await download()
      expect(headOf(answer)).toMatch(/^HTTP\/1\.1 503 /)
      expect(headOf(answer)).toMatch(/\r\nretry-after: \d/i)
      expect(headOf(answer)).not.toMatch(/cache-control: private|\r\netag:|immutable/i)
      expect(neighbour.heads).toEqual([])
      expectNoCredentials()
    },
  )

  it('does not end is never more than the client was told', async () => {
    store.manner = (socket) => {
      socket.write(`HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n${PNG.length.toString(16)}\r\n`)
      socket.write(PNG)
      socket.write('\r\n')
      pour(socket, `${PIECE.length.toString(16)}\r\n${PIECE.toString()}\r\n`)
    }
    const body = bodyOf(await download())
    expect(body.length).toBeLessThanOrEqual(PNG.length)
    expect(body.equals(PNG.subarray(0, body.length))).toBe(true)
    await until(() => store.sockets.size === 0)
  })

  it('ends half way ends for the client, who sees that it is not whole', async () => {
    store.manner = (socket) => {
      socket.write(`HTTP/1.1 200 X\r\ncontent-length: ${PNG.length}\r\n\r\n`)
      socket.end(PNG.subarray(0, 1_000))
    }
    expect(bodyOf(await download()).length).toBeLessThan(PNG.length)
  })

  it('is read whole into a mail is no larger than its record says', async () => {
    const s3 = storeOf({ idleMs: 30_000, answerMs: 30_000, uploadMs: 30_000 })
    store.manner = answersWithoutEnd(200)
    await expect(s3.read('x', 1_000_000).then(buffer)).rejects.toThrow('sent more than 1000000 bytes')
    store.manner = (socket) => void socket.end('HTTP/1.1 200 X\r\nconnection: close\r\n\r\nabc')
    await expect(s3.read('x', 4).then(text)).rejects.toThrow('sent fewer than 4 bytes')
  })
})

describe('a store without an answer', () => {
  const file = async () => {
    const path = join(dataDir, 'file')
    // More than a socket takes without a reader.
    const bytes = Buffer.alloc(20_000_000, 1)
    await writeFile(path, bytes)
    return {
      path,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      type: 'image/png' as const,
    }
  }

  it.each(['idleMs', 'answerMs'] as const)('is given up after %s', async (time) => {
    const s3 = storeOf({ idleMs: 60_000, answerMs: 60_000, uploadMs: 60_000, [time]: 50 })
    store.manner = () => undefined
    await expect(s3.read('x', 1)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(s3.remove('x')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await until(() => store.sockets.size === 0)
  })

  it('is given up though it says that one will come, again and again', async () => {
    const s3 = storeOf({ idleMs: 60_000, answerMs: 50, uploadMs: 60_000 })
    store.manner = (socket) => {
      const again = (): void =>
        void (!socket.destroyed && socket.write('HTTP/1.1 102 X\r\n\r\n', () => setImmediate(again)))
      again()
    }
    await expect(s3.read('x', 1)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await until(() => store.sockets.size === 0)
  })

  it.each(['idleMs', 'uploadMs'] as const)('that does not read a file is given up after %s', async (time) => {
    const s3 = storeOf({ idleMs: 60_000, answerMs: 60_000, uploadMs: 60_000, [time]: 50 })
    store.isEarly = true
    store.manner = () => undefined
    await expect(s3.keep('x', await file())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('that takes a file before it has read it has not taken it', async () => {
    store.isEarly = true
    const s3 = storeOf({ idleMs: 60_000, answerMs: 60_000, uploadMs: 60_000 })
    await expect(s3.keep('x', await file())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('whose refusal does not go on is not waited for', async () => {
    const s3 = storeOf({ idleMs: 60_000, answerMs: 50, uploadMs: 60_000 })
    let asked: Socket | undefined
    store.manner = (socket) => {
      asked = socket
      socket.write('HTTP/1.1 403 X\r\ncontent-length: 9\r\n\r\n<')
    }
    // A busy machine may take longer to ask than the answer may.
    await until(async () => {
      await expect(s3.read('x', 1)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      return asked
    })
    await until(() => asked!.destroyed)
  })
})

function storeOf(times: { idleMs: number; answerMs: number; uploadMs: number }): S3Store {
  return new S3Store({ bucket: parseS3Url(store.url), clock: app.clock, log: pino({ level: 'silent' }), times })
}
