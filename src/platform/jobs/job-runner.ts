import type { Logger } from 'pino'
import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { JobHeld, type Job } from './job.js'
import type { JobKind, JobType } from './job-type.js'
import { JobPool } from './job-pool.js'
import type { Pulse } from './pulse.js'
import type { RunnerSessions } from './runner-session.js'

export interface JobRunnerOptions {
  sql: Sql
  sessions: RunnerSessions
  clock: Clock
  log: Logger
  /** Called with the delay of a job's start, in milliseconds. */
  observeLateness?: (ms: number, kind: string) => void
  /** Says when something is due while this node is at rest. */
  pulse?: Pulse | undefined
  /** Returns why a job must not run at present; null where it may. */
  holds?: (job: Job) => Promise<string | null>
}

/** Maximum running jobs per node that only wait for the database, such as rules and messages. */
const OWN_CONCURRENCY = 256
/** Maximum running jobs per node that wait for external servers; `JobLeases` limits those of one share. */
const OUTBOUND_CONCURRENCY = 256

/** Runs the due jobs of this database, in two pools that do not delay each other. */
export class JobRunner {
  readonly #own: JobPool
  readonly #outbound: JobPool

  readonly #holds: NonNullable<JobRunnerOptions['holds']>

  constructor(options: JobRunnerOptions) {
    this.#holds = options.holds ?? (async () => null)
    this.#own = new JobPool({ ...options, scope: 'own', concurrency: OWN_CONCURRENCY })
    this.#outbound = new JobPool({ ...options, scope: 'outbound', concurrency: OUTBOUND_CONCURRENCY })
  }

  register<Payload extends object>(type: JobType<Payload>, definition: JobKind<Payload>): void {
    const pool = definition.isOutbound ? this.#outbound : this.#own
    const { givenUp, handler } = definition
    pool.register(type.kind, {
      ...definition,
      handler: async (job) => {
        const reason = await this.#holds(job)
        if (reason !== null) throw new JobHeld(reason)
        return handler(type.read(job))
      },
      // Its payload may be why it is given up.
      givenUp: givenUp && ((job, error) => givenUp(type.readPart(job), error)),
    })
  }

  start(): void {
    this.#own.start()
    this.#outbound.start()
  }

  /** Waits for running jobs to end, for at most `graceMs`; other nodes take the rest once the session is closed. */
  async stop(graceMs?: number): Promise<void> {
    await Promise.all([this.#own.stop(graceMs), this.#outbound.stop(graceMs)])
  }

  /** Tells whether rules or messages are delayed on this node: work that can wait should. */
  get isBehind(): boolean {
    return this.#own.isBehind
  }

  /** Must be called after a commit that added jobs. */
  wake(): void {
    this.#own.wake()
    this.#outbound.wake()
  }
}
