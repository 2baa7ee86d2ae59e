import type { Logger } from 'pino'
import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { LeaseLost, RetryLater, type Job, type JobScope } from './job.js'
import { JobLeases } from './job-leases.js'
import type { JobKind } from './job-type.js'
import type { RunnerSessions } from './runner-session.js'

export interface JobPoolOptions {
  /** For leases only, which may be lost with the machine: a job is ended in the transaction of its work. */
  sql: Sql
  sessions: RunnerSessions
  clock: Clock
  log: Logger
  scope: JobScope
  /** Maximum running jobs. */
  concurrency: number
  /** Called with the delay of a job's start, in milliseconds. */
  observeLateness?: (ms: number, kind: string) => void
}

const RENEW_MS = 5_000
/** Maximum delay until another node's jobs are seen; those of this node wake the runner at once. */
const POLL_MS = 500
const DEATH_CHECK_MS = 1_000
const BACKOFF_MAX_MS = 3_600_000
const ATTEMPTS_MAX = 20

/** A runner whose jobs start later than this is overloaded. */
const BEHIND_MS = 250

/** Maximum jobs of one key to run in succession before other due jobs get the slot. */
const LANE_MAX = 50

/** Runs due jobs of some kinds; any number of pools on any number of nodes share them. */
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

  /** Waits for running jobs to end, for at most `graceMs`; other nodes take the rest once the session is closed. */
  async stop(graceMs = 5_000): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#claiming
    const grace = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())
    await Promise.race([Promise.allSettled(this.#running.values().map(({ work }) => work)), grace])
    if (this.#renewal) clearInterval(this.#renewal)
  }

  /** Whether due jobs are delayed on this node: work that can wait should. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** Must be called after a commit that added jobs. */
  wake(): void {
    if (this.#stopped) return
    if (this.#claiming) this.#again = true
    else this.#claiming = this.#claim()
  }

  async #claim(): Promise<void> {
    let nextInMs = POLL_MS
    let lookedAt = this.options.clock.now()
    // Jobs that end in one transaction free their slots together.
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
      this.options.log.warn({ err: error }, 'failed to look for due jobs')
    } finally {
      this.#claiming = null
      // Woken since the last lookup, or to be woken when the next job is due.
      if (this.#again) this.wake()
      else this.#wakeIn(nextInMs)
    }
  }

  async #freeJobsOfTheDead(): Promise<void> {
    // Monotonic time: a clock that stands still must not keep dead runners' leases.
    const now = performance.now()
    // One pool per node does it for all.
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

  /** Runs the job, then the due jobs of its key. */
  #run(job: Job): void {
    // Stored by the id of the running job, to renew its lease.
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
      // All its attempts were used without an end: the job kills its process or hangs past its lease.
      if (job.failures > attemptsMax) throw new Error(`taken ${attemptsMax} times without coming to an end`)
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
    const what = isGivenUp ? 'job given up' : 'job failed'
    log[level]({ err: error, job: job.id, kind: job.kind, attempts: job.attempts }, what)
    try {
      const isOver = isGivenUp && (await this.#giveUp(job, kind, error))
      const delayMs = error instanceof RetryLater ? error.delayMs : backoffMs(job.failures)
      const runAt = isOver ? 'never' : new Date(clock.now().getTime() + delayMs)
      await this.#leases.putBack(job, error, runAt, !(error instanceof RetryLater))
    } catch (putBackError) {
      log.warn({ err: putBackError, job: job.id }, 'failed to return a job; its lease will expire')
    }
  }

  /** @returns false when `givenUp` failed: the job is given up later */
  async #giveUp(job: Job, kind: JobKind, error: unknown): Promise<boolean> {
    try {
      await kind.givenUp?.(job, error)
      return true
    } catch (givenUpError) {
      this.options.log.warn({ err: givenUpError, job: job.id }, 'failed to report that a job is given up')
      return job.failures >= 2 * (kind.attemptsMax ?? ATTEMPTS_MAX)
    }
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return
    await this.#leases
      .renew(this.#jobs())
      .catch((error: unknown) => this.options.log.warn({ err: error }, 'failed to renew the leases'))
  }
}

function backoffMs(attempts: number): number {
  return Math.min(BACKOFF_MAX_MS, 1_000 * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2)
}
