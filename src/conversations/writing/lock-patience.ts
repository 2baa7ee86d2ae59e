import type { PendingWrite } from './pending-write.js'

/** How long a transaction waits for a lock, in ms. */
export interface LockWaits {
  /** Of rows that are written once or seldom: a contact's identifier, an idempotency key, a channel. */
  rows: number
  /** Of the counters of streams, which every writer of a queue or an inbox holds until its commit. */
  streams: number
}

/**
 * In transactions as they usually are: whoever holds a lock for longer is none of them, or is stuck itself. What goes
 * apart keeps only its own tenant waiting, and may be one of many that write to one queue.
 */
const SHARED = { rows: { usual: 1.5, min: 8 }, streams: { usual: 3, min: 12 } }
const APART = { rows: { usual: 1.5, min: 8 }, streams: { usual: 8, min: 40 } }
const MS_MAX = 500
/** What goes alone keeps only its own kind waiting; what is much to do again, such as an import, waits longer. */
const HELD_MS = 250
const EXCLUSIVE_MS = 500
const HELD_EXCLUSIVE_MS = 3_000
/** How much the last transaction counts. */
const WEIGHT = 0.1

/**
 * How long writes wait for locks. Nodes wait for each other as a rule, until the other's commit. That takes about as long
 * as commits take here at the moment, so the limits follow them: they are short where a foreign lock would hurt, and long
 * where everything is slow.
 */
export class LockPatience {
  #usualMs = 20

  /** @param first of the writes that are done together */
  of({ lane, isExclusive = false }: PendingWrite): LockWaits {
    if (lane === 'held') return both(isExclusive ? HELD_EXCLUSIVE_MS : HELD_MS)
    if (isExclusive) return both(EXCLUSIVE_MS)
    const { rows, streams } = lane === 'shared' ? SHARED : APART
    return { rows: this.#ms(rows), streams: this.#ms(streams) }
  }

  /** A transaction was committed. */
  committed(ms: number): void {
    this.#usualMs += WEIGHT * (Math.min(ms, MS_MAX) - this.#usualMs)
  }

  #ms({ usual, min }: { usual: number; min: number }): number {
    return Math.round(Math.min(MS_MAX, Math.max(min, usual * this.#usualMs)))
  }
}

const both = (ms: number): LockWaits => ({ rows: ms, streams: ms })
