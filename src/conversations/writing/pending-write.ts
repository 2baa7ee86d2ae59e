import type { Context } from '../../context.js'
import type { DomainError } from '../../errors.js'
import type { LeasedJob } from '../../jobs/job.js'
import type { Aggregate } from './conversation-state.js'
import type { ConversationDraft } from './conversation-draft.js'
import type { QueuedWrite } from './write-queue.js'

export type Operation<T> = (draft: ConversationDraft) => T | Promise<T>

export interface OperationOptions {
  /** The job that this operation completes, in the same transaction. */
  job?: LeasedJob
  /** Whether the operation needs a transaction of its own, because it writes directly, not only through its draft. */
  isExclusive?: boolean
  /**
   * Whether the operation writes directly, but may share a transaction: its rows are unlikely to be written by others.
   * If it is refused, the other operations of the transaction are repeated.
   */
  writesItself?: boolean
  /** The initial state of a conversation that the operation creates. */
  newAggregate?: Aggregate
  /** Whether the operation sends to the contact: the touchpoints that reach it are then read together with the lock. */
  delivers?: boolean
  /** Other conversations that the operation changes: locked together, and available as `others`. */
  alsoLock?: readonly string[]
  /** Estimated memory held while the operation waits. */
  bytes?: number
  /** Its cost, in sends. */
  cost?: number
}

/** Operations were refused after they had written directly: their transaction was rolled back. */
export class WritesRefused extends Error {
  constructor(readonly refused: ReadonlyMap<PendingWrite, DomainError>) {
    super(`${refused.size} operations were refused after they had written`)
  }
}

/** An operation that waits to be decided, written and committed. */
export interface PendingWrite extends OperationOptions, QueuedWrite {
  readonly ctx: Context
  /** Ids of all conversations to lock: the operation's own first, then the others. */
  readonly ids: readonly string[]
  readonly bytes: number
  readonly cost: number
  readonly operation: Operation<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}
