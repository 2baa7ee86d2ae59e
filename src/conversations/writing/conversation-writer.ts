import type { Logger } from 'pino'
import type { Context } from '../../context.js'
import { isId, type Clock } from '../../db/clock.js'
import type { Database } from '../../db/database.js'
import { isLockTimeout, isRepeatable } from '../../db/sql-errors.js'
import { Unavailable } from '../../errors.js'
import type { Dispatcher } from '../../events/dispatcher.js'
import type { Outbox } from '../../events/outbox.js'
import { LeaseLost } from '../../jobs/job.js'
import { BatchLanes } from './batch-lanes.js'
import { conversationNotFound } from './conversation-visibility.js'
import { WritesRefused, type Operation, type OperationOptions, type PendingWrite } from './pending-write.js'
import { RetryLane } from './retry-lane.js'
import { SlowTenants, UNKNOWN_TENANT } from './slow-tenants.js'
import { WriteQueue } from './write-queue.js'
import { commitWrites, type Committed } from './write-transaction.js'

export type { Operation, OperationOptions } from './pending-write.js'

export interface ConversationWriterOptions {
  database: Database
  dispatcher: Dispatcher
  outbox: Outbox
  clock: Clock
  log: Logger
  wakeJobs: () => void
  /** Called with how long an accepted conversation had been queued. */
  observeQueueWait: (ms: number) => void
  /** Called with how long a write waited for its turn among callers and tenants, and for which tenant. */
  observeWait?: (ms: number, tenant: string) => void
}

/** Part of the pool for what goes alone. */
const EXCLUSIVE_SHARE = 0.25
/** A batch that waits for a lock keeps others waiting; what goes alone only itself. */
const BATCH_LOCK_WAIT_MS = 500
const EXCLUSIVE_LOCK_WAIT_MS = 3_000
/** A write that could not be begun by then is refused. */
const WAIT_MS_MAX = 10_000
const LATE_CHECK_MS = 250

/**
 * The way to change a conversation. Operations that arrive together commit together: their conversations are locked with
 * one statement, each operation decides on its own draft, and all that they add is written with one statement a table.
 * An operation that fails leaves nothing behind and does not touch the others. Of two operations on one conversation the
 * later one sees the outcome of the earlier one, in its draft and in whatever it reads.
 *
 * Nothing that is locked elsewhere keeps others waiting: conversations that another transaction writes are passed over
 * and tried again by themselves, and what waits for any other lock goes on alone, beside the batches.
 */
export class ConversationWriter {
  readonly #queue = new WriteQueue<PendingWrite>()
  readonly #retries = new RetryLane<PendingWrite>((writes) => this.#retry(writes))
  readonly #slow = new SlowTenants()
  readonly #exclusiveMax: number
  /** How many exclusive writes are being done, of each tenant. */
  readonly #exclusive = new Map<string, number>()
  #exclusives = 0
  readonly #lanes = new BatchLanes<PendingWrite>({
    queue: this.#queue,
    onFree: () => this.#schedule(),
    run: (batch, onDecided) => {
      for (const write of batch) this.#begun(write)
      return this.#runWrites(batch, BATCH_LOCK_WAIT_MS, onDecided)
    },
  })
  #isPumpDue = false
  #lateCheck: NodeJS.Timeout | null = null

  constructor(private readonly options: ConversationWriterOptions) {
    this.#exclusiveMax = Math.max(1, Math.floor(options.database.pool.options.max * EXCLUSIVE_SHARE))
  }

  /**
   * @throws NotFound when one of the conversations is not among the caller's tenants; Unavailable when too many writes
   *   wait, or a conversation stays locked; what the operation throws.
   */
  run<T>(ctx: Context, conversationId: string, operation: Operation<T>, options: OperationOptions = {}): Promise<T> {
    const named = [conversationId, ...(options.alsoLock ?? [])]
    if (!named.every(isId)) return Promise.reject(conversationNotFound())
    const ids = [...new Set(named.map((id) => id.toLowerCase()))]
    const tenant = ctx.share?.tenant ?? options.newAggregate?.conversation.org1 ?? this.#slow.tenantOf(ids[0]!)
    return new Promise<T>((resolve, reject) => {
      const write: PendingWrite = {
        ...options,
        ctx,
        ids,
        operation,
        tenant,
        caller: ctx.share?.caller ?? '',
        bytes: options.bytes ?? BYTES,
        cost: options.cost ?? (options.isExclusive ? EXCLUSIVE_COST : 1),
        exclusive: options.isExclusive === true || this.#slow.isSlow(tenant),
        since: performance.now(),
        resolve: resolve as (value: unknown) => void,
        reject,
      }
      this.#queue.add(write)
      if (tenant !== UNKNOWN_TENANT) this.#lanes.wrote(tenant)
      this.#schedule()
    })
  }

  /** What arrives in one turn of the event loop goes together. */
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
    this.#pumpExclusive()
    this.#lanes.pump()
  }

  #begun({ since, tenant }: PendingWrite): void {
    this.options.observeWait?.(performance.now() - since, tenant)
  }

  /** Writes that have been begun, and those that wait. */
  get counts(): { running: number; waiting: number } {
    const waiting = this.#queue.waiting + this.#queue.waitingExclusive
    return { running: this.#queue.size - waiting, waiting }
  }

  /** Each in a transaction of its own, beside the batches; one tenant leaves room for the others. */
  #pumpExclusive(): void {
    while (this.#exclusives < this.#exclusiveMax) {
      const tenantMax = Math.max(1, this.#exclusiveMax - 1)
      const write = this.#queue.takeExclusive((tenant) => (this.#exclusive.get(tenant) ?? 0) < tenantMax)
      if (!write) return
      this.#begun(write)
      const { tenant } = write
      this.#exclusives++
      this.#exclusive.set(tenant, (this.#exclusive.get(tenant) ?? 0) + 1)
      void this.#runWrites([write], EXCLUSIVE_LOCK_WAIT_MS, () => undefined).then(() => {
        this.#exclusives--
        const left = this.#exclusive.get(tenant)! - 1
        if (left > 0) this.#exclusive.set(tenant, left)
        else this.#exclusive.delete(tenant)
        this.#schedule()
      })
    }
  }

  async #retry(writes: PendingWrite[]): Promise<void> {
    const together = writes.filter(({ exclusive }) => !exclusive)
    for (const write of writes) if (write.exclusive) this.#queue.giveBack(write)
    if (together.length > 0) await this.#runWrites(together, BATCH_LOCK_WAIT_MS, () => undefined)
    else this.#schedule()
  }

  /** Does writes in one transaction. Each of them has ended, waits again, or is to be tried again when this resolves. */
  async #runWrites(writes: PendingWrite[], lockWaitMs: number, onDecided: () => void): Promise<void> {
    const { database, outbox, clock, observeQueueWait } = this.options
    try {
      const options = { database, outbox, clock, observeQueueWait, lockWaitMs, onDecided }
      await this.#committed(writes, await commitWrites(writes, options))
    } catch (error) {
      if (error instanceof WritesRefused) return this.#refuseSome(writes, error)
      const isRepeated = writes.length > 1 && !(error instanceof Unavailable)
      if (isRepeated && !(error instanceof LeaseLost))
        this.options.log.warn({ err: error }, 'failed to commit a batch: it is repeated')
      for (const write of writes) this.#failed(write, error, isRepeated)
    }
    this.#schedule()
  }

  async #committed(
    writes: PendingWrite[],
    { events, settle, addedJobs, busy, tenants, costs }: Committed,
  ): Promise<void> {
    const { dispatcher, outbox, wakeJobs } = this.options
    const stored = await events.catch(() => null)
    if (stored) dispatcher.publish(stored)
    // Their answers were lost: they are read.
    else dispatcher.interrupted()
    outbox.committed()
    if (addedJobs) wakeJobs()
    for (const each of settle) each()
    for (const [write, cost] of costs) this.#lanes.decided(write.tenant, cost)
    const again = new Set(busy)
    for (const write of writes) {
      const tenant = tenants.get(write.ids[0]!)
      if (tenant) this.#slow.learn(write.ids[0]!, tenant)
      if (again.has(write)) this.#tryLater(write, 'the conversation is being written by others: try again')
      else this.#queue.end(write)
    }
  }

  /** The transaction did nothing: what was not refused is done again. */
  #refuseSome(writes: readonly PendingWrite[], { refused }: WritesRefused): void {
    for (const write of writes) {
      const error = refused.get(write)
      if (error) this.#refuse(write, error)
      else this.#queue.giveBack(write)
    }
    this.#schedule()
  }

  /** The transaction did nothing, or it is not known what it did. */
  #failed(write: PendingWrite, error: unknown, isRepeated: boolean): void {
    if (isRepeatable(error))
      return this.#tryLater(write, 'the database is not available for the moment: try again', error)
    // Something of one of them made the database refuse the whole: each gets its own transaction.
    if (isRepeated) {
      write.exclusive = true
      return this.#queue.giveBack(write)
    }
    // A lock that is no conversation's is waited for again, beside the batches.
    if (!isLockTimeout(error)) return this.#refuse(write, error)
    if (write.exclusive) this.#slow.note(write.tenant)
    write.exclusive = true
    this.#tryLater(write, 'what this writes is in use by others: try again', error)
  }

  #tryLater(write: PendingWrite, reason: string, cause?: unknown): void {
    if (performance.now() - write.since > WAIT_MS_MAX) this.#refuse(write, new Unavailable(reason, { cause }))
    else this.#retries.add(write)
  }

  #refuse(write: PendingWrite, error: unknown): void {
    this.#queue.end(write)
    write.reject(error)
  }

  /** Refuses what has waited for too long without being begun. */
  #watchLate(): void {
    if (this.#lateCheck || this.#queue.size === 0) return
    this.#lateCheck = setTimeout(() => {
      this.#lateCheck = null
      for (const write of this.#queue.waitingSince(performance.now() - WAIT_MS_MAX)) {
        this.#refuse(write, new Unavailable('too many writes are waiting: try again'))
      }
      this.#watchLate()
    }, LATE_CHECK_MS)
    this.#lateCheck.unref()
  }
}

/** Of an operation that does not say: a message of a few lines. */
const BYTES = 2_048
/** Of an operation that goes alone and does not say, in sends. */
const EXCLUSIVE_COST = 4
