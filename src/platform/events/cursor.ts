import type { StreamPosition } from './event.js'

/** A subscriber's position: the last event that it has of each stream, by the stream's key. */
export type CursorPositions = ReadonlyMap<number, StreamPosition>

/** Prefix of the format: a cursor of another one gets its subscriber a fresh snapshot. */
const FORM = '1.'
const VALUES_PER_STREAM = 3

/** Encodes positions, short and opaque: base64url of varints (key, number and tag of each stream, keys ascending). */
export function writeCursor(positions: CursorPositions): string {
  const bytes: number[] = []
  for (const [key, { number, tag }] of [...positions].sort(([a], [b]) => a - b)) {
    writeVarint(bytes, key)
    writeVarint(bytes, number)
    writeVarint(bytes, tag)
  }
  return FORM + Buffer.from(bytes).toString('base64url')
}

/** Returns null for an invalid cursor: the subscriber then gets a fresh snapshot, marked as such. */
export function readCursor(cursor: string): CursorPositions | null {
  if (cursor.length > CURSOR_LENGTH_MAX || !cursor.startsWith(FORM)) return null
  const text = cursor.slice(FORM.length)
  if (!/^[\w-]+$/.test(text)) return null
  const values = readVarints(Buffer.from(text, 'base64url'))
  if (!values || values.length % VALUES_PER_STREAM !== 0) return null
  const positions = new Map<number, StreamPosition>()
  for (let at = 0; at < values.length; at += VALUES_PER_STREAM) {
    positions.set(values[at]!, { number: values[at + 1]!, tag: values[at + 2]! })
  }
  return positions
}

/** A subscription has at most some hundreds of streams of some bytes each. */
const CURSOR_LENGTH_MAX = 32_768

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
