/** Where a subscriber stands: the number it has of each stream, by the stream's key. */
export interface Position {
  epoch: number
  numbers: ReadonlyMap<number, number>
}

/** Short and opaque: base64url of varints (epoch, then key and number of each stream, keys ascending). */
export function writeCursor(position: Position): string {
  const bytes: number[] = []
  writeVarint(bytes, position.epoch)
  for (const [key, number] of [...position.numbers].sort(([a], [b]) => a - b)) {
    writeVarint(bytes, key)
    writeVarint(bytes, number)
  }
  return Buffer.from(bytes).toString('base64url')
}

/** Null for what is no cursor of ours: the subscriber then gets a fresh snapshot, marked as such. */
export function readCursor(cursor: string): Position | null {
  if (cursor.length > CURSOR_LENGTH_MAX || !/^[\w-]+$/.test(cursor)) return null
  const values = readVarints(Buffer.from(cursor, 'base64url'))
  if (!values || values.length % 2 === 0) return null
  const numbers = new Map<number, number>()
  for (let index = 1; index < values.length; index += 2) numbers.set(values[index]!, values[index + 1]!)
  return { epoch: values[0]!, numbers }
}

/** A subscription names at most some hundreds of streams of a few bytes each. */
const CURSOR_LENGTH_MAX = 16_384

function writeVarint(bytes: number[], value: number): void {
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

function readVarints(bytes: Uint8Array): number[] | null {
  const values: number[] = []
  let value = 0
  let scale = 1
  for (const byte of bytes) {
    value += (byte % 128) * scale
    if (value > Number.MAX_SAFE_INTEGER) return null
    if (byte < 128) {
      values.push(value)
      value = 0
      scale = 1
    } else {
      scale *= 128
    }
  }
  return scale === 1 ? values : null
}
