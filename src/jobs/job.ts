import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import type { JsonObject } from '../json.js'

/** Work that must happen, kept in the database from the transaction that caused it until the one that does it. */
export interface NewJob {
  kind: string
  /** Jobs of one key run one at a time, in the order they were added. */
  key?: string
  /**
   * Whose places it takes while it waits for others, such as a service's: one share has a bounded number of them. With
   * a key, and a kind that is outbound.
   */
  share?: string
  /** Now when absent. */
  runAt?: Date
  payload: JsonObject
}

export interface Job {
  id: string
  kind: string
  key: string | null
  runAt: Date
  payload: JsonObject
  /** Counting this one. */
  attempts: number
  /** Of these, the last ones in a row that failed or did not end; this one counts as long as it runs. */
  failures: number
  /** The runner that leased it. */
  leasedBy: number
}

/** The share of what is sent by the server's own mail server. */
export const MAIL_SHARE = 'mail'

/**
 * Adds jobs in the caller's transaction; wake the runner after its commit. Their order is that of their numbers, which the
 * database gives one after the other: jobs of one key are added under one lock, such as the conversation's.
 */
export async function addJobs(sql: Sql, jobs: readonly NewJob[], clock: Clock): Promise<void> {
  if (jobs.length === 0) return
  const now = clock.now()
  const rows = jobs.map(({ kind, key, share, runAt, payload }) => ({
    id: clock.newId(),
    kind,
    key: key ?? null,
    share: share ?? null,
    run_at: runAt ?? now,
    payload,
  }))
  await sql.query(
    `insert into job (id, kind, key, share, run_at, payload, created_at)
     select id, kind, key, share, run_at, payload, $2
     from jsonb_to_recordset($1::jsonb) as x(id uuid, kind text, key text, share text, run_at timestamptz, payload jsonb)`,
    [JSON.stringify(rows), now],
    'add-jobs',
  )
}

/** The lease ran out and another runner has the job, or it was done already: undo what was done for it. */
export class LeaseLost extends Error {
  constructor(job: Job) {
    super(`job ${job.id} (${job.kind}) is not ours any more`)
  }
}

/** The work cannot be done yet: try again after this long, and not by the runner's own backoff. */
export class RetryLater extends Error {
  constructor(
    message: string,
    readonly delayMs: number,
  ) {
    super(message)
  }
}

/**
 * Ends a job within the transaction that does its work, so that both happen once or not at all.
 * @throws LeaseLost
 */
export async function finishJob(sql: Sql, job: Job): Promise<void> {
  await finishJobs(sql, [job])
}

/** The same for several by one statement: all or none. @throws LeaseLost for the first that is not ours any more */
export async function finishJobs(sql: Sql, jobs: readonly Job[]): Promise<void> {
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
