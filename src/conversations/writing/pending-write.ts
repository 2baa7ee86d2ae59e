import type { Context } from '../../context.js'
import type { DomainError } from '../../errors.js'
import type { LeasedJob } from '../../jobs/job.js'
import type { Aggregate } from './conversation-state.js'
import type { ConversationDraft } from './conversation-draft.js'
import type { QueuedWrite } from './write-queue.js'

export type Operation<T> = (draft: ConversationDraft) => T | Promise<T>

export interface OperationOptions {
  /** The job that this operation does: it ends in the same transaction. */
  job?: LeasedJob
  /** Run in a transaction of its own: the operation writes by itself, beyond its draft. */
  isExclusive?: boolean
  /**
   * It writes by itself, but may do so together with others: rows that nobody else is likely to write. When it is
   * refused, the others of its transaction are done again.
   */
  writesItself?: boolean
  /** A conversation that the operation makes, as it is before the first message. */
  newAggregate?: Aggregate
  /** It sends to the contact: the ways to it are read together with the lock. */
  delivers?: boolean
  /** Other conversations that the operation changes: they are locked with it, and its work has them in `others`. */
  alsoLock?: readonly string[]
  /** About what the operation holds of memory while it waits. */
  bytes?: number
  /** Its cost, in sends. */
  cost?: number
}

/** Operations were refused after they had written by themselves: their transaction was undone. */
export class WritesRefused extends Error {
  constructor(readonly refused: ReadonlyMap<PendingWrite, DomainError>) {
    super(`${refused.size} operations were refused after they had written`)
  }
}

/** An operation that waits to be decided, written and committed. */
export interface PendingWrite extends OperationOptions, QueuedWrite {
  readonly ctx: Context
  /** All that it locks: its own conversation first, then the others. */
  readonly ids: readonly string[]
  readonly bytes: number
  readonly cost: number
  readonly operation: Operation<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}
