import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import type { JsonObject } from '../json.js'
import { tracing } from '../tracing/tracing.js'

/** Work that must be done, stored from the transaction that caused it until the one that does it. */
export interface NewJob {
  kind: string
  /** Jobs of one key run one at a time, in the order they were added. */
  key?: string
  /**
   * Quota that it counts against while it waits for an external server, such as a service: the running jobs of one
   * share are limited. Requires a key and an outbound kind.
   */
  share?: string
  /** Default: now. */
  runAt?: Date
  payload: JsonObject
  /** The place in a trace that caused it; default: the current one. */
  traceparent?: string | null
}

export interface LeasedJob {
  id: string
  kind: string
  key: string | null
  runAt: Date
  /** Number of this attempt, from 1. */
  attempts: number
  /** Consecutive attempts that failed or did not end, including the running one. */
  failures: number
  /** The runner that leased it. */
  leasedBy: number
  /** The place in a trace that caused it. */
  traceparent?: string | null
}

/** A job with what its payload holds, see `defineJob`. */
export interface Job<Payload extends object = JsonObject> extends LeasedJob {
  payload: Payload
}

/** The share of mails sent by the installation's own mail server. */
export const MAIL_SHARE = 'mail'

/**
 * Adds jobs in the caller's transaction; wake the runner after its commit. They are ordered by numbers that the
 * database assigns: jobs of one key must be added under one lock, such as the conversation's.
 */
export async function addJobs(sql: Sql, jobs: readonly NewJob[], clock: Clock): Promise<void> {
  if (jobs.length === 0) return
  const now = clock.now()
  const here = tracing().traceparent() ?? null
  const rows = jobs.map(({ kind, key, share, runAt, payload, traceparent }) => ({
    id: clock.newId(),
    kind,
    key: key ?? null,
    share: share ?? null,
    run_at: runAt ?? now,
    payload,
    traceparent: traceparent === undefined ? here : traceparent,
  }))
  await sql.query(
    `insert into job (id, kind, key, share, run_at, payload, traceparent, created_at)
     select id, kind, key, share, run_at, payload, traceparent, $2
     from jsonb_to_recordset($1::jsonb) as x(id uuid, kind text, key text, share text, run_at timestamptz, payload jsonb,
       traceparent text)`,
    [JSON.stringify(rows), now],
    'add-jobs',
  )
}

/** `own`: jobs without a share; `outbound`: those with one, such as a provider's service. */
export type JobScope = 'own' | 'outbound'

/** The lease expired and another runner has the job, or the job is done: the caller must roll back. */
export class LeaseLost extends Error {
  constructor(job: LeasedJob) {
    super(`job ${job.id} (${job.kind}) is no longer leased by this runner`)
  }
}

/** The work cannot be done yet: retry after this time instead of the runner's own backoff. */
export class RetryLater extends Error {
  constructor(
    message: string,
    readonly delayMs: number,
  ) {
    super(message)
  }
}

/**
 * Ends a job within the transaction that does its work, so that both happen exactly once or not at all.
 * @throws LeaseLost
 */
export async function finishJob(sql: Sql, job: LeasedJob): Promise<void> {
  await finishJobs(sql, [job])
}

/** Ends several jobs by one statement, all or none. @throws LeaseLost for the first whose lease is lost */
export async function finishJobs(sql: Sql, jobs: readonly LeasedJob[]): Promise<void> {
  if (jobs.length === 0) return
  const rows = await sql.query<{ id: string }>(
    `delete from job j using unnest($1::uuid[], $2::int[], $3::int[]) as x(id, leased_by, attempts)
     where j.id = x.id and j.leased_by = x.leased_by and j.attempts = x.attempts returning j.id`,
    [jobs.map(({ id }) => id), jobs.map(({ leasedBy }) => leasedBy), jobs.map(({ attempts }) => attempts)],
    'finish-jobs',
  )
  const ended = new Set(rows.map(({ id }) => id))
  const lost = jobs.find(({ id }) => !ended.has(id))
  if (lost) throw new LeaseLost(lost)
}
