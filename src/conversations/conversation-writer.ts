import type { Logger } from 'pino'
import type { Context } from '../context.js'
import type { Clock } from '../db/clock.js'
import type { Database, Sql } from '../db/database.js'
import { isId } from '../db/clock.js'
import { isWithin } from '../db/tenancy.js'
import { DomainError, NotFound, Unavailable } from '../errors.js'
import type { Dispatcher } from '../events/dispatcher.js'
import type { StoredEvent } from '../events/event.js'
import type { Outbox } from '../events/outbox.js'
import { appendEvents } from '../events/streams.js'
import { addJobs, finishJobs, LeaseLost, type Job } from '../jobs/job.js'
import { recordAnswer } from '../limits/idempotency.js'
import type { Aggregate } from './conversation-state.js'
import { lockAggregates } from './conversation-store.js'
import { ConversationWork } from './conversation-work.js'
import { Decided } from './decided.js'
import { Gathering } from './gathering.js'

export type Operation<T> = (work: ConversationWork) => T | Promise<T>

export interface OperationOptions {
  /** The job that this operation does: it ends in the same transaction. */
  job?: Job
  /** Run in a transaction of its own: the operation writes by itself, beyond its draft. */
  isAlone?: boolean
  /** A conversation that the operation makes, as it is before the first message. */
  fresh?: Aggregate
  /** It sends to the contact: the ways to it are read together with the lock. */
  delivers?: boolean
  /** Other conversations that the operation changes: they are locked with it, and its work has them in `others`. */
  alsoLock?: readonly string[]
}

interface Pending extends OperationOptions {
  ctx: Context
  /** All that it locks: its own conversation first, then the others. */
  ids: readonly string[]
  operation: Operation<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** What a batch did, once its transaction has ended. */
interface Committed {
  events: Promise<StoredEvent[]>
  settle: (() => void)[]
  addedJobs: boolean
}

/** Batches under way at once, of which one decides while the others are written and committed. */
const BATCHES_MAX = 2
const BATCH_MAX = 64
const QUEUE_MAX = 10_000

/**
 * The way to change a conversation. Operations that arrive together commit together: their conversations are locked with
 * one statement, each operation decides on its own draft, and all that they add is written with one statement a table.
 * An operation that fails leaves nothing behind and does not touch the others. Of two operations on one conversation the
 * later one sees the outcome of the earlier one, in its draft and in whatever it reads.
 */
export class ConversationWriter {
  readonly #queue: Pending[] = []
  readonly #busy = new Set<string>()
  #batches = 0
  #isDeciding = false
  /** Operations whose batches have decided, and are being committed. */
  #committing = 0
  readonly #gathering = new Gathering(() => this.#pump(true))
  #isPumpDue = false

  constructor(
    private readonly options: {
      database: Database
      dispatcher: Dispatcher
      outbox: Outbox
      clock: Clock
      log: Logger
      wakeJobs: () => void
      /** Called with how long an accepted conversation had been queued. */
      observeQueueWait: (ms: number) => void
    },
  ) {}

  /** @throws NotFound when one of the conversations is not among the caller's tenants; what the operation throws. */
  run<T>(ctx: Context, conversationId: string, operation: Operation<T>, options: OperationOptions = {}): Promise<T> {
    const named = [conversationId, ...(options.alsoLock ?? [])]
    if (!named.every(isId)) return Promise.reject(conversationNotFound())
    const ids = [...new Set(named.map((id) => id.toLowerCase()))]
    if (this.#queue.length >= QUEUE_MAX) return Promise.reject(new Unavailable('too many writes are waiting: try again'))
    return new Promise<T>((resolve, reject) => {
      const settle = resolve as (value: unknown) => void
      this.#queue.push({ ...options, ctx, ids, operation, resolve: settle, reject })
      this.#schedule()
    })
  }

  /** What arrives in one turn of the event loop goes together. */
  #schedule(): void {
    if (this.#isPumpDue) return
    this.#isPumpDue = true
    setImmediate(() => {
      this.#isPumpDue = false
      this.#pump(false)
    })
  }

  /**
   * Begins the next batch. With two batches of about one size, one is decided while the other is committed: neither the
   * database nor this process waits for the other for long.
   * @param isGathered what is there has waited long enough for others
   */
  #pump(isGathered: boolean): void {
    if (this.#isDeciding || this.#batches >= BATCHES_MAX || this.#queue.length === 0) return
    if (!isGathered && this.#gathering.waitsFor(this.#committing - this.#queue.length)) return
    const half = Math.ceil((this.#queue.length + this.#committing) / 2)
    const batch = this.#takeBatch(Math.min(BATCH_MAX, half))
    if (batch.length > 0) void this.#process(batch)
  }

  async #process(batch: Pending[]): Promise<void> {
    this.#batches++
    this.#isDeciding = true
    let isDecided = false
    const startedAt = performance.now()
    const onDecided = (): void => {
      if (isDecided) return
      isDecided = true
      this.#isDeciding = false
      this.#committing += batch.length
      this.#schedule()
    }
    await this.#runBatch(batch, onDecided)
    onDecided()
    for (const id of batch.flatMap(({ ids }) => ids)) this.#busy.delete(id)
    this.#batches--
    this.#committing -= batch.length
    this.#gathering.ended(performance.now() - startedAt)
    this.#schedule()
  }

  /** The oldest operations whose conversations no other batch is writing; none overtakes another on a conversation. */
  #takeBatch(max: number): Pending[] {
    const batch: Pending[] = []
    const rest: Pending[] = []
    const waitedFor = new Set<string>()
    for (const pending of this.#queue) {
      const isFree = batch.length < max && !pending.ids.some((id) => this.#busy.has(id) || waitedFor.has(id))
      const fits = pending.isAlone ? batch.length === 0 : !batch[0]?.isAlone
      if (isFree && fits) {
        batch.push(pending)
      } else {
        for (const id of pending.ids) waitedFor.add(id)
        rest.push(pending)
      }
    }
    for (const id of batch.flatMap(({ ids }) => ids)) this.#busy.add(id)
    this.#queue.splice(0, this.#queue.length, ...rest)
    return batch
  }

  /** @param onDecided called when all that is left is to write and to commit */
  async #runBatch(batch: Pending[], onDecided: () => void): Promise<void> {
    try {
      const outcome = await this.#commit(batch, onDecided)
      this.options.dispatcher.publish(await outcome.events)
      this.options.outbox.committed()
      if (outcome.addedJobs) this.options.wakeJobs()
      for (const settle of outcome.settle) settle()
    } catch (error) {
      const [first] = batch
      if (batch.length === 1) return first!.reject(error)
      // One of them made the database refuse the whole: each gets its own transaction.
      if (!(error instanceof LeaseLost)) this.options.log.warn({ err: error }, 'a batch is repeated one by one')
      for (const pending of batch) await this.#runBatch([pending], onDecided)
    }
  }

  #commit(batch: Pending[], onDecided: () => void): Promise<Committed> {
    const { database, outbox, clock } = this.options
    const commit = async (sql: Sql): Promise<Committed> => {
      const known = batch.flatMap(({ fresh, ids }) => (fresh ? ids.slice(1) : ids))
      const delivering = batch.filter(({ fresh, delivers }) => delivers && !fresh).map(({ ids }) => ids[0]!)
      const aggregates = known.length > 0 ? await lockAggregates(sql, known, delivering) : new Map<string, Aggregate>()
      const settle: (() => void)[] = []
      const decided = new Decided(sql)
      const ended: Job[] = []
      for (const pending of batch) {
        const outcome = await decide(decided, clock, pending, aggregates)
        settle.push(outcome.settle)
        if (!outcome.work) continue
        const waitedMs = outcome.work.queueWaitMs
        if (waitedMs !== null) settle.push(() => this.options.observeQueueWait(waitedMs))
        for (const work of [outcome.work, ...outcome.work.others.values()]) {
          decided.add(work)
          aggregates.set(work.conversation.id, work.aggregate)
        }
        await recordAnswer(sql, pending.ctx, outcome.answer)
        if (pending.job) ended.push(pending.job)
      }
      await finishJobs(sql, ended)
      // Not awaited: all of it goes out together with the commit, in this order. The transaction fails with any of it.
      const writes = [
        decided.write(),
        ...decided.lastStatements.map(({ text, values }) => sql.query(text, values)),
        addJobs(sql, decided.jobs, clock),
      ]
      const appended = appendEvents(sql, decided.events, clock.now())
      const stored = Promise.all([appended, ...writes]).then(([first]) => first)
      stored.catch(() => undefined)
      onDecided()
      const isHeard = batch.some(({ fresh }) => fresh) || aggregates.values().some((aggregate) => aggregate.isHeard)
      if (isHeard) await outbox.record(sql, await appended)
      return { events: stored, settle, addedJobs: decided.jobs.length > 0 }
    }
    return database.sqlTransaction(commit, { keepsPlans: true })
  }
}

/** Lets one operation decide. A refusal of the domain's settles it alone; anything else fails the batch. */
async function decide(
  decided: Decided,
  clock: Clock,
  { ctx, ids, operation, fresh, isAlone, resolve, reject }: Pending,
  aggregates: ReadonlyMap<string, Aggregate>,
): Promise<{ work?: ConversationWork; answer?: unknown; settle: () => void }> {
  try {
    const [aggregate, ...others] = ids.map((id) => {
      const found = fresh?.conversation.id === id ? fresh : aggregates.get(id)
      if (!found || !isVisible(ctx, found)) throw conversationNotFound()
      return found
    })
    const sql = decided.reader(ids)
    const work = new ConversationWork(sql, clock, aggregate!, fresh !== undefined)
    for (const other of others) work.others.set(other.conversation.id, new ConversationWork(sql, clock, other))
    const answer = await operation(work)
    return { work, answer, settle: () => resolve(answer) }
  } catch (error) {
    // What ran alone may have written by itself: the transaction must not commit.
    if (error instanceof DomainError && !isAlone) return { settle: () => reject(error) }
    throw error
  }
}

/** A guest sees its own contact's conversations, and only the one its token names. */
export function isVisible(ctx: Context, { conversation }: Pick<Aggregate, 'conversation'>): boolean {
  const guest = ctx.guestCaller
  if (guest) {
    const isOwn = conversation.contactId === guest.contact
    return isOwn && (guest.conversation === null || guest.conversation === conversation.id)
  }
  return isWithin(ctx.tenant, conversation)
}

/** The text is what legacy clients look for (open points, error body). */
export function conversationNotFound(): NotFound {
  return new NotFound('Conversation not found')
}
