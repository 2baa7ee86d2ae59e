import type { Clock } from '../../db/clock.js'
import type { Database, Sql } from '../../db/database.js'
import { isLockTimeout } from '../../db/sql-errors.js'
import { ContactExists, insertContacts } from '../../contacts/insert-contact.js'
import { DomainError } from '../../errors.js'
import type { NewEvent, StoredEvent } from '../../events/event.js'
import { hasWebhookListenersSql, type Outbox } from '../../events/outbox.js'
import { actorOf } from '../../events/event-actor.js'
import { appendEvents } from '../../events/streams.js'
import { addJobs, finishJobs, type LeasedJob } from '../../jobs/job.js'
import { recordAnswer } from '../../limits/idempotency.js'
import type { Aggregate } from './conversation-state.js'
import { lockFreeAggregates } from './lock-aggregates.js'
import type { LockWaits } from './lock-patience.js'
import type { LockedStreams } from './locked-streams.js'
import { LockSuspects, LockWaitTooLong } from './lock-suspects.js'
import { conversationNotFound, isVisible } from './conversation-visibility.js'
import { ConversationDraft } from './conversation-draft.js'
import { WriteBatch } from './write-batch.js'
import { WritesRefused, type PendingWrite } from './pending-write.js'
import { departuresAmong } from './reach.js'

export interface WriteTransactionOptions {
  database: Database
  outbox: Outbox
  clock: Clock
  /** Called with how long an accepted conversation had been queued. */
  observeQueueWait: (ms: number) => void
  lockWaits: LockWaits
  lockedStreams: LockedStreams
  /** Called when all that is left is to write and to commit. */
  onDecided: () => void
}

/** What a transaction of operations did, once it has ended. */
export interface Committed {
  /** Rejects when the answers were lost; they are committed all the same. */
  events: Promise<StoredEvent[]>
  /** Tells those who wait what came of their operations. */
  settle: (() => void)[]
  addedJobs: boolean
  /** What has not been tried, since another transaction writes a conversation of theirs. */
  busy: PendingWrite[]
  /** The level-1 organizations of the conversations. */
  tenants: ReadonlyMap<string, string>
  /** What deciding took beyond the ordinary, in sends. */
  costs: ReadonlyMap<PendingWrite, number>
}

/** Past this the connection is cut, and what became of the transaction is asked for. */
const TRANSACTION_MS_MAX = 15_000

/**
 * Does operations in one transaction: their conversations are locked with one statement, each operation decides on its
 * own draft, and all that they add is written with one statement a table.
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
  const { database, outbox, clock, lockWaits, onDecided, observeQueueWait } = options
  const commit = async (sql: Sql): Promise<Committed> => {
    const [{ aggregates, busy }, hasListenersOfNew] = await Promise.all([
      lock(sql, writes),
      readListenersOfNew(sql, writes),
    ])
    const settle: (() => void)[] = []
    const decided = new WriteBatch(sql)
    const ended: LeasedJob[] = []
    const costs = new Map<PendingWrite, number>()
    for (const wave of wavesOf(writes.filter((write) => !busy.has(write)))) {
      const outcomes = await decideAll(decided, clock, wave, { aggregates, suspects })
      await suspects.during(makersOf(wave, outcomes), makeContacts(sql, wave, outcomes))
      for (const [index, outcome] of outcomes.entries()) {
        const write = wave[index]!
        settle.push(outcome.settle)
        if (!outcome.draft) continue
        if (outcome.draft.cost > 0) costs.set(write, outcome.draft.cost)
        const waitedMs = outcome.draft.queueWaitMs
        if (waitedMs !== null) settle.push(() => observeQueueWait(waitedMs))
        const actor = actorOf(write.ctx)
        for (const draft of [outcome.draft, ...outcome.draft.others.values()]) {
          suspects.appends(write, decided.add(draft, actor))
          aggregates.set(draft.conversation.id, draft.aggregate)
        }
        await suspects.during([write], recordAnswer(sql, write.ctx, outcome.answer))
        if (write.job) ended.push(write.job)
      }
    }
    suspects.refuseLocked()
    await finishJobs(sql, ended)
    decided.jobs.push(...(await departuresAmong(sql, decided.given)))
    const hasWebhookListeners =
      hasListenersOfNew || aggregates.values().some((aggregate) => aggregate.hasWebhookListeners)
    const append = async (events: readonly NewEvent[]): Promise<StoredEvent[]> => {
      const stored = await appendEvents(sql, events, clock.now())
      if (hasWebhookListeners) await outbox.record(sql, stored)
      return stored
    }
    const early = decided.isLarge ? await decided.writeInSlices(append) : []
    // Not awaited: all of it goes out together with the commit, in this order. The transaction fails with any of it.
    const statements = [
      decided.write(),
      ...decided.lastStatements.map(({ text, values }) => sql.query(text, values)),
      addJobs(sql, decided.jobs, clock),
    ]
    if (lockWaits.streams !== lockWaits.rows)
      statements.push(sql.query(`set local lock_timeout = ${lockWaits.streams}`))
    const appended = suspects.duringAppend(appendEvents(sql, decided.events, clock.now()))
    const stored = Promise.all([appended, ...statements]).then(([last]) => [...early, ...last])
    stored.catch(() => undefined)
    onDecided()
    if (hasWebhookListeners) await outbox.record(sql, await appended)
    const tenants = new Map([...aggregates].map(([id, { conversation }]) => [id, conversation.org1]))
    return { events: stored, settle, addedJobs: decided.jobs.length > 0, busy: [...busy], tenants, costs }
  }
  return database.sqlTransaction(commit, { keepsPlans: true, lockWaitMs: lockWaits.rows, msMax: TRANSACTION_MS_MAX })
}

/** Whether someone outside is told of a conversation that is made; of others the lock reads it. */
async function readListenersOfNew(sql: Sql, writes: readonly PendingWrite[]): Promise<boolean> {
  const made = writes.flatMap(({ newAggregate }) => newAggregate?.conversation ?? [])
  if (made.length === 0) return false
  const places = new Map(made.map(({ org1, org2, org3 }) => [`${org1} ${org2} ${org3}`, [org1, org2, org3]]))
  const columns = [0, 1, 2].map((level) => [...places.values()].map((place) => place[level]))
  const rows = await sql.query<{ some: boolean }>(LISTENERS_OF_NEW, columns, 'listeners-of-new')
  return rows.some(({ some }) => some)
}

const LISTENERS_OF_NEW = `
select ${hasWebhookListenersSql('c')} as some from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as c(org1, org2, org3)`

async function lock(
  sql: Sql,
  writes: readonly PendingWrite[],
): Promise<{ aggregates: Map<string, Aggregate>; busy: Set<PendingWrite> }> {
  const known = writes.flatMap(({ newAggregate, ids }) => (newAggregate ? ids.slice(1) : ids))
  if (known.length === 0) return { aggregates: new Map(), busy: new Set() }
  const delivering = writes.filter(({ newAggregate, delivers }) => delivers && !newAggregate).map(({ ids }) => ids[0]!)
  const locked = await lockFreeAggregates(sql, known, delivering)
  const busy = new Set<PendingWrite>()
  // What comes after a write that has to wait waits too, if it is about one of the same conversations.
  const held = new Set(locked.busy)
  for (const write of writes) {
    if (!write.ids.some((id) => held.has(id))) continue
    busy.add(write)
    for (const id of write.ids) held.add(id)
  }
  return { aggregates: locked.aggregates, busy }
}

/**
 * Operations that can decide at the same time, on conversations of their own: what they read shares round trips. Of two
 * on one conversation the later one is in a later wave.
 */
function wavesOf(writes: readonly PendingWrite[]): PendingWrite[][] {
  const waves: PendingWrite[][] = []
  const next = new Map<string, number>()
  for (const write of writes) {
    const at = Math.max(...write.ids.map((id) => next.get(id) ?? 0))
    ;(waves[at] ??= []).push(write)
    for (const id of write.ids) next.set(id, at + 1)
  }
  return waves
}

/**
 * @throws WritesRefused; what one of them threw, after all of them have ended: none may use the connection of another
 *   transaction
 */
async function decideAll(
  decided: WriteBatch,
  clock: Clock,
  wave: readonly PendingWrite[],
  { aggregates, suspects }: { aggregates: ReadonlyMap<string, Aggregate>; suspects: LockSuspects },
): Promise<Outcome[]> {
  const outcomes = await Promise.allSettled(wave.map((write) => decide(decided, clock, write, aggregates)))
  // The statements of the others fail with the transaction, each with an error of its own.
  const isWaiter = (outcome: PromiseSettledResult<Outcome>): outcome is PromiseRejectedResult =>
    outcome.status === 'rejected' && isLockTimeout(outcome.reason)
  const waiter = outcomes.find(isWaiter)
  if (waiter) {
    const waiters = wave.filter((_, index) => isWaiter(outcomes[index]!))
    await suspects.during(waiters, Promise.reject(waiter.reason as Error))
  }
  const refused = new Map<PendingWrite, DomainError>()
  const decisions = outcomes.map((outcome, index) => {
    if (outcome.status === 'fulfilled') return outcome.value
    const write = wave[index]!
    if (!write.writesItself || !(outcome.reason instanceof DomainError)) throw outcome.reason
    refused.set(write, outcome.reason)
    return { settle: () => undefined }
  })
  if (refused.size > 0) throw new WritesRefused(refused)
  return decisions
}

/** The operations whose contacts have identifiers, which others may be about to insert. */
function makersOf(wave: readonly PendingWrite[], outcomes: readonly Outcome[]): PendingWrite[] {
  return wave.filter((_, index) => {
    const profile = outcomes[index]!.draft?.newContact?.profile
    return profile && (profile.email || profile.telephone)
  })
}

/**
 * Inserts the contacts that operations make, with one statement. An operation whose contact is there already is refused
 * by that, and leaves nothing behind.
 * @throws ContactExists of what ran alone
 */
async function makeContacts(sql: Sql, wave: readonly PendingWrite[], outcomes: Outcome[]): Promise<void> {
  const drafts = outcomes.map(({ draft }) => draft).filter((draft) => draft !== undefined)
  const contacts = drafts.map(({ newContact }) => newContact).filter((contact) => contact !== null)
  const existing = await insertContacts(sql, contacts)
  if (existing.size === 0) return
  const conversations = new Map(drafts.map(({ conversation }) => [conversation.contactId, conversation.id]))
  for (const [index, { draft }] of outcomes.entries()) {
    const found = existing.get(draft?.newContact?.id ?? '')
    if (!found) continue
    // That of a contact which was made just before has not been written yet.
    const conversation = found.conversation ?? conversations.get(found.contact) ?? null
    const error = new ContactExists({ ...found, conversation })
    const { isExclusive, reject } = wave[index]!
    if (isExclusive) throw error
    outcomes[index] = { settle: () => reject(error) }
  }
}

interface Outcome {
  draft?: ConversationDraft
  answer?: unknown
  settle: () => void
}

/** Lets one operation decide. A refusal of the domain's settles it alone; anything else fails the transaction. */
async function decide(
  decided: WriteBatch,
  clock: Clock,
  { ctx, ids, operation, newAggregate, isExclusive, writesItself, resolve, reject }: PendingWrite,
  aggregates: ReadonlyMap<string, Aggregate>,
): Promise<Outcome> {
  try {
    const [aggregate, ...others] = ids.map((id) => {
      const found = newAggregate?.conversation.id === id ? newAggregate : aggregates.get(id)
      if (!found || !isVisible(ctx, found)) throw conversationNotFound()
      return found
    })
    const sql = decided.reader(ids)
    const draft = new ConversationDraft(sql, clock, aggregate!, newAggregate !== undefined, decided.shared)
    for (const other of others)
      draft.others.set(other.conversation.id, new ConversationDraft(sql, clock, other, false, decided.shared))
    const answer = await operation(draft)
    return { draft, answer, settle: () => resolve(answer) }
  } catch (error) {
    // What has written by itself must not be committed.
    if (error instanceof DomainError && !isExclusive && !writesItself) return { settle: () => reject(error) }
    throw error
  }
}
