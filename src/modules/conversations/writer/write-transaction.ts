import type { Clock } from '../../../platform/db/clock.js'
import type { Database, Sql } from '../../../platform/db/database.js'
import { isLockTimeout } from '../../../platform/db/sql-errors.js'
import { ContactExists, insertContacts } from '../../contacts/insert-contact.js'
import { addAuditEntries, entryOfWrite } from '../../../platform/audit/audit-entry.js'
import { DomainError } from '../../../platform/errors.js'
import type { NewEvent, StoredEvent } from '../../../platform/events/event.js'
import type { Outbox } from '../../../platform/events/outbox.js'
import { actorOf } from '../../../platform/events/event-actor.js'
import { appendEvents } from '../../../platform/events/streams.js'
import { addJobs, finishJobs, type LeasedJob } from '../../../platform/jobs/job.js'
import { recordAnswer } from '../../../platform/limits/idempotency.js'
import type { AgentLocks } from '../../staffing/agent-locks.js'
import type { Aggregate } from '../state/conversation-state.js'
import { lockFreeAggregates } from './lock-aggregates.js'
import type { LockWaits } from './lock-patience.js'
import type { LockedStreams } from './locked-streams.js'
import { costOf, costOfDeliveries } from './write-cost.js'
import { knownOf, type KnownConversation } from './known-conversations.js'
import { readListenersOfNew } from './listeners-of-new.js'
import { keepFiles } from './keep-files.js'
import { LockSuspects, LockWaitTooLong } from './lock-suspects.js'
import type { ConversationWriterOptions } from './conversation-writer-options.js'
import { addBusy } from './busy-writes.js'
import { lockAgentsOf, locksAgents } from './lock-agents.js'
import { leavesTraces } from '../state/leaves-traces.js'
import { conversationNotFound, isVisible } from '../state/conversation-visibility.js'
import { ConversationChange } from '../state/conversation-change.js'
import { WritingChange } from '../state/writing-change.js'
import { WriteBatch } from './write-batch.js'
import { WritesRefused, type PendingWrite, type Work } from './pending-write.js'
import { departuresAmong } from '../state/reach.js'

export interface WriteTransactionOptions extends Pick<
  ConversationWriterOptions,
  'idleMinutes' | 'onWorkChanged' | 'conclude' | 'onStreams' | 'grantsOf' | 'chargesOf'
> {
  database: Database
  outbox: Outbox
  clock: Clock
  /** Called with how long an accepted conversation had been queued. */
  observeQueueWait: (ms: number) => void
  lockWaits: LockWaits
  lockedStreams: LockedStreams
  /** Called when only writing and committing remain. */
  onDecided: () => void
}

/** Outcome of a transaction of operations. */
export interface Committed {
  /** Rejects if the responses to the appends were lost; the events are committed nevertheless. */
  events: Promise<StoredEvent[]>
  /** Callbacks that settle the operations' promises. */
  settle: (() => void)[]
  addedJobs: boolean
  /** Operations that were skipped because another transaction has locked their conversation, or an agent they need. */
  busy: PendingWrite[]
  /** The conversations as they are afterwards. */
  known: ReadonlyMap<string, KnownConversation>
  /** Cost of each operation, in sends. */
  costs: ReadonlyMap<PendingWrite, number>
}

/** After this time the connection is closed, and the outcome of the transaction is queried. */
const TRANSACTION_MS_MAX = 15_000

/**
 * Runs operations in one transaction: one statement locks their conversations, each operation decides on its own copy,
 * and all changes are written with one statement per table.
 * @throws LockWaitTooLong, WritesRefused
 */
export async function commitWrites(
  writes: readonly PendingWrite[],
  options: WriteTransactionOptions,
): Promise<Committed> {
  const suspects = new LockSuspects(writes, options.lockedStreams)
  try {
    const committed = await commitSuspected(writes, suspects, options)
    suspects.committed()
    return committed
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    throw new LockWaitTooLong(await suspects.find(options.database), error)
  }
}

function commitSuspected(
  writes: readonly PendingWrite[],
  suspects: LockSuspects,
  options: WriteTransactionOptions,
): Promise<Committed> {
  const { database, outbox, clock, lockWaits, onDecided, observeQueueWait, grantsOf, chargesOf } = options
  const commit = async (sql: Sql): Promise<Committed> => {
    const [{ aggregates, busy }, hasListenersOfNew] = await Promise.all([
      lock(sql, writes),
      readListenersOfNew(sql, writes),
    ])
    const settle: (() => void)[] = []
    const decided = new WriteBatch(sql)
    for (const { purse } of writes) purse?.begin()
    // Locking makes the row of an agent who has none: not for what is about to be refused.
    const locking = writes.filter((write) => {
      const found = aggregates.get(write.ids[0]!)
      return (
        locksAgents(write) && (write.newAggregate !== undefined || (found !== undefined && isVisible(write.ctx, found)))
      )
    })
    const agentLocks = await suspects.during(locking, lockAgentsOf(sql, locking, busy, options))
    const ended: LeasedJob[] = []
    const costs = new Map<PendingWrite, number>()
    /** Those that changed each conversation. */
    const writers = new Map<string, Set<PendingWrite>>()
    const files = new Map<PendingWrite, ReadonlySet<string>>()
    for (const wave of wavesOf(partsOf(writes.filter((write) => !busy.has(write))))) {
      const outcomes = await decideAll(decided, clock, wave, { aggregates, suspects, agentLocks, grantsOf, chargesOf })
      await options.conclude(outcomes.flatMap(({ change }) => (change ? [change, ...change.others.values()] : [])))
      await suspects.during(makersOf(wave, outcomes), makeContacts(sql, wave, outcomes))
      for (const [index, outcome] of outcomes.entries()) {
        const { write, isLast } = wave[index]!
        if (isLast) settle.push(outcome.settle)
        if (!outcome.change) continue
        const waitedMs = outcome.change.queueWaitMs
        if (waitedMs !== null) settle.push(() => observeQueueWait(waitedMs))
        if (outcome.change.files.size > 0) files.set(write, outcome.change.files.union(files.get(write) ?? new Set()))
        const actor = actorOf(write.ctx)
        const written = { events: 0, rows: 0 }
        for (const change of [outcome.change, ...outcome.change.others.values()]) {
          const added = decided.add(change, actor, write.traceparent)
          suspects.appends(write, added.events)
          written.events += added.events.length
          written.rows += added.rows
          if (change.offers.changesWork || change.clocks.changesUrgency)
            settle.push(() => options.onWorkChanged(change.conversation.org1))
          if (change.begunStreams.length + change.endedStreams.length > 0) settle.push(() => options.onStreams(change))
          aggregates.set(change.conversation.id, change.aggregate)
          const { id } = change.conversation
          writers.set(id, (writers.get(id) ?? new Set()).add(write))
        }
        costs.set(write, (costs.get(write) ?? 0) + costOf(written) + outcome.change.cost)
        if (!isLast) continue
        if (write.ctx.mutation?.isAudited)
          await addAuditEntries(sql, write.ctx, [entryOfWrite(write.ctx, outcome.change.conversation)])
        await suspects.during([write], recordAnswer(sql, write.ctx, outcome.answer, write.ids[0]))
        if (write.job) ended.push(write.job)
      }
    }
    suspects.refuseLocked()
    await suspects.during([...files.keys()], keepFiles(sql, files))
    await finishJobs(sql, ended)
    decided.jobs.push(...(await departuresAmong(sql, decided.given)))
    const hasWebhookListeners =
      hasListenersOfNew || aggregates.values().some((aggregate) => aggregate.hasWebhookListeners)
    const record = async (stored: readonly StoredEvent[]): Promise<void> => {
      for (const [conversation, deliveries] of await outbox.record(sql, stored)) {
        const causes = writers.get(conversation) ?? new Set()
        for (const write of causes) costs.set(write, costs.get(write)! + costOfDeliveries(deliveries) / causes.size)
      }
    }
    const append = async (events: readonly NewEvent[]): Promise<StoredEvent[]> => {
      const stored = await suspects.duringAppend(appendEvents(sql, events, clock.now()))
      if (hasWebhookListeners) await record(stored)
      return stored
    }
    const runLast = (): Promise<unknown> => {
      const statements: Promise<unknown>[] = [decided.runLast(), addJobs(sql, decided.jobs, clock)]
      if (lockWaits.streams !== lockWaits.rows)
        statements.push(sql.query(`set local lock_timeout = ${lockWaits.streams}`))
      return Promise.all(statements)
    }
    const { isLarge } = decided
    const early = isLarge ? await decided.writeInSlices(append, runLast) : []
    // Not awaited: all statements are sent together with the commit, in this order. A failure of any fails the
    // transaction.
    const statements = isLarge ? [] : [decided.write(), runLast()]
    const appended = suspects.duringAppend(appendEvents(sql, decided.events, clock.now()))
    const stored = Promise.all([appended, ...statements]).then(([last]) => [...early, ...last])
    stored.catch(() => undefined)
    onDecided()
    if (hasWebhookListeners) await record(await appended)
    const known = new Map([...aggregates].map(([id, aggregate]) => [id, knownOf(aggregate)]))
    return { events: stored, settle, addedJobs: decided.jobs.length > 0, busy: [...busy], known, costs }
  }
  return database.sqlTransaction(commit, { keepsPlans: true, lockWaitMs: lockWaits.rows, msMax: TRANSACTION_MS_MAX })
}

async function lock(
  sql: Sql,
  writes: readonly PendingWrite[],
): Promise<{ aggregates: Map<string, Aggregate>; busy: Set<PendingWrite> }> {
  const known = writes.flatMap(({ newAggregate, ids }) => (newAggregate ? ids.slice(1) : ids))
  if (known.length === 0) return { aggregates: new Map(), busy: new Set() }
  const delivering = writes.filter(({ newAggregate, delivers }) => delivers && !newAggregate).map(({ ids }) => ids[0]!)
  const locked = await lockFreeAggregates(sql, known, delivering)
  const busy = new Set<PendingWrite>()
  if (locked.busy.size > 0) addBusy(writes, busy, ({ ids }) => ids.some((id) => locked.busy.has(id)))
  return { aggregates: locked.aggregates, busy }
}

interface Locked {
  aggregates: ReadonlyMap<string, Aggregate>
  agentLocks: AgentLocks
  grantsOf: WriteTransactionOptions['grantsOf']
  chargesOf: WriteTransactionOptions['chargesOf']
}

/** One operation of a write: most have one, see `followedBy`. What is known of costs and locks is known of the write. */
interface Part {
  write: PendingWrite
  work: Work
  isLast: boolean
}

function partsOf(writes: readonly PendingWrite[]): Part[] {
  return writes.flatMap((write): Part[] => {
    const { work, followedBy } = write
    if (!followedBy) return [{ write, work, isLast: true }]
    const second: Work = { kind: 'exclusive', operation: followedBy }
    return [
      { write, work, isLast: false },
      { write, work: second, isLast: true },
    ]
  })
}

/**
 * Groups operations that can decide concurrently, on different conversations, so that their reads share round trips.
 * The later of two operations on one conversation is in a later wave.
 */
function wavesOf(parts: readonly Part[]): Part[][] {
  const waves: Part[][] = []
  const next = new Map<string, number>()
  for (const part of parts) {
    const { ids } = part.write
    const at = Math.max(...ids.map((id) => next.get(id) ?? 0))
    ;(waves[at] ??= []).push(part)
    for (const id of ids) next.set(id, at + 1)
  }
  return waves
}

/**
 * Runs all operations of a wave and waits until all have ended, since none may use the connection of another
 * transaction.
 * @throws WritesRefused; the error of a failed operation
 */
async function decideAll(
  decided: WriteBatch,
  clock: Clock,
  wave: readonly Part[],
  { suspects, ...locked }: Locked & { suspects: LockSuspects },
): Promise<Outcome[]> {
  const outcomes = await Promise.allSettled(wave.map((part) => decide(decided, clock, part, locked)))
  // The statements of the others fail together with the transaction, each with its own error.
  const isWaiter = (outcome: PromiseSettledResult<Outcome>): outcome is PromiseRejectedResult =>
    outcome.status === 'rejected' && isLockTimeout(outcome.reason)
  const waiter = outcomes.find(isWaiter)
  if (waiter) {
    const waiters = wave.filter((_, index) => isWaiter(outcomes[index]!)).map(({ write }) => write)
    await suspects.during(waiters, Promise.reject(waiter.reason as Error))
  }
  const refused = new Map<PendingWrite, DomainError>()
  const decisions = outcomes.map((outcome, index) => {
    if (outcome.status === 'fulfilled') return outcome.value
    const { write, work } = wave[index]!
    if (work.kind !== 'writes' || !(outcome.reason instanceof DomainError)) throw outcome.reason
    refused.set(write, outcome.reason)
    return { settle: () => undefined }
  })
  if (refused.size > 0) throw new WritesRefused(refused)
  return decisions
}

/** Returns operations whose new contacts have identifiers, which others may be about to insert. */
function makersOf(wave: readonly Part[], outcomes: readonly Outcome[]): PendingWrite[] {
  const makers = wave.filter((_, index) => {
    const profile = outcomes[index]!.change?.newContact?.profile
    return profile && (profile.email || profile.telephone)
  })
  return makers.map(({ write }) => write)
}

/**
 * Inserts the new contacts of operations with one statement. If the contact already exists, the operation is refused
 * and leaves nothing behind.
 * @throws ContactExists for an exclusive operation
 */
async function makeContacts(sql: Sql, wave: readonly Part[], outcomes: Outcome[]): Promise<void> {
  const changes = outcomes.map(({ change }) => change).filter((change) => change !== undefined)
  const contacts = changes.map(({ newContact }) => newContact).filter((contact) => contact !== null)
  const existing = await insertContacts(sql, contacts)
  if (existing.size === 0) return
  const conversations = new Map(changes.map(({ conversation }) => [conversation.contactId, conversation.id]))
  for (const [index, { change }] of outcomes.entries()) {
    const found = existing.get(change?.newContact?.id ?? '')
    if (!found) continue
    // The conversation of a contact that was created in the same batch has not been written yet.
    const conversation = found.conversation ?? conversations.get(found.contact) ?? null
    const error = new ContactExists({ ...found, conversation })
    const {
      work,
      write: { reject },
    } = wave[index]!
    if (work.kind === 'exclusive') throw error
    outcomes[index] = { settle: () => reject(error) }
  }
}

interface Outcome {
  change?: ConversationChange
  answer?: unknown
  settle: () => void
}

/** Runs one operation. A domain error refuses only this operation; any other error fails the transaction. */
async function decide(
  decided: WriteBatch,
  clock: Clock,
  { work, write: { ctx, ids, newAggregate, purse, resolve, reject } }: Part,
  { aggregates, agentLocks, grantsOf, chargesOf }: Locked,
): Promise<Outcome> {
  try {
    const [aggregate, ...others] = ids.map((id) => {
      const found = newAggregate?.conversation.id === id ? newAggregate : aggregates.get(id)
      if (!found || !isVisible(ctx, found)) throw conversationNotFound()
      return found
    })
    const sql = decided.reader(ids)
    const parts = [clock, aggregate!, decided.shared, newAggregate !== undefined] as const
    const begin = <Change extends ConversationChange>(change: Change): Change => {
      change.agentLocks = agentLocks
      if (purse) Object.assign(change, { grants: grantsOf(purse.bot, change), charges: chargesOf(purse, change) })
      for (const each of others) {
        const other = new ConversationChange(sql, clock, each, decided.shared)
        if (purse) other.grants = grantsOf(purse.bot, other)
        change.others.set(each.conversation.id, other)
      }
      return change
    }
    if (work.kind === 'reads') {
      const change = begin(new ConversationChange(sql, ...parts))
      const answer = await work.operation(change)
      await change.grants.settle(() => leavesTraces(aggregate!, change))
      return { change, answer, settle: () => resolve(answer) }
    }
    const change = begin(new WritingChange(sql, ...parts))
    const answer = await work.operation(change)
    await change.grants.settle(() => leavesTraces(aggregate!, change))
    return { change, answer, settle: () => resolve(answer) }
  } catch (error) {
    // An operation that has written directly: the transaction must not be committed.
    if (error instanceof DomainError && work.kind === 'reads') return { settle: () => reject(error) }
    throw error
  }
}
