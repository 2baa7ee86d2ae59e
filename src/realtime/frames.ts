/** An unfragmented text frame; frames of a server are not masked (RFC 6455, 5.2). */
const FINAL_TEXT = 0x81
/** Above this, a frame's shared part is not copied for each socket. */
const COPIED_BYTES_MAX = 4_096

/** The id of a subscription as it stands in a frame. Clients number from 1 or use UUIDs. */
export type EncodedId = Buffer

const encodedIds = new Map<string, EncodedId>()
const ENCODED_IDS_MAX = 1_000

/** Short ids, which many sockets have in common, share one buffer and so one frame of each event. */
export function encodeId(id: string): EncodedId {
  let encoded = encodedIds.get(id)
  if (!encoded) {
    encoded = Buffer.from(JSON.stringify(id))
    if (id.length <= 4 && encodedIds.size < ENCODED_IDS_MAX) encodedIds.set(id, encoded)
  }
  return encoded
}

/** A message as one frame. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const start = headerLength(length)
  const frame = Buffer.allocUnsafe(start + length)
  writeHeader(frame, length)
  frame.write(text, start)
  return frame
}

/** The frames of one `next` message to any number of subscribers, which differ in the subscription's id only. */
export class NextFrames {
  /** Everything behind the id. */
  readonly #shared: Buffer
  #lastId: EncodedId | null = null
  #lastFrame: readonly Buffer[] = []

  /** @param payload the execution result as JSON */
  constructor(payload: string) {
    this.#shared = Buffer.from(`,"type":"next","payload":${payload}}`)
  }

  /** One frame in one or two pieces; not to be changed, since others may be sent the same. */
  of(id: EncodedId): readonly Buffer[] {
    if (id !== this.#lastId) {
      this.#lastId = id
      this.#lastFrame = this.#build(id)
    }
    return this.#lastFrame
  }

  #build(id: EncodedId): readonly Buffer[] {
    const length = BEFORE_ID.length + id.length + this.#shared.length
    const start = headerLength(length)
    const headLength = start + BEFORE_ID.length + id.length
    const isCopied = length <= COPIED_BYTES_MAX
    const frame = Buffer.allocUnsafe(isCopied ? start + length : headLength)
    writeHeader(frame, length)
    BEFORE_ID.copy(frame, start)
    id.copy(frame, start + BEFORE_ID.length)
    if (!isCopied) return [frame, this.#shared]
    this.#shared.copy(frame, headLength)
    return [frame]
  }
}

const BEFORE_ID = Buffer.from('{"id":')

function headerLength(length: number): number {
  if (length < 126) return 2
  return length < 65_536 ? 4 : 10
}

function writeHeader(frame: Buffer, length: number): void {
  frame[0] = FINAL_TEXT
  if (length < 126) {
    frame[1] = length
  } else if (length < 65_536) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeUInt32BE(Math.floor(length / 2 ** 32), 2)
    frame.writeUInt32BE(length % 2 ** 32, 6)
  }
}
