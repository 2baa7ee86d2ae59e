import type { Socket } from 'node:net'
import type { EncodedId, Frame } from './frames.js'

/** Sockets written to in one turn; then others get theirs, and what waits in the process goes on. */
const SOCKETS_A_TURN = 512
/** What waits for a socket is written as one buffer up to this size. */
const COPIED_BYTES_MAX = 32_768

/**
 * What is written to sockets within one turn of the event loop goes out together, one system call a socket: a burst
 * costs a fraction of its frames sent one by one.
 */
export class Outbox {
  #dirty: SocketOutbox[] = []
  #scheduled = false

  /** @param isOpen false from when either side has sent its close frame: nothing may follow that */
  open(socket: Socket, isOpen: () => boolean): SocketOutbox {
    return new SocketOutbox(socket, isOpen, this)
  }

  schedule(outbox: SocketOutbox): void {
    this.#dirty.push(outbox)
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    const now = this.#dirty
    this.#dirty = now.length > SOCKETS_A_TURN ? now.splice(SOCKETS_A_TURN) : []
    this.#scheduled = this.#dirty.length > 0
    if (this.#scheduled) setImmediate(() => this.#flush())
    for (const outbox of now) outbox.flush()
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
