import type { Socket } from 'node:net'
import type { EncodedId, Frame } from './frames.js'

/** Sockets written to in one turn; then others get theirs, and what waits in the process goes on. */
const SOCKETS_A_TURN = 512
/** What waits for a socket is written as one buffer up to this size. */
const COPIED_BYTES_MAX = 32_768
/** After sockets have been written to, the next writing waits for this part of the time that it took, … */
const REST_SHARE = 1
/** … and never longer than this. */
const REST_MS_MAX = 20

/**
 * What is written to sockets within one turn of the event loop goes out together, one system call a socket: a burst
 * costs a fraction of its frames sent one by one. While events come faster than a large audience can be written to, what
 * is ready rests for about as long as the last writing took, and several events share a system call; an event that comes
 * by itself never waits.
 */
export class Outbox {
  #dirty: SocketOutbox[] = []
  #scheduled = false
  /** Of the writing under way or the last one, which may take several turns. */
  #spentMs = 0
  #restsUntil = 0

  /** @param isOpen false from when either side has sent its close frame: nothing may follow that */
  open(socket: Socket, isOpen: () => boolean): SocketOutbox {
    return new SocketOutbox(socket, isOpen, this)
  }

  schedule(outbox: SocketOutbox): void {
    this.#dirty.push(outbox)
    if (this.#scheduled) return
    this.#scheduled = true
    this.#spentMs = 0
    const restMs = this.#restsUntil - performance.now()
    if (restMs > 0) setTimeout(() => this.#flush(), restMs)
    else setImmediate(() => this.#flush())
  }

  #flush(): void {
    const startedAt = performance.now()
    const now = this.#dirty
    this.#dirty = now.length > SOCKETS_A_TURN ? now.splice(SOCKETS_A_TURN) : []
    this.#scheduled = this.#dirty.length > 0
    if (this.#scheduled) setImmediate(() => this.#flush())
    for (const outbox of now) outbox.flush()
    const endedAt = performance.now()
    this.#spentMs += endedAt - startedAt
    this.#restsUntil = endedAt + Math.min(REST_MS_MAX, this.#spentMs * REST_SHARE)
  }
}

/** Frames on their way to one socket. Nothing else may write text frames to it. */
export class SocketOutbox {
  /** Frames, each with its id behind it: a burst to thousands of sockets waits here, and is to be no object for each. */
  #waiting: (Frame | EncodedId)[] = []
  #waitingBytes = 0

  constructor(
    private readonly socket: Socket,
    private readonly isOpen: () => boolean,
    private readonly outbox: Outbox,
  ) {}

  /** Bytes that the peer has not taken yet. */
  get bytes(): number {
    return this.#waitingBytes + this.socket.writableLength
  }

  push(frame: Frame, id: EncodedId): void {
    if (this.#waiting.length === 0) this.outbox.schedule(this)
    this.#waiting.push(frame, id)
    this.#waitingBytes += frame.byteLength(id)
  }

  flush(): void {
    const waiting = this.#waiting
    const bytes = this.#waitingBytes
    if (waiting.length === 0) return
    this.clear()
    if (!this.isOpen() || !this.socket.writable) return
    // Making small frames in one buffer costs less than handing each to the stream.
    if (waiting.length > 2 && bytes <= COPIED_BYTES_MAX) {
      const together = Buffer.allocUnsafe(bytes)
      let at = 0
      for (let index = 0; index < waiting.length; index += 2) {
        at = (waiting[index] as Frame).writeTo(together, at, waiting[index + 1] as EncodedId)
      }
      this.socket.write(together)
      return
    }
    this.socket.cork()
    for (let index = 0; index < waiting.length; index += 2) {
      const pieces = (waiting[index] as Frame).pieces(waiting[index + 1] as EncodedId)
      for (const piece of pieces) this.socket.write(piece)
    }
    this.socket.uncork()
  }

  /** Forgets what has not been written. */
  clear(): void {
    this.#waiting = []
    this.#waitingBytes = 0
  }
}
