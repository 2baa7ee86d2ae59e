import { connect, type Socket } from 'node:net'
import { serve } from './processes.js'

export interface Subscribe {
  url: string
  sockets: number
  /** Messages that each sends when it is open, in turn after one answer each; none: it only listens. */
  messages: string[][]
}

export interface Received {
  /** Times at which the last socket had each message, in milliseconds since 1970. */
  at: number[]
  /** The last message as text. */
  last: string
}

/** Sockets that are being opened together. */
const OPENING_AT_ONCE = 50
const TEXT = 1
const CLOSE = 8
const PING = 9
/** Masked, as a client's frames are, and empty. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

/** Reads frames and does nothing with them, so that the client is not what is measured. */
class Subscriber {
  count = 0
  last: Buffer = Buffer.alloc(0)
  /** Reason for which the server closed it. */
  closed = ''
  #rest: Buffer = Buffer.alloc(0)

  constructor(
    readonly socket: Socket,
    private readonly onFrame: (subscriber: Subscriber) => void,
  ) {}

  static async open(url: string, onFrame: (subscriber: Subscriber) => void): Promise<Subscriber> {
    const { hostname, port, pathname } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    )
    const subscriber = new Subscriber(socket, onFrame)
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.once('data', (data) => {
        if (!data.includes('101 Switching')) return reject(new Error(String(data)))
        const body = data.subarray(data.indexOf('\r\n\r\n') + 4)
        socket.on('data', (chunk) => subscriber.read(chunk))
        if (body.length > 0) subscriber.read(body)
        resolve()
      })
    })
    return subscriber
  }

  read(chunk: Buffer): void {
    let data = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    for (;;) {
      if (data.length < 2) break
      const short = data[1]! & 127
      const start = short < 126 ? 2 : short === 126 ? 4 : 10
      if (data.length < start) break
      const length = short < 126 ? short : short === 126 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2))
      if (data.length < start + length) break
      const opcode = data[0]! & 15
      if (opcode === CLOSE) this.closed = String(data.subarray(start, start + length)) || 'no reason'
      if (opcode === PING) this.socket.write(PONG)
      if (opcode === TEXT) {
        this.last = data.subarray(start, start + length)
        this.count += 1
        this.onFrame(this)
      }
      data = data.subarray(start + length)
    }
    this.#rest = data
  }

  /** One masked text frame; a mask of zeros is a mask. */
  send(text: string): void {
    const body = Buffer.from(text)
    const head =
      body.length < 126
        ? Buffer.from([0x81, 0x80 | body.length])
        : Buffer.from([0x81, 0xfe, body.length >> 8, body.length & 255])
    this.socket.write(Buffer.concat([head, Buffer.alloc(4), body]))
  }
}

let subscribers: Subscriber[] = []
let received: { at: number[]; counts: number[]; offset: number } = { at: [], counts: [], offset: 0 }

function onFrame({ count }: Subscriber): void {
  const index = count - 1 - received.offset
  received.counts[index] = (received.counts[index] ?? 0) + 1
  if (received.counts[index] === subscribers.length) received.at[index] = performance.timeOrigin + performance.now()
}

serve({
  /** Opens sockets and subscribes each; resolves when all receive events. */
  async open({ url, sockets, messages }: Subscribe): Promise<void> {
    for (const { socket } of subscribers) socket.destroy()
    subscribers = []
    const opened = new Array<Subscriber>(sockets)
    let next = 0
    const openSome = async (): Promise<void> => {
      for (let index = next++; index < sockets; index = next++) {
        const subscriber = await Subscriber.open(url, onFrame)
        opened[index] = subscriber
        const own = messages[index % Math.max(1, messages.length)] ?? []
        for (const [sent, message] of own.entries()) {
          subscriber.send(message)
          while (subscriber.count <= sent) {
            if (subscriber.closed) throw new Error(`the server closed socket ${index}: ${subscriber.closed}`)
            await new Promise((resolve) => setTimeout(resolve, 1))
          }
        }
      }
    }
    await Promise.all(Array.from({ length: OPENING_AT_ONCE }, openSome))
    subscribers = opened
  },

  async reset(): Promise<void> {
    received = { at: [], counts: [], offset: subscribers[0]!.count }
    if (subscribers.some(({ count }) => count !== received.offset))
      throw new Error('the sockets have not received the same')
  },

  /** Resolves when all sockets have received this many messages since the reset. */
  async wait(messages: number): Promise<Received> {
    const end = Date.now() + 30_000
    while (received.at[messages - 1] === undefined) {
      if (Date.now() > end) throw new Error(`only ${received.at.length} of ${messages} messages came to all sockets`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return { at: received.at, last: String(subscribers[0]!.last) }
  },
})
