import { batching } from '../db/batching.js'
import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import type { Job } from './job.js'
import { isDeadSql, type RunnerSessions } from './runner-session.js'

/** A runner that hangs holds its jobs this long; renewed while a job is under way. One that dies frees them. */
const LEASE_MS = 15_000

/** Jobs of one key run in the order they were added, each when those before it are done or given up. */
const IS_NEXT_OF_KEY = `(j.key is null or not exists (
  select 1 from job e where e.key = j.key and e.id < j.id and e.run_at < 'infinity'))`

const COLUMNS = 'j.id, j.kind, j.key, j.run_at as "runAt", j.payload, j.attempts, j.leased_by as "leasedBy"'

/** What one runner does to the table of jobs. */
export class JobLeases {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly sessions: RunnerSessions,
    /** What the runner has handlers of, as of each call. */
    private readonly kinds: () => string[],
  ) {}

  /** @param running our own, excluded: the clock may have jumped past their leases while they run */
  async take(now: Date, limit: number, running: readonly string[]): Promise<Job[]> {
    const { runner } = await this.sessions.current()
    return this.sql.query<Job>(
      `update job j set leased_by = $1, leased_until = $2, attempts = j.attempts + 1
       where j.id in (
         select j.id from job j
         where j.run_at <= $3 and (j.leased_until is null or j.leased_until < $3) and j.kind = any($4::text[])
           and ${IS_NEXT_OF_KEY} and not j.id = any($6::uuid[])
         order by j.run_at, j.id limit $5 for update skip locked)
       returning ${COLUMNS}`,
      [runner, this.#until(), now, this.kinds(), limit, running],
      'lease-jobs',
    )
  }

  /**
   * Ends a job, and takes the one of its key that waited for it, when that is due: a lane of many jobs then costs no look
   * at all that is due. Jobs that end together share a statement.
   * @param goesOn whether the next one is taken
   */
  end(job: Job, goesOn: boolean): Promise<Job | undefined> {
    return this.#end({ job, goesOn })
  }

  readonly #end = batching<{ job: Job; goesOn: boolean }, Job | undefined>(async (ends) => {
    const { runner } = await this.sessions.current()
    const jobs = ends.map(({ job }) => job)
    const followed = ends.filter(({ job, goesOn }) => goesOn && job.key !== null)
    const next = await this.sql.query<Job>(
      `with ended as (
         delete from job j using unnest($1::uuid[], $2::int[], $3::int[]) as x(id, leased_by, attempts)
         where j.id = x.id and j.leased_by = x.leased_by and j.attempts = x.attempts)
       update job j set leased_by = $7, leased_until = $8, attempts = j.attempts + 1
       where j.id in (
           select (select n.id from job n where n.key = x.key and n.id <> x.id and n.run_at < 'infinity' order by n.id limit 1)
           from unnest($4::uuid[], $5::text[]) as x(id, key))
         and j.run_at <= $9 and (j.leased_until is null or j.leased_until < $9) and j.kind = any($6::text[])
       returning ${COLUMNS}`,
      [
        jobs.map(({ id }) => id), jobs.map(({ leasedBy }) => leasedBy), jobs.map(({ attempts }) => attempts),
        followed.map(({ job }) => job.id), followed.map(({ job }) => job.key), this.kinds(),
        runner, this.#until(), this.clock.now(),
      ],
      'end-jobs',
    )
    const ofKey = new Map(next.map((job) => [job.key, job]))
    return ends.map(({ job }) => (job.key === null ? undefined : ofKey.get(job.key)))
  })

  /**
   * Milliseconds until the next job falls due, at most `withinMs`; of those that were due already at `since`, when jobs
   * were last taken, nothing is waited for.
   */
  async msToNext(since: Date, withinMs: number): Promise<number> {
    const [next] = await this.sql.query<{ at: Date }>(
      `select j.run_at as at from job j where j.run_at > $1 and j.run_at <= $2 and j.kind = any($3::text[])
       order by j.run_at limit 1`,
      [since, new Date(since.getTime() + withinMs), this.kinds()],
      'next-job',
    )
    return next ? Math.max(1, next.at.getTime() - this.clock.now().getTime()) : withinMs
  }

  /** A job given up stays in the table, due never, with its last error; it holds back no other of its key. */
  async putBack(job: Job, error: unknown, runAt: Date | 'never'): Promise<void> {
    await this.sql.query(
      `update job set leased_by = null, leased_until = null, run_at = $3, last_error = $4
       where id = $1 and leased_by = $2 and attempts = $5`,
      [job.id, job.leasedBy, runAt === 'never' ? 'infinity' : runAt, String(error).slice(0, 2_000), job.attempts],
    )
  }

  async renew(running: readonly string[]): Promise<void> {
    const { runner } = await this.sessions.current()
    const renewal = 'update job set leased_until = $2 where leased_by = $1 and id = any($3::uuid[])'
    await this.sql.query(renewal, [runner, this.#until(), running])
  }

  /** Frees what runners held that live no more. */
  async freeOfTheDead(): Promise<void> {
    const release = `update job j set leased_by = null, leased_until = null where ${isDeadSql('j.leased_by')}`
    await this.sql.query(release, [], 'free-jobs')
  }

  #until(): Date {
    return new Date(this.clock.now().getTime() + LEASE_MS)
  }
}
