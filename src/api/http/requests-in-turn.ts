import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LoopTurns } from '../../platform/fairness/loop-turns.js'
import { limitChunks } from '../../platform/limits/chunk-size.js'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const HEAD_END = '\r\n\r\n'
/** A body of unannounced length is parsed in pieces of this size: what follows it may come along with one. */
const PIECE_BYTES = 1_024
const [CR, LF] = [13, 10]
/** Requests that were sent ahead get a fifth of the process: whoever waits for its answers comes before. */
const REST_FACTOR = 4

/**
 * Creates an HTTP server that parses a request only after the one before it on its connection has been answered, and
 * stops reading meanwhile. What was sent ahead goes behind what was not. Node by itself begins all requests that arrive
 * together: with small requests and large answers, a client that reads nothing makes it hold thousands of them.
 */
export function createServerInTurn(handler: Handler): Server {
  const connections = new WeakMap<object, Connection>()
  const turns = new LoopTurns({ restFactor: REST_FACTOR })
  // Node's own refusals would not wait for their turn: see `refuse-headers.ts`.
  const server = createServer({ requireHostHeader: false })
  const begin = (request: IncomingMessage, response: ServerResponse): void =>
    connections.get(request.socket)!.begin(request, response)
  server.on('request', begin).on('checkExpectation', begin)
  server.on('connection', (socket) => {
    const { remoteAddress } = socket
    // It was reset before it was accepted.
    if (remoteAddress === undefined) return void socket.destroy()
    // Node forgets it when the connection ends; what still runs for it may ask.
    Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
    connections.set(socket, new Connection(socket, handler, turns))
  })
  server.on('upgrade', (_request, socket) => {
    connections.get(socket)!.handOver()
    if (server.listenerCount('upgrade') === 1) socket.destroy()
  })
  return server
}

class Connection {
  /** Received and not parsed. */
  #rest: Buffer | null = null
  /** The request whose answer is under way. */
  #current: IncomingMessage | null = null
  /** The last request parsed: its body may still be arriving. */
  #last: IncomingMessage | null = null
  /** Bytes of its body that have not arrived; 0 if that is not announced. */
  #bodyLeft = 0
  /** Parsed in one piece with the end of the body before them. */
  readonly #waiting: [IncomingMessage, ServerResponse][] = []
  #isPaused = false
  /** Nothing more of it is parsed. */
  #isCut = false
  readonly #parse: (piece: Buffer) => void

  constructor(
    private readonly socket: Socket,
    private readonly handler: Handler,
    private readonly turns: LoopTurns,
  ) {
    const [parse] = socket.listeners('data')
    this.#parse = parse as (piece: Buffer) => void
    socket.on('data', this.#take)
    socket.off('data', this.#parse)
    socket.once('close', () => this.#drop())
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#last = request
    this.#bodyLeft = Number(request.headers['content-length'] ?? 0)
    if (request.headers['transfer-encoding'] !== undefined) limitChunks(request, () => (this.#isCut = true))
    if (this.#current) this.#waiting.push([request, response])
    else this.#answer(request, response)
  }

  /** Gives the connection to the listeners of `upgrade`, with what has arrived behind the request. */
  handOver(): void {
    const { socket } = this
    socket.off('data', this.#take)
    if (this.#current) socket.destroy()
    else if (this.#rest) socket.unshift(this.#rest)
    this.#rest = null
  }

  readonly #take = (chunk: Buffer): void => {
    this.#rest = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk
    this.#parseRest()
  }

  #parseRest(): void {
    while (this.#rest && this.#mayParse()) {
      const rest: Buffer = this.#rest
      const length = this.#pieceOf(rest)
      this.#rest = length < rest.length ? rest.subarray(length) : null
      this.#parse(rest.subarray(0, length))
    }
    if (!this.#rest) return
    this.#isPaused = true
    this.socket.pause()
  }

  #mayParse(): boolean {
    if (this.socket.destroyed || this.#isCut || this.#waiting.length > 0) return false
    return this.#current === null || this.#last?.complete === false
  }

  /** Returns how much may be parsed so that no more than one request is completed, except behind a body's end. */
  #pieceOf(rest: Buffer): number {
    if (this.#last?.complete === false) {
      if (this.#bodyLeft === 0) return endOf(rest, PIECE_BYTES)
      const length = Math.min(rest.length, this.#bodyLeft)
      this.#bodyLeft -= length
      return length
    }
    // They may end a head that arrived before.
    let breaks = 0
    while (rest[breaks] === CR || rest[breaks] === LF) breaks += 1
    return breaks || endOf(rest, 0)
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.#current = request
    response.once('close', () => {
      this.#current = null
      // In a slice of the loop's turn, with a rest after it: however many connections have sent ahead, all others go on.
      if (this.#isPaused || this.#waiting.length > 0) this.turns.run(() => this.#goOn())
    })
    this.handler(request, response)
  }

  #goOn(): void {
    if (this.#current) return
    if (this.socket.writableEnded) return this.#drop()
    const next = this.#waiting.shift()
    if (next) this.#answer(...next)
    if (this.#isPaused) this.socket.resume()
    this.#isPaused = false
    this.#parseRest()
  }

  #drop(): void {
    this.#rest = null
    this.#waiting.length = 0
  }
}

function endOf(rest: Buffer, from: number): number {
  const at = rest.indexOf(HEAD_END, from)
  return at < 0 ? rest.length : at + HEAD_END.length
}
