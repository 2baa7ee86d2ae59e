import type { JobScope } from './job.js'
import { batching } from '../db/batching.js'
import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { storableText } from '../json.js'
import type { Job } from './job.js'
import {
  dueOf,
  END_JOBS,
  PUT_BACK,
  RELEASE_DEAD,
  RENEW,
  TAKE_FREE,
  TAKE_NEXT_DUE,
  takeOfPartitions,
} from './job-statements.js'
import { LEASE_MS } from './lease-poller.js'
import type { DueParameters } from './pulse.js'
import type { RunnerSessions } from './runner-session.js'

/**
 * Maximum running jobs of one share on all nodes together; races between nodes can exceed it. What a provider has told waits mostly
 * for the database, where more at once share transactions.
 */
const PER_SHARE = 16
const PER_INBOUND_SHARE = 64
const ERROR_CHARS_MAX = 2_000
/** Lets jobs that end while two statements are under way share the next one. */
const ENDS = { atOnce: 2 }

export interface JobLeasesOptions {
  sql: Sql
  clock: Clock
  sessions: RunnerSessions
  scope: JobScope
}

/** Leases, ends and returns the jobs of one pool. */
export class JobLeases {
  #isFreesTurn = false

  constructor(
    private readonly options: JobLeasesOptions,
    /** Kinds that the pool has handlers for; read at each call. */
    private readonly kinds: () => string[],
  ) {}

  /** @param running this pool's own jobs, excluded: the clock may have jumped past their leases while they run */
  async take(now: Date, limit: number, running: readonly Job[]): Promise<Job[]> {
    // Alternates, so that neither jobs with a key nor those without one take all slots.
    this.#isFreesTurn = !this.#isFreesTurn
    const takes = [this.#takeFree, this.#takeOfPartitions]
    if (this.#isFreesTurn) takes.reverse()
    const taken: Job[] = []
    for (const take of takes) {
      if (taken.length < limit) taken.push(...(await take.call(this, now, limit - taken.length, running)))
    }
    return taken
  }

  async #takeFree(now: Date, limit: number, running: readonly Job[]): Promise<Job[]> {
    const { scope, sessions, sql } = this.options
    const ids = running.filter(({ key }) => key === null).map(({ id }) => id)
    const room = scope === 'own' ? limit : Math.min(limit, PER_SHARE - ids.length)
    if (room <= 0) return []
    const { runner } = await sessions.current()
    return sql.query<Job>(TAKE_FREE, [runner, this.#until(), now, this.kinds(), room, ids], 'take-free-jobs')
  }

  async #takeOfPartitions(now: Date, limit: number, running: readonly Job[]): Promise<Job[]> {
    const { scope, sessions, sql } = this.options
    const { runner } = await sessions.current()
    const keys = running.flatMap(({ key }) => key ?? [])
    const [perShare, perInbound] = scope === 'own' ? [limit, limit] : [PER_SHARE, PER_INBOUND_SHARE]
    return sql.query<Job>(
      takeOfPartitions(scope),
      [runner, this.#until(), now, this.kinds(), limit, keys, perShare, perInbound],
      `take-jobs-${scope}`,
    )
  }

  /**
   * Ends a job and, if the next one of its key is due, leases that: a key with many jobs then needs no further lookups.
   * Jobs that end together share a statement.
   * @param goesOn whether the next one is taken
   */
  end(job: Job, goesOn: boolean): Promise<Job | undefined> {
    return this.#end({ job, goesOn })
  }

  readonly #end = batching<{ job: Job; goesOn: boolean }, Job | undefined>(async (ends) => {
    const { clock, sessions, sql } = this.options
    const { runner } = await sessions.current()
    const jobs = ends.map(({ job }) => job)
    const next = await sql.query<Job>(
      END_JOBS,
      [
        runner,
        this.#until(),
        clock.now(),
        this.kinds(),
        jobs.map(({ id }) => id),
        jobs.map(({ leasedBy }) => leasedBy),
        jobs.map(({ attempts }) => attempts),
        jobs.map(({ key }) => key),
        ends.map(({ goesOn }) => goesOn),
      ],
      'end-jobs',
    )
    const ofKey = new Map(next.map((job) => [job.key, job]))
    return ends.map(({ job }) => (job.key === null ? undefined : ofKey.get(job.key)))
  }, ENDS)

  /** Returns the SQL of when the next job is due, up to `until`: null for a long time, on a node at rest. */
  dueSql({ now, until, value }: DueParameters): string {
    return dueOf(this.options.scope, { now, until, kinds: value(() => this.kinds()) })
  }

  /**
   * Returns the milliseconds until the next job is due, at most `withinMs`; ignores jobs that were already due at
   * `since`, when jobs were last taken.
   */
  async msToNext(since: Date, withinMs: number): Promise<number> {
    const { clock, scope, sql } = this.options
    if (scope === 'outbound') return withinMs
    const [next] = await sql.query<{ at: Date | null }>(
      TAKE_NEXT_DUE,
      [since, new Date(since.getTime() + withinMs), this.kinds()],
      'next-job',
    )
    return next?.at ? Math.max(1, next.at.getTime() - clock.now().getTime()) : withinMs
  }

  /**
   * Returns a job to the table. A job that is given up stays there, due never, with its last error; it does not block
   * others of its key.
   * @param isFailure false if the job only asked to run later
   */
  async putBack(job: Job, error: unknown, runAt: Date | 'never', isFailure: boolean): Promise<void> {
    const { clock, sessions, sql } = this.options
    const { runner } = await sessions.current()
    const reason = storableText(String(error), ERROR_CHARS_MAX)
    const at = runAt === 'never' ? 'infinity' : runAt
    const values = [job.id, job.leasedBy, at, reason, job.attempts, job.key, clock.now(), isFailure, runner]
    await sql.query(PUT_BACK, values, 'put-job-back')
  }

  async renew(running: readonly Job[]): Promise<void> {
    // By the connection that holds the lock: a new one takes over the leases under its own number.
    const session = await this.options.sessions.current()
    await session.query(RENEW, [
      session.runner,
      this.#until(),
      running.map(({ id }) => id),
      running.map(({ attempts }) => attempts),
      running.flatMap(({ key }) => key ?? []),
    ])
  }

  /** Releases leases of dead runners, and deletes keys without jobs. */
  async freeOfTheDead(): Promise<void> {
    for (const statement of RELEASE_DEAD) await this.options.sql.query(statement, [], undefined)
  }

  #until(): Date {
    return new Date(this.options.clock.now().getTime() + LEASE_MS)
  }
}
