import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

/** Source of time and identifiers; tests substitute a fake. */
export interface Clock {
  now(): Date
  /** Returns a UUIDv7; ids increase within a process. */
  newId(): string
  /** Factor by which recurring rounds come sooner: with 10, what is looked at each second is each 100 ms. For tests; default: 1. */
  readonly pace?: number
}

/** Returns the time between two rounds, for timers and caches of this length. */
export const pacedMs = ({ pace = 1 }: Pick<Clock, 'pace'>, ms: number): number => ms / pace

const RANDOM_BYTES = 16
const RANDOM_IDS = 256

/** The machine's own clock, for tools and tests. A server uses the database's, see `database-clock.ts`. */
export const systemClock: Clock = { now: () => new Date(), newId: createIdSource(Date.now) }

/**
 * Creates a source of UUIDv7s that increase within the process. Random bytes are generated for many ids at once: one
 * call per id would cost more than the rest of the id.
 */
export function createIdSource(time: () => number): () => string {
  const pool = Buffer.allocUnsafe(RANDOM_BYTES * RANDOM_IDS)
  let used = pool.length
  let msecs = -Infinity
  let seq = 0
  return () => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const random = pool.subarray(used, (used += RANDOM_BYTES))
    const now = time()
    if (now > msecs) {
      msecs = now
      // 31 random bits, which leaves room to count up.
      seq = random.readUInt32BE(6) & 0x7fffffff
    } else {
      // The clock stood still or was set back. The counter has 32 bits; when it overflows, the time is advanced.
      seq = (seq + 1) | 0
      if (seq === 0) msecs++
    }
    return v7({ random, msecs, seq })
  }
}

/** Returns the least id that is made at a time or later: ids are in order of creation, and indexed. */
export function leastIdAt(at: Date): string {
  const time = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Narrows to a UUID. Every id is a UUID, so a lookup by anything else finds nothing. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value)
}
