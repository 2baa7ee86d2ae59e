import type { PendingWrite } from './pending-write.js'

/** Time for which a transaction waits for a lock, in ms. */
export interface LockWaits {
  /** For rows that are written once or rarely: a contact's identifier, an idempotency key, a channel. */
  rows: number
  /** For counters of streams, which every writer of a queue or an inbox locks until its commit. */
  streams: number
}

/**
 * Factors of the usual duration of a transaction: a lock held for longer belongs to an unusual transaction, or to one
 * that is stuck itself. Writes in the bulkhead `tenant` delay only their own tenant, and may be some of many that write to
 * one queue.
 */
const SHARED = { rows: { usual: 1.5, min: 8 }, streams: { usual: 3, min: 12 } }
const TENANT = { rows: { usual: 1.5, min: 8 }, streams: { usual: 8, min: 40 } }
const MS_MAX = 500
/**
 * Writes in the bulkhead `blocked` delay only each other; exclusive operations such as imports are expensive to repeat, and
 * wait longer.
 */
const BLOCKED_MS = 250
const EXCLUSIVE_MS = 500
const BLOCKED_EXCLUSIVE_MS = 3_000
/** Weight of the last transaction in the average. */
const WEIGHT = 0.1

/**
 * Determines how long writes wait for locks. Nodes regularly wait for each other's commits, so the limits follow the
 * current duration of commits: short while commits are fast, longer when everything is slow.
 */
export class LockPatience {
  #usualMs = 20

  /** Returns the limits for a transaction. @param first the first of its writes */
  of({ bulkhead, work }: PendingWrite): LockWaits {
    const isExclusive = work.kind === 'exclusive'
    if (bulkhead === 'blocked') return both(isExclusive ? BLOCKED_EXCLUSIVE_MS : BLOCKED_MS)
    if (isExclusive) return both(EXCLUSIVE_MS)
    const { rows, streams } = bulkhead === 'shared' ? SHARED : TENANT
    return { rows: this.#ms(rows), streams: this.#ms(streams) }
  }

  /** Must be called when a transaction has been committed. */
  committed(ms: number): void {
    this.#usualMs += WEIGHT * (Math.min(ms, MS_MAX) - this.#usualMs)
  }

  #ms({ usual, min }: { usual: number; min: number }): number {
    return Math.round(Math.min(MS_MAX, Math.max(min, usual * this.#usualMs)))
  }
}

const both = (ms: number): LockWaits => ({ rows: ms, streams: ms })
