import type { Purse } from '../../bots/purse.js'
import type { Context } from '../../../platform/context.js'
import type { DomainError } from '../../../platform/errors.js'
import type { LeasedJob } from '../../../platform/jobs/job.js'
import type { Aggregate } from '../state/conversation-state.js'
import type { Share } from '../../../platform/fairness/share.js'
import type { TraceOrigin } from '../../../platform/tracing/tracing.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { WritingChange } from '../state/writing-change.js'
import type { QueuedWrite } from './write-queue.js'

/** Reads, and changes its conversation. */
export type Operation<T> = (change: ConversationChange) => T | Promise<T>

/** Also issues statements of its own. */
export type WritingOperation<T> = (change: WritingChange) => T | Promise<T>

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
  /** True if the operation sends to the contact: the touchpoints that reach it are then read together with the lock. */
  delivers?: boolean
  /**
   * A second operation on the same conversation, in the same transaction: it decides on the outcome of the first as if that had been
   * committed, with milestones of its own, and its answer is the answer. Only of exclusive operations.
   */
  followedBy?: WritingOperation<unknown>
  /** Other conversations that the operation changes: locked together, and available as `others`. */
  alsoLock?: readonly string[]
  /** The bot for which the operation acts, if that is not its caller: its grants count. */
  asBot?: string
  /** Agents to whom the operation may give work: their rows are locked and their loads counted, see `agentsToLock`. */
  agentsToLock?: readonly string[]
  /** Time for which it may wait for its turn and for rows that others have locked, in ms; 10 s by default. */
  waitMsMax?: number
  /** The account whose turn it takes if nobody called; default: the system's at the conversation's organization. */
  share?: Share
  /** Name of such writes: those of one kind cost a caller about the same, and the system's own take turns by it. */
  kind?: string
  /** Estimated memory held while the operation waits. */
  bytes?: number
  /** Least cost, in sends, where something is known of it. */
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
  readonly share: Share
  readonly kind: string
  readonly waitMsMax?: number
  readonly ctx: Context
  /** The budget of the bot that called or for which it acts; null for everybody else. */
  readonly purse: Purse | null
  /** Ids of all conversations to lock: the operation's own first, then the others. */
  readonly ids: readonly string[]
  readonly bytes: number
  /** Estimated, in sends. */
  readonly cost: number
  /** In sends. */
  readonly leastCost: number
  readonly work: Work
  resolve(value: unknown): void
  reject(error: unknown): void
}
