import type { Socket } from 'node:net'
import { NO_ID, type EncodedId, type Frame } from './frames.js'

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
export class SocketWriteScheduler {
  readonly scratch = new Scratch()
  /** Of the next writing. */
  #dirty: SocketOutbox[] = []
  #isScheduled = false
  #spentMs = 0
  #restsUntil = 0

  open(socket: Socket, owner: OutboxOwner): SocketOutbox {
    return new SocketOutbox(socket, owner, this)
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

/** What one socket's frames need to know of it. */
export interface OutboxOwner {
  /** False from when either side has sent its close frame: nothing may follow that. */
  isOpen(): boolean
  /** Asked when the peer has not taken so many bytes: true when it gets no more, and the owner has seen to that. */
  isTooFarBehind(bytes: number): boolean
}

/** Frames on their way to one socket. Nothing else may write text frames to it. */
export class SocketOutbox {
  /** Bytes that have not been written to the socket yet. */
  waitingBytes = 0
  /** Mostly the only one that waits: thousands of sockets then make nothing for it. */
  #first: Frame | null = null
  #firstId: EncodedId = NO_ID
  /** Frames behind the first, each with its id behind it. */
  #more: (Frame | EncodedId)[] | null = null

  constructor(
    private readonly socket: Socket,
    private readonly owner: OutboxOwner,
    private readonly outbox: SocketWriteScheduler,
  ) {}

  /** Bytes that the peer has not taken yet. */
  get bytes(): number {
    return this.waitingBytes + this.socket.writableLength
  }

  /** Bytes that the peer's side has taken so far. */
  get taken(): number {
    return this.socket.bytesWritten - this.socket.writableLength
  }

  push(frame: Frame, id: EncodedId): void {
    this.waitingBytes += frame.byteLength(id)
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
    const { socket } = this
    const id = this.#firstId
    const more = this.#more
    const bytes = this.waitingBytes
    const untaken = socket.writableLength
    this.clear()
    if (!this.owner.isOpen() || !socket.writable) return
    // One frame may be larger than any bound.
    if (untaken > 0 && this.owner.isTooFarBehind(untaken + bytes - first.byteLength(id))) return
    if (untaken > 0 || bytes > COPIED_BYTES_MAX) writePieces(socket, first, id, more)
    else if (more !== null) this.#writeTogether(first, id, more, bytes)
    else {
      socket.write(first.take(id))
      if (socket.writableLength > 0) first.keep(id)
    }
  }

  /** Forgets what has not been written. */
  clear(): void {
    this.#first = null
    this.#more = null
    this.waitingBytes = 0
  }

  /** Making small frames in one buffer costs less than handing each to the stream. */
  #writeTogether(first: Frame, id: EncodedId, more: readonly (Frame | EncodedId)[], bytes: number): void {
    const {
      socket,
      outbox: { scratch },
    } = this
    const buffer = scratch.take(bytes)
    let end = first.writeTo(buffer, 0, id)
    for (let at = 0; at < more.length; at += 2) {
      end = (more[at] as Frame).writeTo(buffer, end, more[at + 1] as EncodedId)
    }
    socket.write(buffer)
    if (socket.writableLength > 0) scratch.giveUp()
  }
}

/** What is large, or has to wait for the peer: with the memory that all subscribers share. */
function writePieces(socket: Socket, first: Frame, id: EncodedId, more: readonly (Frame | EncodedId)[] | null): void {
  socket.cork()
  for (const piece of first.pieces(id)) socket.write(piece)
  for (let at = 0; more !== null && at < more.length; at += 2) {
    for (const piece of (more[at] as Frame).pieces(more[at + 1] as EncodedId)) socket.write(piece)
  }
  socket.uncork()
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
