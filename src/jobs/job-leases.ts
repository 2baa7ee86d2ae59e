import { batching } from '../db/batching.js'
import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { storableText } from '../json.js'
import type { Job } from './job.js'
import {
  END_JOBS,
  PUT_BACK,
  RELEASE_DEAD,
  RENEW,
  TAKE_FREE,
  TAKE_NEXT_DUE,
  takeOfPartitions,
} from './job-statements.js'
import type { RunnerSessions } from './runner-session.js'

/** `own`: jobs without a share; `outbound`: those with one, such as a provider's service. */
export type JobScope = 'own' | 'outbound'

/** A runner that hangs holds its jobs this long; renewed while a job is under way. One that dies frees them. */
const LEASE_MS = 15_000
/** Jobs of one share under way at once, on all nodes together (but for races of nodes). */
const PER_SHARE = 16
const ERROR_CHARS_MAX = 2_000

export interface JobLeasesOptions {
  sql: Sql
  clock: Clock
  sessions: RunnerSessions
  scope: JobScope
}

/** What one pool does to the tables of jobs. */
export class JobLeases {
  #isFreesTurn = false

  constructor(
    private readonly options: JobLeasesOptions,
    /** What the pool has handlers of, as of each call. */
    private readonly kinds: () => string[],
  ) {}

  /** @param running our own, excluded: the clock may have jumped past their leases while they run */
  async take(now: Date, limit: number, running: readonly Job[]): Promise<Job[]> {
    // By turns, so that neither those of a key nor those without one take all places.
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
    const perShare = scope === 'own' ? limit : PER_SHARE
    return sql.query<Job>(
      takeOfPartitions(scope),
      [runner, this.#until(), now, this.kinds(), limit, keys, perShare],
      `take-jobs-${scope}`,
    )
  }

  /**
   * Ends a job, and takes the one of its key that waited for it, when that is due: a key of many jobs then costs no look
   * at all that is due. Jobs that end together share a statement.
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
  })

  /**
   * Milliseconds until the next job falls due, at most `withinMs`; of those that were due already at `since`, when jobs
   * were last taken, nothing is waited for.
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
   * A job given up stays in the table, due never, with its last error; it holds back no other of its key.
   * @param isFailure false for one that only asked to be run later
   */
  async putBack(job: Job, error: unknown, runAt: Date | 'never', isFailure: boolean): Promise<void> {
    const { clock, sql } = this.options
    const said = storableText(String(error), ERROR_CHARS_MAX)
    const at = runAt === 'never' ? 'infinity' : runAt
    const values = [job.id, job.leasedBy, at, said, job.attempts, job.key, clock.now(), isFailure]
    await sql.query(PUT_BACK, values, 'put-job-back')
  }

  async renew(running: readonly Job[]): Promise<void> {
    // By the connection that holds the lock: who is not heard there must not believe to hold anything.
    const session = await this.options.sessions.current()
    const ids = running.map(({ id }) => id)
    await session.query(RENEW, [session.runner, this.#until(), ids, running.flatMap(({ key }) => key ?? [])])
  }

  /** Frees what runners held that live no more, and forgets keys that have no jobs. */
  async freeOfTheDead(): Promise<void> {
    for (const statement of RELEASE_DEAD) await this.options.sql.query(statement, [], undefined)
  }

  #until(): Date {
    return new Date(this.options.clock.now().getTime() + LEASE_MS)
  }
}
