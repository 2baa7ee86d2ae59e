/** An unfragmented text frame; a server's frames are not masked (RFC 6455, 5.2). */
const FINAL_TEXT = 0x81

/** The id of a subscription, encoded for a frame. Clients number from 1 or use UUIDs. */
export type EncodedId = Buffer

const encodedIds = new Map<string, EncodedId>()
const ENCODED_IDS_MAX = 1_000

/** Short ids, which many sockets have in common, share one buffer. */
export function encodeId(id: string): EncodedId {
  let encoded = encodedIds.get(id)
  if (!encoded) {
    encoded = Buffer.from(JSON.stringify(id))
    if (id.length <= 4 && encodedIds.size < ENCODED_IDS_MAX) encodedIds.set(id, encoded)
  }
  return encoded
}

/** A text frame that is built when it is written; until then it costs a waiting socket only a reference. */
export interface Frame {
  /** Size of the whole frame. */
  byteLength(id: EncodedId): number
  /** @returns the offset after the frame */
  writeTo(target: Buffer, at: number, id: EncodedId): number
  /** Returns the frame in memory that the next call may overwrite, unless `keep` is called first. */
  take(id: EncodedId): Buffer
  /** Preserves the last frame taken for this id, which is still to be sent. */
  keep(id: EncodedId): void
  /** Returns the frame without copying shared parts; must not be modified, since others may be sent the same. */
  pieces(id: EncodedId): readonly Buffer[]
}

/** Replaces the id in frames that have none. */
export const NO_ID: EncodedId = Buffer.alloc(0)

/** A message to one socket. */
export class MessageFrame implements Frame {
  readonly #frame: Buffer

  constructor(text: string) {
    const length = Buffer.byteLength(text)
    const start = headerLength(length)
    this.#frame = Buffer.allocUnsafe(start + length)
    writeHeader(this.#frame, 0, length)
    this.#frame.write(text, start)
  }

  byteLength(): number {
    return this.#frame.length
  }

  writeTo(target: Buffer, at: number): number {
    return at + this.#frame.copy(target, at)
  }

  take(): Buffer {
    return this.#frame
  }

  keep(): void {
    // Used by this socket only.
  }

  pieces(): readonly Buffer[] {
    return [this.#frame]
  }
}

/** The frames of one `next` message for any number of subscribers, which differ only in the subscription's id. */
export class NextFrames implements Frame {
  /** Everything after the id. */
  readonly #shared: Buffer
  /** Frames by the length of their id: a frame that was sent is reused for the next id of that length. */
  readonly #made = new Map<number, Buffer>()

  #event: EventFrame | null = null

  /**
   * @param payload the execution result as JSON
   * @param cursor position of a client that has received it
   */
  constructor(
    payload: string,
    private readonly cursor?: string,
    /** True for a part that slow clients are spared. */
    readonly isPart = false,
  ) {
    this.#shared = Buffer.from(`${BEFORE_PAYLOAD}${payload}}`)
  }

  /** Returns the same as a server-sent event, made once for all who get it so. */
  get event(): EventFrame {
    const payload = this.#shared.subarray(BEFORE_PAYLOAD.length, -1)
    return (this.#event ??= EventFrame.of('next', payload, this.cursor))
  }

  byteLength(id: EncodedId): number {
    const length = this.#length(id)
    return headerLength(length) + length
  }

  writeTo(target: Buffer, at: number, id: EncodedId): number {
    const end = this.#writeHead(target, at, id)
    return end + this.#shared.copy(target, end)
  }

  take(id: EncodedId): Buffer {
    let frame = this.#made.get(id.length)
    if (frame) {
      id.copy(frame, frame.length - this.#shared.length - id.length)
      return frame
    }
    frame = Buffer.allocUnsafeSlow(this.byteLength(id))
    this.writeTo(frame, 0, id)
    this.#made.set(id.length, frame)
    return frame
  }

  keep(id: EncodedId): void {
    this.#made.delete(id.length)
  }

  pieces(id: EncodedId): readonly Buffer[] {
    const head = Buffer.allocUnsafe(this.byteLength(id) - this.#shared.length)
    this.#writeHead(head, 0, id)
    return [head, this.#shared]
  }

  #writeHead(target: Buffer, at: number, id: EncodedId): number {
    const start = writeHeader(target, at, this.#length(id))
    const idAt = start + BEFORE_ID.copy(target, start)
    return idAt + id.copy(target, idAt)
  }

  #length(id: EncodedId): number {
    return BEFORE_ID.length + id.length + this.#shared.length
  }
}

/** An event of a stream of server-sent events (HTML standard, 9.2). */
export class EventFrame implements Frame {
  readonly #bytes: Buffer

  private constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /**
   * @param data without line ends, as JSON is
   * @param id with which a client comes back, in `Last-Event-ID`
   */
  static of(event: 'next' | 'complete', data: Buffer | string, id?: string): EventFrame {
    const head = `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: `
    return new EventFrame(Buffer.concat([Buffer.from(head), Buffer.from(data), Buffer.from('\n\n')]))
  }

  byteLength(): number {
    return this.#bytes.length
  }

  writeTo(target: Buffer, at: number): number {
    return at + this.#bytes.copy(target, at)
  }

  take(): Buffer {
    return this.#bytes
  }

  keep(): void {
    // Nobody writes to it.
  }

  pieces(): readonly Buffer[] {
    return [this.#bytes]
  }
}

const BEFORE_PAYLOAD = ',"type":"next","payload":'
const BEFORE_ID = Buffer.from('{"id":')

function headerLength(length: number): number {
  if (length < 126) return 2
  return length < 65_536 ? 4 : 10
}

/** @returns the offset after the header */
function writeHeader(frame: Buffer, at: number, length: number): number {
  frame[at] = FINAL_TEXT
  if (length < 126) {
    frame[at + 1] = length
  } else if (length < 65_536) {
    frame[at + 1] = 126
    frame.writeUInt16BE(length, at + 2)
  } else {
    frame[at + 1] = 127
    frame.writeUInt32BE(Math.floor(length / 2 ** 32), at + 2)
    frame.writeUInt32BE(length % 2 ** 32, at + 6)
  }
  return at + headerLength(length)
}
