import type { Logger } from 'pino'
import type { Context } from '../../context.js'
import { isId, type Clock } from '../../db/clock.js'
import type { Database } from '../../db/database.js'
import { isRepeatable } from '../../db/sql-errors.js'
import { Unavailable } from '../../errors.js'
import type { Dispatcher } from '../../events/dispatcher.js'
import type { Outbox } from '../../events/outbox.js'
import { LeaseLost } from '../../jobs/job.js'
import { BatchLanes } from './batch-lanes.js'
import { conversationNotFound } from './conversation-visibility.js'
import { BESIDE, slotsBeside, type Beside, type Lane, type LaneSlots } from './lane.js'
import { LockPatience } from './lock-patience.js'
import { LockedStreams } from './locked-streams.js'
import { LockWaitTooLong } from './lock-suspects.js'
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

/** Of what goes beside the shared batches; the cost in sends. */
const SIZE = { max: 64, costMax: 64 }
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
 * and tried again by themselves. A batch that waits too long for any other lock is undone; the operations that may need
 * it go on by themselves, as do the next ones of their tenant, and the others are done again at once.
 */
export class ConversationWriter {
  readonly #queue = new WriteQueue<PendingWrite>()
  readonly #retries = new RetryLane<PendingWrite>((writes) => this.#retry(writes))
  readonly #slow = new SlowTenants()
  readonly #patience = new LockPatience()
  readonly #lockedStreams = new LockedStreams()
  readonly #slots: Record<Beside, LaneSlots>
  readonly #lanes = new BatchLanes<PendingWrite>({
    queue: this.#queue,
    onFree: () => this.#schedule(),
    run: (batch, onDecided) => {
      this.#noteBegun(batch)
      return this.#runWrites(batch, onDecided)
    },
  })
  #isPumpDue = false
  #lateCheck: NodeJS.Timeout | null = null

  constructor(private readonly options: ConversationWriterOptions) {
    this.#slots = slotsBeside(options.database.pool.options.max)
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
        lane: options.isExclusive === true ? 'alone' : this.#slow.isSlow(tenant) ? 'apart' : 'shared',
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
    for (const lane of BESIDE) this.#pumpBeside(lane)
    this.#lanes.pump()
  }

  #noteBegun(writes: readonly PendingWrite[]): void {
    for (const { since, tenant } of writes) this.options.observeWait?.(performance.now() - since, tenant)
  }

  /** Writes that have been begun, and those that wait. */
  get counts(): { running: number; waiting: number } {
    const { waiting } = this.#queue
    return { running: this.#queue.size - waiting, waiting }
  }

  /** Begins transactions beside the batches; one tenant leaves room for the others. */
  #pumpBeside(lane: Beside): void {
    const slots = this.#slots[lane]
    while (!slots.isFull) {
      const writes = this.#queue.take(lane, SIZE, slots.hasRoomFor)
      const [first] = writes
      if (!first) return
      this.#noteBegun(writes)
      slots.enter(first.tenant)
      void this.#runWrites(writes, () => undefined).then(() => {
        slots.leave(first.tenant)
        this.#schedule()
      })
    }
  }

  async #retry(writes: PendingWrite[]): Promise<void> {
    const isAlone = ({ lane }: PendingWrite): boolean => lane === 'alone' || lane === 'held'
    const together = writes.filter((write) => !isAlone(write))
    for (const write of writes) if (isAlone(write)) this.#queue.giveBack(write)
    if (together.length > 0) await this.#runWrites(together, () => undefined)
    else this.#schedule()
  }

  /** Does writes in one transaction. Each of them has ended, waits again, or is to be tried again when this resolves. */
  async #runWrites(writes: PendingWrite[], onDecided: () => void): Promise<void> {
    const startedAt = performance.now()
    try {
      const lockWaits = this.#patience.of(writes[0]!)
      const options = { ...this.options, lockWaits, lockedStreams: this.#lockedStreams, onDecided }
      const committed = await commitWrites(writes, options)
      this.#patience.committed(performance.now() - startedAt)
      await this.#committed(writes, committed)
    } catch (error) {
      if (error instanceof WritesRefused) return this.#refuseSome(writes, error)
      if (error instanceof LockWaitTooLong) return this.#separate(writes, error)
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

  /**
   * The transaction did nothing, since it waited for a lock that is no conversation's. Those that need it wait by
   * themselves; where it is not certain who does, tenants are separated first, then their writes.
   */
  #separate(writes: readonly PendingWrite[], error: LockWaitTooLong): void {
    const { suspects } = error
    const tenants = new Set([...suspects].map(({ tenant }) => tenant))
    if (tenants.size === 1) for (const tenant of tenants) this.#slow.note(tenant)
    for (const write of writes) {
      if (suspects.has(write)) write.lane = laneOfSuspect(suspects.size, tenants.size)
      else if (write.lane === 'shared' && this.#slow.isSlow(write.tenant)) write.lane = 'apart'
      if (write.lane === 'held') this.#tryLater(write, 'what this writes is in use by others: try again', error)
      else this.#queue.giveBack(write)
    }
    this.#schedule()
  }

  /** The transaction did nothing, or it is not known what it did. */
  #failed(write: PendingWrite, error: unknown, isRepeated: boolean): void {
    if (isRepeatable(error))
      return this.#tryLater(write, 'the database is not available for the moment: try again', error)
    // Something of one of them made the database refuse the whole: each gets its own transaction.
    if (!isRepeated) return this.#refuse(write, error)
    write.lane = 'alone'
    this.#queue.giveBack(write)
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

function laneOfSuspect(suspects: number, tenants: number): Lane {
  if (suspects === 1) return 'held'
  return tenants === 1 ? 'alone' : 'apart'
}

/** Of an operation that does not say: a message of a few lines. */
const BYTES = 2_048
/** Of an operation that goes alone and does not say, in sends. */
const EXCLUSIVE_COST = 4
