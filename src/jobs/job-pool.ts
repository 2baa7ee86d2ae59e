import type { Logger } from 'pino'
import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { LeaseLost, RetryLater, type Job } from './job.js'
import { JobLeases, type JobScope } from './job-leases.js'
import type { JobKind } from './job-runner.js'
import type { RunnerSessions } from './runner-session.js'

export interface JobPoolOptions {
  /** Of leases only, which may be lost with the machine: a job ends for good in the transaction of its work. */
  sql: Sql
  sessions: RunnerSessions
  clock: Clock
  log: Logger
  scope: JobScope
  /** Jobs under way at once. */
  concurrency: number
  /** Called with how late a job starts, in milliseconds. */
  observeLateness?: (ms: number, kind: string) => void
}

const RENEW_MS = 5_000
/** Another node's jobs are seen this often at the latest; our own wake the runner at once. */
const POLL_MS = 500
const DEATH_CHECK_MS = 1_000
const BACKOFF_MAX_MS = 3_600_000
const ATTEMPTS_MAX = 20

/** A runner whose next job is later than this has more to do than it can. */
const BEHIND_MS = 250

/** Jobs of one key that are run one after the other before others that are due get the place. */
const LANE_MAX = 50

/** Runs due jobs of some kinds; any number of pools, on any number of nodes, share them. */
export class JobPool {
  readonly #leases: JobLeases
  readonly #kinds = new Map<string, JobKind>()
  readonly #running = new Map<string, { job: Job; work: Promise<void> }>()
  #timer: NodeJS.Timeout | null = null
  #renewal: NodeJS.Timeout | null = null
  #claiming: Promise<void> | null = null
  #again = false
  #stopped = true
  #deathCheckAt = 0
  #isBehind = false

  constructor(private readonly options: JobPoolOptions) {
    this.#leases = new JobLeases(options, () => [...this.#kinds.keys()])
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

  /** Lets what is under way end, for at most `graceMs`; the rest is free for others once the session is closed. */
  async stop(graceMs = 5_000): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#claiming
    const grace = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())
    await Promise.race([Promise.allSettled(this.#running.values().map(({ work }) => work)), grace])
    if (this.#renewal) clearInterval(this.#renewal)
  }

  /** Whether jobs wait for others here: what can wait itself had better. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** Call after a commit that added jobs. */
  wake(): void {
    if (this.#stopped) return
    if (this.#claiming) this.#again = true
    else this.#claiming = this.#claim()
  }

  async #claim(): Promise<void> {
    let nextInMs = POLL_MS
    let lookedAt = this.options.clock.now()
    // Jobs that end in one transaction make room together.
    await new Promise((resolve) => setImmediate(resolve))
    try {
      await this.#freeJobsOfTheDead()
      do {
        this.#again = false
        const room = this.options.concurrency - this.#running.size
        lookedAt = this.options.clock.now()
        const jobs = room > 0 ? await this.#leases.take(lookedAt, room, this.#jobs()) : []
        if (room > 0) this.#isBehind = jobs.some(({ runAt }) => lookedAt.getTime() - runAt.getTime() > BEHIND_MS)
        if (!this.#stopped) for (const job of jobs) this.#run(job)
        if (room > 0 && jobs.length === room) this.#again = true
      } while (this.#again && !this.#stopped)
      if (!this.#stopped) nextInMs = await this.#leases.msToNext(lookedAt, POLL_MS)
    } catch (error) {
      this.options.log.warn({ err: error }, 'could not look for jobs')
    } finally {
      this.#claiming = null
      // Woken since the last look, or to be woken when the next job is due.
      if (this.#again) this.wake()
      else this.#wakeIn(nextInMs)
    }
  }

  async #freeJobsOfTheDead(): Promise<void> {
    // By the time that passes: a clock that stands still must not keep the dead alive.
    const now = performance.now()
    // One pool of a node does it for all.
    if (now < this.#deathCheckAt || this.options.scope !== 'own') return
    this.#deathCheckAt = now + DEATH_CHECK_MS
    await this.#leases.freeOfTheDead()
  }

  #wakeIn(ms: number): void {
    if (this.#stopped) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.wake(), ms)
    this.#timer.unref()
  }

  /** Runs the job, and those of its key that are due behind it. */
  #run(job: Job): void {
    // Under the id of the one that is under way, to renew its lease.
    const lane = this.#runLane(job).finally(() => this.wake())
    this.#running.set(job.id, { job, work: lane })
  }

  #jobs(): Job[] {
    return [...this.#running.values().map(({ job }) => job)]
  }

  async #runLane(first: Job): Promise<void> {
    let job: Job | undefined = first
    for (let ran = 1; job; ran++) {
      const next: Job | undefined = await this.#attempt(job, ran < LANE_MAX)
      const lane = this.#running.get(job.id)
      this.#running.delete(job.id)
      if (next && lane) this.#running.set(next.id, { job: next, work: lane.work })
      job = next
    }
  }

  /** @returns the next job of its key, leased, when `goesOn` */
  async #attempt(job: Job, goesOn: boolean): Promise<Job | undefined> {
    const kind = this.#kinds.get(job.kind)!
    const attemptsMax = kind.attemptsMax ?? ATTEMPTS_MAX
    this.options.observeLateness?.(this.options.clock.now().getTime() - job.runAt.getTime(), job.kind)
    try {
      // It was taken as often as it may, and never ended: it ends its process, or hangs past its lease.
      if (job.failures > attemptsMax) throw new Error(`taken ${attemptsMax} times, and its process did not survive it`)
      await kind.handler(job)
      return await this.#leases.end(job, goesOn && !this.#stopped)
    } catch (error) {
      if (error instanceof LeaseLost) return undefined
      await this.#failed(job, kind, error, job.failures >= attemptsMax && !(error instanceof RetryLater))
      return undefined
    }
  }

  async #failed(job: Job, kind: JobKind, error: unknown, isGivenUp: boolean): Promise<void> {
    const { clock, log } = this.options
    const level = isGivenUp ? 'error' : 'warn'
    const what = isGivenUp ? 'a job is given up' : 'a job failed'
    log[level]({ err: error, job: job.id, kind: job.kind, attempts: job.attempts }, what)
    try {
      const isOver = isGivenUp && (await this.#giveUp(job, kind, error))
      const delayMs = error instanceof RetryLater ? error.delayMs : backoffMs(job.failures)
      const runAt = isOver ? 'never' : new Date(clock.now().getTime() + delayMs)
      await this.#leases.putBack(job, error, runAt, !(error instanceof RetryLater))
    } catch (putBackError) {
      log.warn({ err: putBackError, job: job.id }, 'failed to put a job back; its lease will run out')
    }
  }

  /** @returns false when what is to be said of it could not be said: it is given up a bit later, whatever happens */
  async #giveUp(job: Job, kind: JobKind, error: unknown): Promise<boolean> {
    try {
      await kind.givenUp?.(job, error)
      return true
    } catch (givenUpError) {
      this.options.log.warn({ err: givenUpError, job: job.id }, 'failed to say that a job is given up')
      return job.failures >= 2 * (kind.attemptsMax ?? ATTEMPTS_MAX)
    }
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return
    await this.#leases
      .renew(this.#jobs())
      .catch((error: unknown) => this.options.log.warn({ err: error }, 'could not renew the leases'))
  }
}

function backoffMs(attempts: number): number {
  return Math.min(BACKOFF_MAX_MS, 1_000 * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2)
}
