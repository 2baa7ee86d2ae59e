import type { Context } from '../../context.js'
import type { DomainError } from '../../errors.js'
import type { LeasedJob } from '../../jobs/job.js'
import type { Aggregate } from './conversation-state.js'
import type { TraceOrigin } from '../../tracing/tracing.js'
import type { ConversationDraft } from './conversation-draft.js'
import type { WritingDraft } from './writing-draft.js'
import type { QueuedWrite } from './write-queue.js'

/** Reads, and changes its draft. */
export type Operation<T> = (draft: ConversationDraft) => T | Promise<T>

/** Also issues statements of its own. */
export type WritingOperation<T> = (draft: WritingDraft) => T | Promise<T>

/**
 * An operation with what it may do:
 * - `reads`: shares its transaction. If it is refused, it leaves nothing behind.
 * - `writes`: issues statements, and shares its transaction, since others are unlikely to write the same rows. If it is
 *   refused, the other operations of the transaction are repeated.
 * - `exclusive`: issues statements, and has a transaction of its own.
 */
export type Work =
  | { readonly kind: 'reads'; readonly operation: Operation<unknown> }
  | { readonly kind: 'writes' | 'exclusive'; readonly operation: WritingOperation<unknown> }

export interface OperationOptions {
  /** The job that this operation completes, in the same transaction. */
  job?: LeasedJob
  /** The initial state of a conversation that the operation creates. */
  newAggregate?: Aggregate
  /** Whether the operation sends to the contact: the touchpoints that reach it are then read together with the lock. */
  delivers?: boolean
  /** Other conversations that the operation changes: locked together, and available as `others`. */
  alsoLock?: readonly string[]
  /** Agents to whom the operation may give work: their rows are locked and their loads counted, see `claims`. */
  claims?: readonly string[]
  /** How long it may wait for its turn and for rows that others have locked, in ms; 10 s by default. */
  waitMsMax?: number
  /** Level-1 organization whose turn it takes if the caller has none, where it is known. */
  tenant?: string
  /** In whose line of that organization it waits, if nobody called: what does one kind of work takes turns with the others. */
  caller?: string
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
export interface PendingWrite extends OperationOptions, QueuedWrite, TraceOrigin {
  readonly tenant: string
  readonly caller: string
  readonly waitMsMax?: number
  readonly ctx: Context
  /** Ids of all conversations to lock: the operation's own first, then the others. */
  readonly ids: readonly string[]
  readonly bytes: number
  readonly cost: number
  readonly work: Work
  resolve(value: unknown): void
  reject(error: unknown): void
}
