import { addAuditEntries, entryOfMutation, type NewAuditEntry } from '../audit/audit-entry.js'
import { recordChangesOf } from '../db/record-changes.js'
import type { Context } from '../context.js'
import type { Database, Tx } from '../db/database.js'
import { addJobs, type NewJob } from '../jobs/job.js'
import { recordAnswer } from '../limits/idempotency.js'
import type { FairQueue } from '../fairness/fair-queue.js'
import type { Dispatcher } from './dispatcher.js'
import { actorOf } from './event-actor.js'
import { newEvent, type Emit, type NewEvent, type StoredEvent } from './event.js'
import { appendEvents } from './streams.js'
import { hasListeners, type Outbox } from './outbox.js'
import { tracing } from '../tracing/tracing.js'

/** A transaction that emits events and adds jobs. */
export interface WriteTx extends Tx {
  emit: Emit
  /** Adds events that were made elsewhere. */
  addEvents(events: readonly NewEvent[]): void
  addJob(job: NewJob): void
  /** Adds an entry to the audit log, beside that of the mutation which runs. */
  addAudit(entry: NewAuditEntry): void
}

export interface TransactOptions {
  database: Database
  dispatcher: Dispatcher
  outbox: Outbox
  /** Schedules the transactions of callers. */
  shares: FairQueue
  /** Called after a commit that added jobs. */
  wakeJobs: () => void
}

/**
 * Writes an ordinary resource: one transaction with the change, its events and its jobs; nothing is published before
 * the commit. The result of `work` is stored as the answer for the request's idempotency key.
 */
export type Transact = <T>(ctx: Context, work: (tx: WriteTx) => Promise<T>) => Promise<T>

export function createTransact({ database, dispatcher, outbox, shares, wakeJobs }: TransactOptions): Transact {
  const write: Transact = async (ctx, work) => {
    const actor = actorOf(ctx)
    const traceparent = tracing().traceparent()
    const cause = { actor, ...(traceparent !== undefined && { traceparent }) }
    const jobs: NewJob[] = []
    let stored: StoredEvent[] = []
    const result = await database.transaction(ctx.em, async (tx) => {
      const events: NewEvent[] = []
      const entries: NewAuditEntry[] = []
      const changes = recordChangesOf(tx.em)
      const writeTx: WriteTx = {
        em: tx.em,
        query: (text, values) => tx.query(text, values),
        emit: (stream, type, data) => void events.push({ ...newEvent(stream, type, data), ...cause }),
        addEvents: (more) => void events.push(...more.map((event) => ({ ...event, ...cause }))),
        addJob: (job) => void jobs.push(job),
        addAudit: (entry) => void entries.push(entry),
      }
      const value = await work(writeTx)
      await tx.em.flush()
      if (ctx.mutation?.isAudited) entries.push(entryOfMutation(ctx, { events, changes }))
      await addAuditEntries(tx, ctx, entries)
      await addJobs(tx, jobs, ctx.clock)
      await recordAnswer(tx, ctx, value, (value as { id?: unknown } | null | undefined)?.id)
      stored = await appendEvents(tx, events, ctx.now())
      if (stored.length > 0 && (await hasListeners(tx))) await outbox.record(tx, stored)
      return value
    })
    dispatcher.publish(stored)
    if (stored.length > 0) outbox.committed(stored)
    if (jobs.length > 0) wakeJobs()
    return result
  }
  return (ctx, work) => (ctx.share ? shares.run(ctx.share, () => write(ctx, work)) : write(ctx, work))
}
