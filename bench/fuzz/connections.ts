import { connect, type Socket } from 'node:net'
import { AnswerReader, headerOf } from './answer-reader.js'
import { outcomeOf } from './bounds.js'
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
 * reads, or late. What is counted is that nothing of it is answered by a fault.
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
        }
      }),
    )
  }

  /** Writes many requests at once, reads their answers, and often leaves before the last. */
  async #pipeline(): Promise<void> {
    const { random } = this.options
    const requests = Array.from({ length: 1 + random.below(PIPELINED_MAX) }, () => this.#request())
    const { socket, answers } = this.#send(requests.length, requests.join(''))
    await this.#until(socket, () => isEnough(answers, requests.length) || (answers.isBetween && random.isLucky(0.02)))
    this.#leave(socket, answers, requests.join(''))
  }

  /** Sends a part of a request and leaves, or waits. */
  async #halfSend(): Promise<void> {
    const { random } = this.options
    const request = this.#request()
    const { socket, answers } = this.#send(1, Buffer.from(request).subarray(0, random.below(request.length)))
    await this.#until(socket, () => answers.isBetween && random.isLucky(0.2))
    this.#leave(socket, answers, request)
  }

  /** Asks for what is large, reads nothing of it for a while, and then leaves, or reads what has been kept for it. */
  async #readSlowly(): Promise<void> {
    const { random } = this.options
    const requests = Array.from({ length: 1 + random.below(10) }, () => get(random.pick(LARGE)))
    const { socket, answers } = this.#send(requests.length, requests.join(''))
    socket.pause()
    await this.#until(socket, () => random.isLucky(0.2))
    if (random.isLucky(0.5)) {
      socket.resume()
      await this.#until(socket, () => isEnough(answers, requests.length))
    }
    this.#leave(socket, answers, requests.join(''))
  }

  #send(count: number, bytes: string | Buffer): { socket: Socket; answers: AnswerReader } {
    this.#sent += count
    this.options.tally.sent('connections', count)
    const { hostname, port } = new URL(this.options.url)
    const socket = connect(Number(port), hostname)
    const answers = new AnswerReader()
    socket.on('error', () => undefined).on('data', (data: Buffer) => answers.take(data.toString('latin1')))
    socket.write(bytes)
    return { socket, answers }
  }

  /** Counts what was answered; of the last answer perhaps a part. */
  #leave(socket: Socket, { whole, begun, isGarbled }: AnswerReader, sent: string): void {
    const { tally } = this.options
    socket.destroy()
    for (const answer of begun ? [...whole, begun] : whole) {
      const { status, head, body } = answer
      const outcome = outcomeOf(status, headerOf(answer, 'retry-after') !== undefined, body)
      tally.count('connections', outcome, 0, () => `${sent.slice(0, 500)} -> ${head}\n${body.slice(0, 500)}`)
    }
    if (isGarbled) tally.fault('connections', 'something between the answers', sent.slice(0, 500))
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

  /** Resolves when this holds, the connection ends, or it has been left long enough. */
  async #until(socket: Socket, isDone: () => boolean): Promise<void> {
    const endsAt = performance.now() + LEFT_MS_MAX
    while (!socket.destroyed && !socket.readableEnded && performance.now() < endsAt && !isDone()) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`

/** Tells whether all have been answered, or nothing can be read of what comes. */
const isEnough = (answers: AnswerReader, count: number): boolean => answers.whole.length >= count || answers.isGarbled

function decodeSafely(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
