import type { Purse } from '../../bots/purse.js'
import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { isRepeatable } from '../../../platform/db/sql-errors.js'
import { Unavailable } from '../../../platform/errors.js'
import { LeaseLost } from '../../../platform/jobs/job.js'
import { tracing } from '../../../platform/tracing/tracing.js'
import { BatchScheduler } from './batch-scheduler.js'
import { addBusy } from './busy-writes.js'
import { conversationNotFound } from '../state/conversation-visibility.js'
import {
  ISOLATED,
  ISOLATED_SIZE,
  bulkheadOfSuspect,
  isolatedSlots,
  isSingle,
  type IsolatedBulkhead,
  type BulkheadSlots,
} from './bulkhead.js'
import { HeldAgents } from './held-agents.js'
import { LockPatience } from './lock-patience.js'
import { LockedStreams } from './locked-streams.js'
import { LockWaitTooLong } from './lock-suspects.js'
import {
  WritesRefused,
  type Operation,
  type OperationOptions,
  type PendingWrite,
  type Work,
  type WritingOperation,
} from './pending-write.js'
import { RetryQueue } from './retry-queue.js'
import { SlowTenants } from './slow-tenants.js'
import type { ConversationWriterOptions } from './conversation-writer-options.js'
import { isLate, WriteQueue } from './write-queue.js'
import { CostEstimates } from './write-cost.js'
import { KnownConversations, UNKNOWN_PATH } from './known-conversations.js'
import { accountsOf, systemShare, type Share } from '../../../platform/fairness/share.js'
import { commitWrites, type Committed } from './write-transaction.js'

const LATE_CHECK_MS = 250

/**
 * Changes conversations. Operations that arrive together are committed together: one statement locks their
 * conversations, each operation decides on its own copy, and all changes are written with one statement per table. A
 * failed operation leaves nothing behind and does not affect the others. Of two operations on one conversation, the
 * later one sees the outcome of the earlier one, in its copy and in its reads.
 *
 * Locks held elsewhere do not block other writes: conversations that another transaction has locked are skipped and
 * retried. A batch that waits too long for any other lock is rolled back; the operations that may need the lock
 * continue separately, as do their tenant's next ones, and the others are repeated immediately.
 */
export class ConversationWriter {
  readonly #queue = new WriteQueue<PendingWrite>()
  readonly #retries = new RetryQueue<PendingWrite>((writes) => this.#retry(writes))
  readonly #slow = new SlowTenants()
  readonly #known = new KnownConversations()
  readonly #estimates = new CostEstimates()
  readonly #patience = new LockPatience()
  readonly #lockedStreams = new LockedStreams()
  readonly #heldAgents = new HeldAgents()
  readonly #slots: Record<IsolatedBulkhead, BulkheadSlots>
  readonly #batches: BatchScheduler<PendingWrite>
  #isPumpDue = false
  #lateCheck: NodeJS.Timeout | null = null

  constructor(private readonly options: ConversationWriterOptions) {
    this.#slots = isolatedSlots(options.database.pool.options.max)
    const run = (batch: PendingWrite[], onDecided: () => void): Promise<void> => {
      this.#noteBegun(batch)
      return this.#runWrites(batch, onDecided)
    }
    const [queue, mayTake] = [this.#queue, this.#heldAgents.areFreeFor]
    const onFree = (): void => this.#schedule()
    this.#batches = new BatchScheduler({ queue, mayTake, onFree, run }, options.writingAccounts)
  }

  /**
   * Runs an operation on a conversation and commits it, together with others.
   * @throws NotFound if one of the conversations is not among the caller's tenants; Unavailable if too many writes
   *   wait, or a conversation stays locked; errors of the operation
   */
  run<T>(ctx: Context, conversationId: string, operation: Operation<T>, options: OperationOptions = {}): Promise<T> {
    return this.#add(ctx, conversationId, { kind: 'reads', operation }, options)
  }

  /**
   * Runs an operation that issues statements of its own, on rows that others are unlikely to write. The first try shares
   * its transaction: if it is refused, the other operations are repeated. Later tries, after another operation was
   * faster, have one of their own and wait for what that one commits. @throws as {@link run}
   */
  runWriting<T>(
    ctx: Context,
    conversationId: string,
    operation: WritingOperation<T>,
    { tries, ...options }: OperationOptions & { tries: number },
  ): Promise<T> {
    return this.#add(ctx, conversationId, { kind: tries === 1 ? 'writes' : 'exclusive', operation }, options)
  }

  /** Runs an operation that issues statements of its own, in a transaction of its own. @throws as {@link run} */
  runExclusive<T>(
    ctx: Context,
    conversationId: string,
    operation: WritingOperation<T>,
    options: OperationOptions = {},
  ): Promise<T> {
    const cost = Math.max(EXCLUSIVE_COST, options.cost ?? 0)
    return this.#add(ctx, conversationId, { kind: 'exclusive', operation }, { ...options, cost })
  }

  /** Adds a write. A bot's is charged to its budget once, however often it is tried. */
  #add<T>(ctx: Context, conversationId: string, work: Work, options: OperationOptions): Promise<T> {
    const bot = options.asBot ?? botOf(ctx)
    if (bot === undefined) return this.#wait(ctx, conversationId, work, { ...options, purse: null })
    const write = (purse: Purse): Promise<T> => this.#wait(ctx, conversationId, work, { ...options, purse })
    return this.options.budgets.during(bot, conversationId, write)
  }

  #wait<T>(
    ctx: Context,
    conversationId: string,
    work: Work,
    options: OperationOptions & Pick<PendingWrite, 'purse'>,
  ): Promise<T> {
    const named = [conversationId, ...(options.alsoLock ?? [])]
    const malformed = named.find((each) => !isId(each))
    if (malformed !== undefined) return Promise.reject(conversationNotFound(malformed))
    const ids = [...new Set(named.map((id) => id.toLowerCase()))]
    const kind = options.kind ?? options.job?.kind ?? work.kind
    const share = this.#shareOf(ctx, ids[0]!, { ...options, kind })
    const accounts = accountsOf(share)
    const known = options.newAggregate ? 1 : this.#known.get(ids[0]!).leastCost
    const leastCost = Math.max(options.cost ?? 1, known)
    return new Promise<T>((resolve, reject) => {
      const write: PendingWrite = {
        ...options,
        ctx,
        ids,
        work,
        share,
        kind,
        bytes: options.bytes ?? BYTES,
        leastCost,
        cost: this.#estimates.of(accounts, kind, leastCost),
        bulkhead: work.kind === 'exclusive' ? 'single' : this.#slow.isSlow(share[0]) ? 'tenant' : 'shared',
        since: performance.now(),
        ...tracing().origin(),
        resolve: resolve as (value: unknown) => void,
        reject,
      }
      this.#queue.add(write)
      if (share[0] !== UNKNOWN_PATH[0]) this.options.writingAccounts.note(share, accounts)
      this.#schedule()
    })
  }

  /** Returns whose turn a write takes. What nobody called for is the system's, at the conversation's organization. */
  #shareOf(ctx: Context, id: string, { share, newAggregate, kind }: OperationOptions & { kind: string }): Share {
    if (ctx.share) return ctx.share
    if (share) return share
    return systemShare(newAggregate ? pathOf(newAggregate.conversation) : this.#known.get(id).path, kind)
  }

  /** Writes that arrive in one turn of the event loop begin together. */
  #schedule(): void {
    if (this.#isPumpDue) return
    this.#isPumpDue = true
    setImmediate(() => {
      this.#isPumpDue = false
      this.#pump()
    })
  }

  #pump(): void {
    this.#watchLate()
    for (const bulkhead of ISOLATED) this.#pumpIsolated(bulkhead)
    this.#batches.pump()
  }

  #noteBegun(writes: readonly PendingWrite[]): void {
    for (const { since, share } of writes) this.options.observeWait?.(performance.now() - since, share[0])
  }

  /** Numbers of running and waiting writes. */
  get counts(): { running: number; waiting: number } {
    return { running: this.#queue.size - this.#queue.waiting, waiting: this.#queue.waiting }
  }

  /** Begins transactions outside the shared batches; one tenant never uses all of them. */
  #pumpIsolated(bulkhead: IsolatedBulkhead): void {
    const slots = this.#slots[bulkhead]
    const { serves } = slots
    const mayTake = this.#heldAgents.areFreeFor
    const accountOf = ({ share }: PendingWrite): string[] => [share[0]]
    while (!slots.isFull) {
      const writes = this.#queue.take(bulkhead, ISOLATED_SIZE, { serves, accountOf, mayTake })
      const [first] = writes
      if (!first) return
      this.#noteBegun(writes)
      slots.enter(first.share)
      void this.#runWrites(writes, () => undefined).then(() => {
        slots.leave(first.share)
        this.#schedule()
      })
    }
  }

  async #retry(writes: PendingWrite[]): Promise<void> {
    const queued = new Set<PendingWrite>()
    addBusy(writes, queued, (write) => isSingle(write.bulkhead) || !this.#heldAgents.areFreeFor(write))
    for (const write of queued) this.#queue.giveBack(write)
    if (queued.size > 0) this.#schedule()
    const together = writes.filter((write) => !queued.has(write))
    if (together.length > 0) await this.#runWrites(together, () => undefined)
  }

  /**
   * Runs writes in one transaction. When this resolves, each of them has ended, waits again, or is scheduled for a
   * retry.
   */
  #runWrites(writes: PendingWrite[], onDecided: () => void): Promise<void> {
    const count = { 'switchboard.writes': writes.length }
    return tracing().together('batch', count, writes, () => this.#runTogether(writes, onDecided))
  }

  async #runTogether(writes: PendingWrite[], onDecided: () => void): Promise<void> {
    const startedAt = performance.now()
    try {
      const lockWaits = this.#patience.of(writes[0]!)
      const options = { ...this.options, lockWaits, lockedStreams: this.#lockedStreams, onDecided }
      const committed = await this.#heldAgents.during(writes, commitWrites(writes, options))
      this.#patience.committed(performance.now() - startedAt)
      await this.#committed(writes, committed)
    } catch (error) {
      if (error instanceof WritesRefused) return this.#refuseSome(writes, error)
      if (error instanceof LockWaitTooLong) return this.#separate(writes, error)
      const isRepeated = writes.length > 1 && !(error instanceof Unavailable)
      if (isRepeated && !(error instanceof LeaseLost))
        this.options.log.warn({ err: error }, 'failed to commit a batch, retrying')
      for (const write of writes) this.#failed(write, error, isRepeated)
    }
    this.#schedule()
  }

  async #committed(
    writes: PendingWrite[],
    { events, settle, addedJobs, busy, known, costs }: Committed,
  ): Promise<void> {
    const { dispatcher, outbox, wakeJobs } = this.options
    const stored = await events.catch(() => null)
    if (stored) dispatcher.publish(stored)
    // Their answers were lost: they are read.
    else dispatcher.interrupted()
    outbox.committed(stored)
    if (addedJobs) wakeJobs()
    for (const each of settle) each()
    for (const [write, cost] of costs) this.#learnCost(write, cost)
    const again = new Set(busy)
    for (const write of writes) {
      const conversation = known.get(write.ids[0]!)
      if (conversation) this.#known.learn(write.ids[0]!, conversation)
      if (again.has(write)) this.#tryLater(write, 'the conversation or its agent is locked by another write: try again')
      else this.#queue.end(write)
    }
  }

  #learnCost(write: PendingWrite, cost: number): void {
    const settled = Math.max(cost, write.leastCost)
    this.#estimates.learn(accountsOf(write.share), write.kind, settled)
    this.#queue.settle(write, settled)
  }

  /** Handles a transaction that was rolled back because of refused writes: the others are repeated. */
  #refuseSome(writes: readonly PendingWrite[], { refused }: WritesRefused): void {
    for (const write of writes) {
      const error = refused.get(write)
      if (error) this.#refuse(write, error)
      else this.#queue.giveBack(write)
    }
    this.#schedule()
  }

  /**
   * Handles a transaction that was rolled back because it waited for a lock other than a conversation's. Operations
   * that need the lock wait separately; if it is uncertain which ones do, tenants are separated first, then their
   * writes.
   */
  #separate(writes: readonly PendingWrite[], error: LockWaitTooLong): void {
    const { suspects } = error
    const tenants = new Set([...suspects].map(({ share }) => share[0]))
    if (tenants.size === 1) for (const tenant of tenants) this.#slow.note(tenant)
    for (const write of writes) {
      if (suspects.has(write)) write.bulkhead = bulkheadOfSuspect(suspects.size, tenants.size)
      else if (write.bulkhead === 'shared' && this.#slow.isSlow(write.share[0])) write.bulkhead = 'tenant'
      if (write.bulkhead !== 'blocked' && !isLate(write)) this.#queue.giveBack(write)
      else this.#tryLater(write, 'a record that this write needs is locked by another write: try again', error)
    }
    this.#schedule()
  }

  /** Handles a transaction that was rolled back, or whose outcome is unknown. */
  #failed(write: PendingWrite, error: unknown, isRepeated: boolean): void {
    if (isRepeatable(error)) return this.#tryLater(write, 'the database is temporarily unavailable: try again', error)
    // One of the writes made the database refuse the transaction: each gets a transaction of its own.
    if (!isRepeated) return this.#refuse(write, error)
    write.bulkhead = 'single'
    this.#queue.giveBack(write)
  }

  #tryLater(write: PendingWrite, reason: string, cause?: unknown): void {
    if (isLate(write)) this.#refuse(write, new Unavailable(reason, { cause }))
    else this.#retries.add(write)
  }

  #refuse(write: PendingWrite, error: unknown): void {
    this.#queue.end(write)
    write.reject(error)
  }

  /** Refuses writes that have waited too long without being begun. */
  #watchLate(): void {
    if (this.#lateCheck || this.#queue.size === 0) return
    this.#lateCheck = setTimeout(() => {
      this.#lateCheck = null
      for (const write of this.#queue.late())
        this.#refuse(write, new Unavailable('too many writes are waiting: try again'))
      this.#watchLate()
    }, LATE_CHECK_MS).unref()
  }
}

/** The bot that called, if one did. */
function botOf({ maybeCaller: caller }: Context): string | undefined {
  return caller?.kind === 'user' && caller.isBot ? caller.user : undefined
}

/** Default estimate for an operation's memory: a message of a few lines. */
const BYTES = 2_048
/** Least cost of an exclusive operation, in sends. */
const EXCLUSIVE_COST = 4
