import type { Logger } from 'pino'
import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import type { JsonObject } from '../json.js'
import { LeaseLost, type Job } from './job.js'

/** Does the job's work. To have it happen exactly once, call `finishJob` in the transaction that does it. */
export type JobHandler = (job: Job) => Promise<void>

export interface JobKind {
  handler: JobHandler
  /** Tries before it is given up and kept for an operator. */
  attemptsMax?: number
}

export interface JobRunnerOptions {
  sql: Sql
  clock: Clock
  log: Logger
  /** Jobs under way at once. */
  concurrency?: number
  /** Called with how late a job starts, in milliseconds. */
  observeLateness?: (ms: number, kind: string) => void
}

/** A runner that dies holds its jobs this long; renewed while a job is under way. */
const LEASE_MS = 15_000
const RENEW_MS = 5_000
/** Another node's jobs are seen this often at the latest; our own wake the runner at once. */
const POLL_MS = 500
const BACKOFF_MAX_MS = 3_600_000
const ATTEMPTS_MAX = 20
const CONCURRENCY = 32

/** Jobs of one key run in the order they were added, each when those before it are done or given up. */
const IS_NEXT_OF_KEY = `(j.key is null or not exists (
  select 1 from job e where e.key = j.key and e.id < j.id and e.run_at < 'infinity'))`

/** Runs due jobs of this database; any number of runners share them. */
export class JobRunner {
  readonly #id: string
  readonly #kinds = new Map<string, JobKind>()
  readonly #running = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | null = null
  #renewal: NodeJS.Timeout | null = null
  #claiming: Promise<void> | null = null
  #again = false
  #stopped = true

  constructor(private readonly options: JobRunnerOptions) {
    this.#id = options.clock.newId()
  }

  register(kind: string, definition: JobKind): void {
    this.#kinds.set(kind, definition)
  }

  start(): void {
    this.#stopped = false
    this.#renewal = setInterval(() => void this.#renew(), RENEW_MS)
    this.#renewal.unref()
    this.wake()
  }

  /** Lets what is under way end, for at most `graceMs`; the rest is handed back. */
  async stop(graceMs = 5_000): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
    // What it is leasing now is handed back below, or was begun and is waited for.
    await this.#claiming
    const grace = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())
    await Promise.race([Promise.allSettled(this.#running.values()), grace])
    if (this.#renewal) clearInterval(this.#renewal)
    const handBack = 'update job set leased_by = null, leased_until = null where leased_by = $1'
    await this.options.sql.query(handBack, [this.#id])
  }

  /** Call after a commit that added jobs. */
  wake(): void {
    if (this.#stopped) return
    if (this.#claiming) this.#again = true
    else this.#claiming = this.#claim()
  }

  async #claim(): Promise<void> {
    let nextInMs = POLL_MS
    try {
      do {
        this.#again = false
        const room = (this.options.concurrency ?? CONCURRENCY) - this.#running.size
        const jobs = room > 0 ? await this.#lease(room) : []
        if (!this.#stopped) for (const job of jobs) this.#run(job)
        if (room > 0 && jobs.length === room) this.#again = true
      } while (this.#again && !this.#stopped)
      if (!this.#stopped) nextInMs = await this.#msToNext()
    } catch (error) {
      this.options.log.warn({ err: error }, 'could not look for jobs')
    } finally {
      this.#claiming = null
      // Woken since the last look, or to be woken when the next job is due.
      if (this.#again) this.wake()
      else this.#wakeIn(nextInMs)
    }
  }

  #wakeIn(ms: number): void {
    if (this.#stopped) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.wake(), ms)
    this.#timer.unref()
  }

  #lease(limit: number): Promise<Job[]> {
    const now = this.options.clock.now()
    return this.options.sql.query<Job>(
      `update job set leased_by = $1, leased_until = $2, attempts = attempts + 1
       where id in (
         select j.id from job j
         where j.run_at <= $3 and (j.leased_until is null or j.leased_until < $3) and j.kind = any($4::text[])
           and ${IS_NEXT_OF_KEY} and not j.id = any($6::uuid[])
         order by j.run_at, j.id limit $5 for update skip locked)
       returning id, kind, key, run_at as "runAt", payload, attempts, leased_by as "leasedBy"`,
      // Our own are excluded: the clock may have jumped past their leases while they run.
      [this.#id, new Date(now.getTime() + LEASE_MS), now, [...this.#kinds.keys()], limit, [...this.#running.keys()]],
      'lease-jobs',
    )
  }

  /** Milliseconds until the next job may be due here, at most the poll's. */
  async #msToNext(): Promise<number> {
    const now = this.options.clock.now()
    const rows = await this.options.sql.query<{ at: Date | null }>(
      `select min(greatest(j.run_at, coalesce(j.leased_until, j.run_at))) as at from job j
       where j.run_at <= $1 and j.kind = any($2::text[]) and ${IS_NEXT_OF_KEY}`,
      [new Date(now.getTime() + POLL_MS), [...this.#kinds.keys()]],
      'next-job',
    )
    const at = rows[0]?.at
    return at ? Math.min(POLL_MS, Math.max(1, at.getTime() - now.getTime())) : POLL_MS
  }

  #run(job: Job): void {
    const kind = this.#kinds.get(job.kind)!
    this.options.observeLateness?.(this.options.clock.now().getTime() - job.runAt.getTime(), job.kind)
    const work = this.#attempt(job, kind).finally(() => {
      this.#running.delete(job.id)
      this.wake()
    })
    this.#running.set(job.id, work)
  }

  async #attempt(job: Job, kind: JobKind): Promise<void> {
    try {
      await kind.handler(job)
      await this.options.sql.query(
        'delete from job where id = $1 and leased_by = $2 and attempts = $3',
        [job.id, this.#id, job.attempts],
        'end-job',
      )
    } catch (error) {
      if (error instanceof LeaseLost) return
      const given = job.attempts >= (kind.attemptsMax ?? ATTEMPTS_MAX)
      const level = given ? 'error' : 'warn'
      this.options.log[level]({ err: error, job: job.id, kind: job.kind, attempts: job.attempts }, 'a job failed')
      await this.#putBack(job, error, given).catch((putBackError: unknown) =>
        this.options.log.warn({ err: putBackError, job: job.id }, 'could not put a job back; its lease will run out'),
      )
    }
  }

  /** A job given up stays in the table, due never, with its last error; it holds back no other of its key. */
  async #putBack(job: Job, error: unknown, given: boolean): Promise<void> {
    const backoffMs = Math.min(BACKOFF_MAX_MS, 1_000 * 2 ** (job.attempts - 1)) * (0.75 + Math.random() / 2)
    const runAt = given ? 'infinity' : new Date(this.options.clock.now().getTime() + backoffMs).toISOString()
    await this.options.sql.query(
      `update job set leased_by = null, leased_until = null, run_at = $3, last_error = $4
       where id = $1 and leased_by = $2 and attempts = $5`,
      [job.id, this.#id, runAt, String(error).slice(0, 2_000), job.attempts],
    )
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return
    const until = new Date(this.options.clock.now().getTime() + LEASE_MS)
    await this.options.sql
      .query('update job set leased_until = $2 where leased_by = $1 and id = any($3::uuid[])', [
        this.#id,
        until,
        [...this.#running.keys()],
      ])
      .catch((error: unknown) => this.options.log.warn({ err: error }, 'could not renew the leases'))
  }
}

/** A payload's text value. @throws when the job was written by something else. */
export function payloadText(payload: JsonObject, key: string): string {
  const value = payload[key]
  if (typeof value !== 'string') throw new Error(`the job's payload has no ${key}`)
  return value
}
