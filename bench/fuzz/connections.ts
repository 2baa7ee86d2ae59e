import { connect, type Socket } from 'node:net'
import type { Random } from './random.js'
import type { RestRequests } from './rest-requests.js'
import type { Tally } from './tally.js'
import { hostileText } from './values.js'
import type { Caller } from './world.js'

export interface ConnectionFuzzerOptions {
  url: string
  callers: readonly Caller[]
  rest: RestRequests
  random: Random
  tally: Tally
  wrongness: number
}

/** Connections that are left open, or unread, at most this long. */
const LEFT_MS_MAX = 2_000
const PIPELINED_MAX = 40
const AT_ONCE = 4
const LARGE = ['/v2/openapi.json', '/', '/console', '/metrics']

/**
 * Uses connections as no honest client does: many requests at once, bodies that end in the middle, answers that nobody
 * reads. What is counted is that nothing of it is answered by a fault, and that the server goes on answering others.
 */
export class ConnectionFuzzer {
  #sent = 0

  constructor(private readonly options: ConnectionFuzzerOptions) {}

  /** @param count requests, in all connections together */
  async send(count: number): Promise<void> {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (this.#sent < count) {
          const { random } = this.options
          await random.pick([() => this.#pipeline(), () => this.#halfSend(), () => this.#readSlowly()])()
          await this.#checkReady()
        }
      }),
    )
  }

  /** Writes many requests at once, reads their answers, and often leaves before the last. */
  async #pipeline(): Promise<void> {
    const { random, tally } = this.options
    const requests = Array.from({ length: 1 + random.below(PIPELINED_MAX) }, () => this.#request())
    this.#sent += requests.length
    const socket = this.#open()
    let answers = ''
    socket.on('data', (bytes: Buffer) => (answers += bytes.toString('latin1')))
    socket.write(requests.join(''))
    await this.#until(socket, () => statusesOf(answers).length >= requests.length || random.isLucky(0.02))
    socket.destroy()
    for (const status of statusesOf(answers)) {
      // A limit says so, and when to come back.
      tally.count('connections', status === 503 ? 429 : status, 0, () => requests.join('').slice(0, 500))
    }
  }

  /** Sends a part of a request and leaves, or waits. */
  async #halfSend(): Promise<void> {
    const { random, tally } = this.options
    this.#sent += 1
    const request = this.#request()
    const socket = this.#open()
    let answers = ''
    socket.on('data', (bytes: Buffer) => (answers += bytes.toString('latin1')))
    socket.write(Buffer.from(request).subarray(0, random.below(request.length)))
    await this.#until(socket, () => random.isLucky(0.2))
    socket.destroy()
    for (const status of statusesOf(answers)) tally.count('connections', status, 0, () => request.slice(0, 500))
  }

  /** Asks for what is large and reads nothing of it. */
  async #readSlowly(): Promise<void> {
    const { random, tally } = this.options
    const requests = Array.from({ length: 1 + random.below(10) }, () => get(random.pick(LARGE)))
    this.#sent += requests.length
    const socket = this.#open()
    socket.pause()
    socket.write(requests.join(''))
    await this.#until(socket, () => random.isLucky(0.2))
    socket.destroy()
    tally.count('connections', 200, 0, () => '')
  }

  async #checkReady(): Promise<void> {
    const { tally, url } = this.options
    const since = performance.now()
    const answer = await fetch(`${url}/readyz`).catch((error: Error) => error)
    if (answer instanceof Error) return tally.fault('readyz', String(answer.cause ?? answer))
    await answer.text()
    const ms = performance.now() - since
    tally.slowestReadyMs = Math.max(tally.slowestReadyMs, ms)
    if (!answer.ok) tally.fault('readyz', `${answer.status}`)
  }

  #request(): string {
    const { callers, random, rest, wrongness } = this.options
    const { method, path, body } = rest.make(wrongness)
    const { headers } = random.pick(callers)
    const lines = [`${method} ${encodeURI(decodeSafely(path))} HTTP/1.1`, 'host: localhost']
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
    if (random.isLucky(0.1))
      lines.push(
        `x-fuzz: ${hostileText(random)
          .replace(/[^\x20-\x7e]/g, '?')
          .slice(0, 200)}`,
      )
    if (body === undefined) return `${lines.join('\r\n')}\r\n\r\n`
    const length = Buffer.byteLength(body)
    return `${lines.join('\r\n')}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`
  }

  #open(): Socket {
    const { hostname, port } = new URL(this.options.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    return socket
  }

  /** Resolves when this holds, the connection ends, or it has been left long enough. */
  async #until(socket: Socket, isDone: () => boolean): Promise<void> {
    const endsAt = performance.now() + LEFT_MS_MAX
    while (!socket.destroyed && !socket.readableEnded && performance.now() < endsAt && !isDone()) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`

function statusesOf(answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

function decodeSafely(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
