import type { Socket } from 'node:net'
import { networkOf } from './network-of.js'

const MEBIBYTE = 1_024 * 1_024

/** Smaller answers are not counted: a connection has few of them, since it is not read from while they wait. */
export const LARGE_ANSWER_BYTES = 16_384

export interface UnreadLimits {
  total: number
  /** Limit per network address. */
  perAddress: number
  /** Limit per connection; a single answer may be larger (`answer-size.ts` bounds it). */
  perConnection: number
}

/** Behind an untrusted proxy all clients have one address. */
const LIMITS: Readonly<UnreadLimits> = {
  total: 256 * MEBIBYTE,
  perAddress: 128 * MEBIBYTE,
  perConnection: 32 * MEBIBYTE,
}
/** An HTTP client that accepts nothing of an answer for this long is cut off. */
const STALL_MS_MAX = 60_000

/** A connection whose client has not accepted everything that was sent to it. */
export interface UnreadConnection {
  readonly address: string
  /** Bytes that the client has not accepted, held in memory. */
  readonly unreadBytes: number
  /** Ends the connection at once, which frees them. */
  cut(): void
}

/**
 * Limits the bytes of answers that wait in memory for clients to read them, of all connections together: a client that
 * asks much and reads nothing would otherwise hold as much as it likes. Nobody is refused: the connection that has held
 * the most for the longest time is cut off.
 */
export class UnreadAnswers {
  /** By the time since when they have had unread bytes. */
  readonly #since = new Map<UnreadConnection, number>()
  readonly #http = new WeakMap<Socket, HttpConnection>()

  constructor(private readonly limits: UnreadLimits = LIMITS) {}

  get total(): number {
    let bytes = 0
    for (const { unreadBytes } of this.#since.keys()) bytes += unreadBytes
    return bytes
  }

  /** Notes that a large answer was written to the connection. */
  wrote(connection: UnreadConnection): void {
    if (!this.#since.has(connection)) this.#since.set(connection, performance.now())
    const network = networkOf(connection.address)
    this.#bound(this.limits.total, () => true)
    this.#bound(
      this.limits.perAddress,
      ({ address }) => address === connection.address || networkOf(address) === network,
    )
  }

  /** Counts an answer over HTTP until the client has accepted it. @returns what to call then */
  answered(socket: Socket, address: string, bytes: number): () => void {
    let connection = this.#http.get(socket)
    if (!connection) this.#http.set(socket, (connection = new HttpConnection(socket, address)))
    const isFirst = connection.unreadBytes === 0
    const accepted = connection.add(bytes)
    if (!isFirst && connection.unreadBytes > this.limits.perConnection) connection.cut()
    else this.wrote(connection)
    // Node resets it once the answer was sent.
    socket.setTimeout(STALL_MS_MAX)
    return accepted
  }

  #bound(max: number, counts: (connection: UnreadConnection) => boolean): void {
    const now = performance.now()
    let held = 0
    let worst: UnreadConnection | null = null
    let worstRank = 0
    for (const [connection, since] of this.#since) {
      const { unreadBytes } = connection
      if (unreadBytes < LARGE_ANSWER_BYTES) {
        this.#since.delete(connection)
      } else if (counts(connection)) {
        held += unreadBytes
        const rank = unreadBytes * (now - since + 1)
        if (rank > worstRank) [worst, worstRank] = [connection, rank]
      }
    }
    if (held <= max || !worst) return
    this.#since.delete(worst)
    worst.cut()
    this.#bound(max, counts)
  }
}

class HttpConnection implements UnreadConnection {
  unreadBytes = 0

  constructor(
    private readonly socket: Socket,
    readonly address: string,
  ) {
    // Responses queued behind it are not notified.
    socket.once('close', () => (this.unreadBytes = 0))
  }

  /** @returns what to call when the client has accepted them */
  add(bytes: number): () => void {
    if (this.socket.destroyed) return () => undefined
    this.unreadBytes += bytes
    return () => void (this.unreadBytes = Math.max(0, this.unreadBytes - bytes))
  }

  cut(): void {
    this.socket.destroy()
  }
}
