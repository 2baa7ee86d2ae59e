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
  /** Number of this attempt, from 1: with the id, it proves the lease. */
  attempts: number
  /** Consecutive attempts that failed or did not end, including the running one. */
  failures: number
  /** The runner that leased it; its number may be another one since then. */
  leasedBy: number
  /** Time of the lease. */
  leasedAt: Date
  /** The place in a trace that caused it. */
  traceparent?: string | null
}

/** A job with what its payload holds, see `defineJob`. */
export interface Job<Payload extends object = JsonObject> extends LeasedJob {
  payload: Payload
}

/** The share of mails sent by the installation's own mail server. */
export const MAIL_SHARE = 'mail'

/** The prefix of shares of what providers have told. */
export const INBOUND = 'inbound:'

/** Returns the share of what a provider has told of a service: not that of what is sent there, which a slow provider fills. */
export const inboundShare = (service: string): string => `${INBOUND}${service}`

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

/** Longest wait of a held job: what holds it may end without anybody who wakes it. */
const HELD_MS = 3_600_000

/** The job's contact center stands still: it is not run until {@link releaseJobs}. */
export class JobHeld extends RetryLater {
  constructor(reason: string) {
    super(reason, HELD_MS)
  }
}

/** Makes the jobs due that were held for this reason. Runs in the caller's transaction; wake the runner after its commit. */
export async function releaseJobs(sql: Sql, reason: string, now: Date): Promise<void> {
  await sql.query(
    `with released as (
       update job set run_at = least(run_at, $2) where last_error = $1 and run_at < 'infinity' and leased_by is null
       returning key
     )
     update job_partition p set due_at = $2, version = version + 1
     where p.key in (select key from released) and p.leased_by is null`,
    [String(new JobHeld(reason)), now],
  )
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
    `delete from job j using unnest($1::uuid[], $2::int[]) as x(id, attempts)
     where j.id = x.id and j.attempts = x.attempts returning j.id`,
    [jobs.map(({ id }) => id), jobs.map(({ attempts }) => attempts)],
    'finish-jobs',
  )
  const ended = new Set(rows.map(({ id }) => id))
  const lost = jobs.find(({ id }) => !ended.has(id))
  if (lost) throw new LeaseLost(lost)
}
