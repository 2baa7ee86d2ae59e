import type { Socket } from 'node:net'
import type { EncodedId, Frame } from './frames.js'

/** Sockets written to in one turn; then others get theirs, and what waits in the process goes on. */
const SOCKETS_A_TURN = 512
/** What waits for a socket is written as one buffer up to this size. */
const COPIED_BYTES_MAX = 32_768
/** After a writing the next one waits as long as that took, and never longer than this. */
const REST_MS_MAX = 20

/**
 * What is written to sockets within one turn of the event loop goes out together, one system call a socket: a burst
 * costs a fraction of its frames sent one by one. While events come faster than a large audience can be written to, they
 * wait for the next writing, which rests a little before it begins, and so several share a system call; an event that
 * comes by itself never waits.
 */
export class Outbox {
  /** Of the next writing. */
  #dirty: SocketOutbox[] = []
  #isScheduled = false
  #spentMs = 0
  #restsUntil = 0

  /** @param isOpen false from when either side has sent its close frame: nothing may follow that */
  open(socket: Socket, isOpen: () => boolean): SocketOutbox {
    return new SocketOutbox(socket, isOpen, this)
  }

  schedule(outbox: SocketOutbox): void {
    this.#dirty.push(outbox)
    if (!this.#isScheduled) this.#scheduleNext()
  }

  #scheduleNext(): void {
    this.#isScheduled = true
    const restMs = this.#restsUntil - performance.now()
    if (restMs >= 1) setTimeout(() => this.#begin(), restMs)
    else setImmediate(() => this.#begin())
  }

  #begin(): void {
    const sockets = this.#dirty
    this.#dirty = []
    this.#spentMs = 0
    this.#write(sockets, 0)
  }

  #write(sockets: readonly SocketOutbox[], from: number): void {
    const startedAt = performance.now()
    const end = Math.min(sockets.length, from + SOCKETS_A_TURN)
    for (let index = from; index < end; index++) sockets[index]!.flush()
    const endedAt = performance.now()
    this.#spentMs += endedAt - startedAt
    if (end < sockets.length) {
      setImmediate(() => this.#write(sockets, end))
      return
    }
    this.#restsUntil = endedAt + Math.min(REST_MS_MAX, this.#spentMs)
    this.#isScheduled = false
    if (this.#dirty.length > 0) this.#scheduleNext()
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
