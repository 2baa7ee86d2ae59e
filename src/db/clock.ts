import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

/** Time and identifiers of the product; tests put a fake in their place. */
export interface Clock {
  now(): Date
  /** A UUIDv7, growing within a process. */
  newId(): string
}

const RANDOM_BYTES = 16
const RANDOM_IDS = 256

/** The machine's own clock: of tools and tests. A server's is the database's, see `database-clock.ts`. */
export const systemClock: Clock = { now: () => new Date(), newId: createIdSource(Date.now) }

/**
 * UUIDv7s of this time that grow within the process. Random bytes are fetched for many at once: one by one they cost more than all
 * the rest of an id.
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
      // 31 random bits: room to count up from.
      seq = random.readUInt32BE(6) & 0x7fffffff
    } else {
      // The clock stands, or was put back. 32 bits: past them the time goes on by itself.
      seq = (seq + 1) | 0
      if (seq === 0) msecs++
    }
    return v7({ random, msecs, seq })
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What is no UUID is no id of ours: a lookup by it finds nothing. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value)
}
