import type { Socket } from 'node:net'
import { NO_ID, type EncodedId, type Frame } from './frames.js'

/** Sockets written to in one turn; then others get theirs, and what waits in the process goes on. */
const SOCKETS_A_TURN = 512
/** A frame up to this size is copied for each socket, and with others up to that one. */
const COPIED_FRAME_BYTES_MAX = 4_096
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
  readonly scratch = new Scratch()
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
  /** Mostly the only one that waits: thousands of sockets then make nothing for it. */
  #first: Frame | null = null
  #firstId: EncodedId = NO_ID
  /** Frames behind the first, each with its id behind it. */
  #more: (Frame | EncodedId)[] | null = null
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
    this.#waitingBytes += frame.byteLength(id)
    if (this.#first !== null) {
      this.#more ??= []
      this.#more.push(frame, id)
      return
    }
    this.#first = frame
    this.#firstId = id
    this.outbox.schedule(this)
  }

  flush(): void {
    const first = this.#first
    if (first === null) return
    const id = this.#firstId
    const more = this.#more
    const bytes = this.#waitingBytes
    this.clear()
    const { socket } = this
    if (!this.isOpen() || !socket.writable) return
    if (bytes <= (more === null ? COPIED_FRAME_BYTES_MAX : COPIED_BYTES_MAX)) {
      // What the peer has not taken yet stands before it, and so it would be kept.
      const isTakenAtOnce = socket.writableLength === 0
      const buffer = isTakenAtOnce ? this.outbox.scratch.take(bytes) : Buffer.allocUnsafe(bytes)
      let end = first.writeTo(buffer, 0, id)
      if (more !== null) {
        for (let at = 0; at < more.length; at += 2) {
          end = (more[at] as Frame).writeTo(buffer, end, more[at + 1] as EncodedId)
        }
      }
      socket.write(buffer)
      if (isTakenAtOnce && socket.writableLength > 0) this.outbox.scratch.giveUp()
      return
    }
    socket.cork()
    for (const piece of first.pieces(id)) socket.write(piece)
    for (let at = 0; more !== null && at < more.length; at += 2) {
      for (const piece of (more[at] as Frame).pieces(more[at + 1] as EncodedId)) socket.write(piece)
    }
    socket.uncork()
  }

  /** Forgets what has not been written. */
  clear(): void {
    this.#first = null
    this.#more = null
    this.#waitingBytes = 0
  }
}

/**
 * Memory for what is about to be written. A socket that takes it at once, as nearly all do, leaves it for the next one:
 * a buffer for each would be most of what the garbage collector finds.
 */
class Scratch {
  #buffer: Buffer = Buffer.alloc(0)

  /** Holds until the next call. */
  take(bytes: number): Buffer {
    if (bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(bytes)))
    return this.#buffer.subarray(0, bytes)
  }

  /** What was taken last is kept by a socket, until its peer has taken it. */
  giveUp(): void {
    this.#buffer = Buffer.alloc(0)
  }
}
