import type { Socket } from 'node:net'
import { LARGE_ANSWER_BYTES } from '../../platform/limits/unread-answers.js'
import { NO_ID, type EncodedId, type Frame } from './frames.js'

/** Sockets written to in one turn of the event loop; then other work in the process continues. */
const SOCKETS_A_TURN = 512
/** Waiting frames of a socket are combined into one buffer up to this size. */
const COPIED_BYTES_MAX = 32_768
/** After a round of writes, the next one waits as long as that took, up to this time. */
const REST_MS_MAX = 20

/**
 * Writes frames to sockets in batches: frames of one turn of the event loop need one system call per socket, which
 * costs a fraction of sending them one by one. While events arrive faster than a large audience can be written to, the
 * rounds are spaced out, so that several events share a system call; a single event never waits.
 */
export class SocketWriteScheduler {
  readonly scratch = new Scratch()
  /** Sockets of the next round. */
  #dirty: SocketOutbox[] = []
  #isScheduled = false
  #spentMs = 0
  #restsUntil = 0

  open(socket: ByteSink, owner: OutboxOwner): SocketOutbox {
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

/** Target of frames: a connection, or a response on one. */
export type ByteSink = Pick<Socket, 'writable' | 'writableLength' | 'bytesWritten' | 'cork' | 'uncork'> & {
  write(bytes: Buffer): boolean
}

/** The properties of a socket that its outbox needs. */
export interface OutboxOwner {
  /** False once either side has sent its close frame, after which nothing may be sent. */
  isOpen(): boolean
  /** Called when the peer has not accepted this many bytes; true if it gets no more, which the owner has dealt with. */
  isTooFarBehind(bytes: number): boolean
  /** Called when a large frame is added. */
  addsLarge(): void
}

/** Queues frames for one socket. Nothing else may write text frames to it. */
export class SocketOutbox {
  /** Bytes that have not been written to the socket yet. */
  waitingBytes = 0
  /** Usually the only waiting frame, so that thousands of sockets need not allocate anything. */
  #first: Frame | null = null
  #firstId: EncodedId = NO_ID
  /** Further frames, each followed by its id. */
  #more: (Frame | EncodedId)[] | null = null

  constructor(
    private readonly socket: ByteSink,
    private readonly owner: OutboxOwner,
    private readonly outbox: SocketWriteScheduler,
  ) {}

  /** Bytes that the peer has not yet accepted. */
  get bytes(): number {
    return this.waitingBytes + this.socket.writableLength
  }

  /** Bytes that the peer has accepted so far. */
  get taken(): number {
    return this.socket.bytesWritten - this.socket.writableLength
  }

  push(frame: Frame, id: EncodedId): void {
    const bytes = frame.byteLength(id)
    this.waitingBytes += bytes
    if (bytes > LARGE_ANSWER_BYTES) this.owner.addsLarge()
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
    // A single frame may exceed any limit.
    if (untaken > 0 && this.owner.isTooFarBehind(untaken + bytes - first.byteLength(id))) return
    if (untaken > 0 || bytes > COPIED_BYTES_MAX) writePieces(socket, first, id, more)
    else if (more !== null) this.#writeTogether(first, id, more, bytes)
    else {
      socket.write(first.take(id))
      if (socket.writableLength > 0) first.keep(id)
    }
  }

  /** Drops frames that have not been written. */
  clear(): void {
    this.#first = null
    this.#more = null
    this.waitingBytes = 0
  }

  /** Building small frames in one buffer costs less than passing each to the stream. */
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

/** Writes large frames, and those that must wait for the peer, from the memory shared by all subscribers. */
function writePieces(socket: ByteSink, first: Frame, id: EncodedId, more: readonly (Frame | EncodedId)[] | null): void {
  socket.cork()
  for (const piece of first.pieces(id)) socket.write(piece)
  for (let at = 0; more !== null && at < more.length; at += 2) {
    for (const piece of (more[at] as Frame).pieces(more[at + 1] as EncodedId)) socket.write(piece)
  }
  socket.uncork()
}

/**
 * Memory for the next write. A socket that accepts the data at once, as nearly all do, leaves it for the next one: a
 * buffer per write would make up most of the garbage.
 */
class Scratch {
  #buffer: Buffer = Buffer.alloc(0)

  /** Returns memory that is valid until the next call. */
  take(bytes: number): Buffer {
    if (bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(bytes)))
    return this.#buffer.subarray(0, bytes)
  }

  /** Abandons the memory last taken, which a socket keeps until its peer has accepted the data. */
  giveUp(): void {
    this.#buffer = Buffer.alloc(0)
  }
}
