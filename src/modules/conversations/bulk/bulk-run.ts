import type { AgentNeeds } from '../../workflows/routing-decision.js'
import type { Step } from '../../macros/macro-step.js'
import { isId } from '../../../platform/db/clock.js'
import { reading, type ReadSql } from '../../../platform/db/sql.js'
import { userStream } from '../../../platform/events/event.js'
import type { WriteTx } from '../../../platform/events/transact.js'
import { defineJob } from '../../../platform/jobs/job-type.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import type { Refusal } from '../acts/run-macro.js'

export const BULK_CONVERSATIONS_MAX = 500
/** The same of an act that writes to consumers. */
export const BULK_REPLIES_MAX = 50
/** Conversations of a job: others of the organization take turns with them. */
export const SLICE = 50
/** The runs of a customer do at most 20 conversations a second, together. */
export const PACE_MS = 50
/** Time to undo a run after its end. */
export const BULK_UNDO_MS = 15_000
/** A run that has stood still for so long does nothing more: what it was meant for is long gone. */
export const GOES_ON_MS = 3_600_000
const KEPT_MS = 7 * 86_400_000

export type BulkState = 'running' | 'done' | 'cancelled' | 'undoing' | 'undone'
export type BulkOutcome = 'done' | 'skipped' | 'failed'

/** A run as it is stored, with its counts. */
export interface BulkRunRow {
  id: string
  userId: string
  org1: string
  /** The caller's organization of level 2, or the contact center. */
  customerId: string
  scopes: string[]
  requestHash: string
  steps: Step[]
  macro: MacroOfRun | null
  state: BulkState
  createdAt: Date
  endedAt: Date | null
  undoUntil: Date | null
  total: number
  done: number
  skipped: number
  failed: number
  undone: number
  kept: number
}

/** The macro as it was when the run was asked for. */
export interface MacroOfRun {
  id: string
  name: string
  organizationId: string
  channels: string[]
}

/** A conversation as it was before the act, as far as an undoing needs it. */
export interface Before {
  /** Labels that the act has put on, and taken off. */
  added: string[]
  removed: string[]
  /** Its place in the queue, if it waited and was accepted by the act. */
  waited: Waited | null
  snoozedUntil: string | null
  /** Until when the act has snoozed it. */
  snoozed: string | null
  /** Until when the act's closing can be undone: by that it is told from others. */
  closedUntil: string | null
}

/** A place in the queue. Times are texts: it is stored as JSON. */
export interface Waited {
  queuedAt: string | null
  waitingSince: string | null
  /** Those in which it waited, if somebody had chosen them, as by a hand-over; empty: the rules decide again. */
  channels: string[]
  /** To whom it is not to be offered, or last. */
  kept: AgentNeeds | null
}

/** A conversation in a run. */
export interface BulkItem {
  conversationId: string
  lastMessageId: string | null
  attempts: number
  outcome: BulkOutcome | null
  refusal: Refusal | null
  before: Before | null
  undone: 'done' | 'kept' | null
}

/** Does a slice of a run, or of its undoing. Those of a customer come one after another. */
export const BULK_SLICE = defineJob<{ run: string; user: string }>('bulk.slice', { run: 'string', user: 'string' })

/** Jobs of one key run in turn: that is what keeps a customer to its pace, on all nodes together. */
export const bulkKey = (customer: string): string => `bulk:${customer}`

/** Tells the caller's screens alone. */
export function emitBulkChanged(tx: WriteTx, { id, userId }: Pick<BulkRunRow, 'id' | 'userId'>): void {
  tx.emit(userStream(userId), 'bulk.changed', { run: id })
}

/** Tells whether there is something of it that can be undone; what was said stays said. */
export const canBeUndone = (steps: readonly { kind: string }[]): boolean =>
  steps.some(({ kind }) => kind === 'labels' || kind === 'snooze' || kind === 'close')

/** Reads runs of a user with their counts. */
export async function readRuns(sql: ReadSql, ids: readonly string[], user: string): Promise<BulkRunRow[]> {
  const rows = await sql.query<Record<string, unknown>>(RUNS, [ids, user], 'bulk-runs')
  return rows.map((row) => camelRow<BulkRunRow>(row))
}

const RUNS = reading(`
select r.id, r.user_id, r.org1, r.customer_id, r.scopes, r.request_hash, r.steps, r.macro, r.state,
  r.created_at, r.ended_at, r.undo_until, c.*
from bulk_run r cross join lateral (
  select count(*)::int as total, count(*) filter (where i.outcome = 'done')::int as done,
    count(*) filter (where i.outcome = 'skipped')::int as skipped,
    count(*) filter (where i.outcome = 'failed')::int as failed,
    count(*) filter (where i.undone = 'done')::int as undone,
    count(*) filter (where i.undone = 'kept')::int as kept
  from bulk_item i where i.run_id = r.id) c
where r.id = any($1::uuid[]) and r.user_id = $2`)

/** Reads a run of a user's own; another's is not found. @throws NotFound */
export async function requireRun(sql: ReadSql, id: string, user: string): Promise<BulkRunRow> {
  const [run] = isId(id) ? await readRuns(sql, [id], user) : []
  if (!run) throw recordNotFound('BulkRun', id)
  return run
}

/** Locks a run of a user's own against whoever else would change its state. @throws NotFound */
export async function lockRun(tx: WriteTx, id: string, user: string): Promise<BulkRunRow> {
  const run = isId(id) ? await lockRunIfKept(tx, id, user) : undefined
  if (!run) throw recordNotFound('BulkRun', id)
  return run
}

/** The same of one that may be gone by now. */
export async function lockRunIfKept(tx: WriteTx, id: string, user: string): Promise<BulkRunRow | undefined> {
  await tx.query('select 1 from bulk_run where id = $1 and user_id = $2 for update', [id, user])
  const [run] = await readRuns(tx, [id], user)
  return run
}

/** Reads those whose doing could not be undone, then those with which nothing was done, each in the order of their ids. */
export async function readRefused(sql: ReadSql, run: string, first: number): Promise<BulkItem[]> {
  const rows = await sql.query<Record<string, unknown>>(REFUSED, [run, first], 'bulk-refused')
  return rows.map((row) => camelRow<BulkItem>(row))
}

const REFUSED = reading(`
select conversation_id, outcome, refusal, undone from bulk_item
where run_id = $1 and refusal is not null order by undone is null, conversation_id limit $2`)

/** Deletes runs after 7 days. */
export async function pruneBulkRuns(sql: { query: (text: string, values: unknown[]) => Promise<unknown> }, now: Date) {
  await sql.query('delete from bulk_run where created_at < $1', [new Date(now.getTime() - KEPT_MS)])
}

/** The same steps without what they say. */
export function withoutTexts(steps: readonly Step[]): Step[] {
  return steps.map((step) => {
    if (step.kind === 'reply' || step.kind === 'note') return { ...step, text: '' }
    return step.kind === 'handOver' ? { ...step, note: null } : step
  })
}
