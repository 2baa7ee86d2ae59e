import type { Logger } from 'pino'
import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import type { JsonObject } from '../json.js'
import type { Job } from './job.js'
import { JobPool } from './job-pool.js'
import type { RunnerSessions } from './runner-session.js'

/** Does the job's work. To have it happen exactly once, call `finishJob` in the transaction that does it. */
export type JobHandler = (job: Job) => Promise<void>

export interface JobKind {
  handler: JobHandler
  /** Times that it may fail, or not come to an end, before it is given up and kept for an operator. */
  attemptsMax?: number
  /** It waits for servers of others: run apart, so that none of them is in the way of rules and messages. */
  isOutbound?: boolean
  /** Called before it is given up. */
  givenUp?(job: Job, error: unknown): Promise<void>
}

export interface JobRunnerOptions {
  sql: Sql
  sessions: RunnerSessions
  clock: Clock
  log: Logger
  /** Called with how late a job starts, in milliseconds. */
  observeLateness?: (ms: number, kind: string) => void
}

/** Jobs under way on a node: rules and messages, which wait for the database alone … */
const OWN_CONCURRENCY = 64
/** … and what waits for others; of one share, see `JobLeases`, fewer. */
const OUTBOUND_CONCURRENCY = 256

/** Runs due jobs of this database, in two pools of which none holds the other back. */
export class JobRunner {
  readonly #own: JobPool
  readonly #outbound: JobPool

  constructor(options: JobRunnerOptions) {
    this.#own = new JobPool({ ...options, scope: 'own', concurrency: OWN_CONCURRENCY })
    this.#outbound = new JobPool({ ...options, scope: 'outbound', concurrency: OUTBOUND_CONCURRENCY })
  }

  register(kind: string, definition: JobKind): void {
    const pool = definition.isOutbound ? this.#outbound : this.#own
    pool.register(kind, definition)
  }

  start(): void {
    this.#own.start()
    this.#outbound.start()
  }

  /** Lets what is under way end, for at most `graceMs`; the rest is free for others once the session is closed. */
  async stop(graceMs?: number): Promise<void> {
    await Promise.all([this.#own.stop(graceMs), this.#outbound.stop(graceMs)])
  }

  /** Whether rules or messages wait for others here: what can wait itself had better. */
  get isBehind(): boolean {
    return this.#own.isBehind
  }

  /** Call after a commit that added jobs. */
  wake(): void {
    this.#own.wake()
    this.#outbound.wake()
  }
}

/** A payload's text value. @throws when the job was written by something else. */
export function payloadText(payload: JsonObject, key: string): string {
  const value = payload[key]
  if (typeof value !== 'string') throw new Error(`the job's payload has no ${key}`)
  return value
}
