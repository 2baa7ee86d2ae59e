import type { Logger } from 'pino'
import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { JobHeld, LeaseLost, RetryLater, type Job, type JobScope } from './job.js'
import { JobLeases } from './job-leases.js'
import { LeasePoller } from './lease-poller.js'
import { ENDED, type JobKind } from './job-type.js'
import { HAS_DEAD } from './job-statements.js'
import { dueNowSql, type Pulse } from './pulse.js'
import type { RunnerSessions } from './runner-session.js'
import { tracing } from '../tracing/tracing.js'

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
  /** Says when something is due while nothing happens here; absent: it looks by itself, twice a second. */
  pulse?: Pulse | undefined
}

const DEATH_CHECK_MS = 3_000
const BACKOFF_MAX_MS = 3_600_000
const ATTEMPTS_MAX = 20

/** A runner whose jobs start later than this is overloaded. */
const BEHIND_MS = 250

/** Maximum jobs of one key to run in succession before other due jobs get the slot. */
const IN_SUCCESSION_MAX = 50

/** Runs due jobs of some kinds; any number of pools on any number of nodes share them. */
export class JobPool {
  readonly #leases: JobLeases
  readonly #kinds = new Map<string, JobKind>()
  readonly #running = new Map<string, { job: Job; work: Promise<void> }>()
  readonly #poller: LeasePoller
  #lookedAt = new Date(0)
  #isBehind = false

  constructor(private readonly options: JobPoolOptions) {
    const leases = new JobLeases(options, () => [...this.#kinds.keys()])
    this.#leases = leases
    this.#poller = new LeasePoller({
      clock: options.clock,
      log: options.log,
      subject: 'due jobs',
      lease: () => this.#lease(),
      msToNext: (maxMs) => leases.msToNext(this.#lookedAt, maxMs),
      renew: async () => {
        if (this.#running.size > 0) await leases.renew(this.#jobs())
      },
      // One pool of a node does it for all.
      releaseDead: options.scope === 'own' ? () => leases.freeOfTheDead() : undefined,
      rests: options.pulse !== undefined,
    })
    options.pulse?.add({
      dueSql: (parameters) => leases.dueSql(parameters),
      onDue: (inMs) => this.#poller.nudge(inMs),
    })
    if (options.scope === 'own') {
      options.pulse?.add({
        everyMs: DEATH_CHECK_MS,
        dueSql: ({ now }) => dueNowSql(HAS_DEAD, now),
        onDue: () => this.#poller.nudge(0),
      })
    }
  }

  register(kind: string, definition: JobKind): void {
    this.#kinds.set(kind, definition)
  }

  start(): void {
    this.#poller.start()
  }

  /** Waits for running jobs to end, for at most `graceMs`; other nodes take the rest once the session is closed. */
  stop(graceMs = 5_000): Promise<void> {
    return this.#poller.stop(() => this.#running.values().map(({ work }) => work), graceMs)
  }

  /** Tells whether due jobs are delayed on this node: work that can wait should. */
  get isBehind(): boolean {
    return this.#isBehind
  }

  /** Must be called after a commit that added jobs. */
  wake(): void {
    this.#poller.wake()
  }

  async #lease(): Promise<boolean> {
    const room = this.options.concurrency - this.#running.size
    this.#lookedAt = this.options.clock.now()
    if (room <= 0) return false
    const now = this.#lookedAt
    const jobs = await this.#leases.take(now, room, this.#jobs())
    this.#isBehind = jobs.some(({ runAt }) => now.getTime() - runAt.getTime() > BEHIND_MS)
    if (!this.#poller.isStopped) for (const job of jobs) this.#run(job)
    return jobs.length === room
  }

  /** Runs the job, then the due jobs of its key. */
  #run(job: Job): void {
    // Stored by the id of the running job, to renew its lease.
    const work = this.#runInSuccession(job).finally(() => this.wake())
    this.#running.set(job.id, { job, work })
  }

  #jobs(): Job[] {
    return [...this.#running.values().map(({ job }) => job)]
  }

  async #runInSuccession(first: Job): Promise<void> {
    let job: Job | undefined = first
    for (let ran = 1; job; ran++) {
      const next: Job | undefined = await this.#attempt(job, ran < IN_SUCCESSION_MAX)
      const running = this.#running.get(job.id)
      this.#running.delete(job.id)
      if (next && running) this.#running.set(next.id, { job: next, work: running.work })
      job = next
    }
  }

  /** @returns the next job of its key, leased, when `goesOn` */
  #attempt(job: Job, goesOn: boolean): Promise<Job | undefined> {
    const attributes = { 'switchboard.job': job.kind, 'switchboard.attempt': job.attempts }
    return tracing().root('job', attributes, job.traceparent, () => this.#attemptNow(job, goesOn))
  }

  async #attemptNow(job: Job, goesOn: boolean): Promise<Job | undefined> {
    const kind = this.#kinds.get(job.kind)!
    const attemptsMax = kind.attemptsMax ?? ATTEMPTS_MAX
    this.options.observeLateness?.(this.options.clock.now().getTime() - job.runAt.getTime(), job.kind)
    try {
      // All its attempts were used without an end: the job kills its process or hangs past its lease.
      if (job.failures > attemptsMax) throw new Error(`taken ${attemptsMax} times without coming to an end`)
      // One with a key may have a successor.
      if ((await kind.handler(job)) === ENDED && job.key === null) return undefined
      return await this.#leases.end(job, goesOn && !this.#poller.isStopped)
    } catch (error) {
      if (error instanceof LeaseLost) return undefined
      if (!(error instanceof JobHeld)) tracing().failed(error)
      await this.#failed(job, kind, error, job.failures >= attemptsMax && !(error instanceof RetryLater))
      return undefined
    }
  }

  async #failed(job: Job, kind: JobKind, error: unknown, isGivenUp: boolean): Promise<void> {
    const { clock, log } = this.options
    const level = isGivenUp ? 'error' : error instanceof JobHeld ? 'debug' : 'warn'
    const what = isGivenUp ? 'job given up' : error instanceof JobHeld ? 'job held' : 'job failed'
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
}

function backoffMs(attempts: number): number {
  return Math.min(BACKOFF_MAX_MS, 1_000 * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2)
}
