import type { Logger } from 'pino'
import { createIdSource, type Clock } from './clock.js'
import type { Sql } from './database.js'

const SYNC_MS = 1_000
/** Part of that time within which another measurement will do: timers come a little early. */
const OBSERVED_FOR = 0.95
/** Samples taken at the start; the most precise one is used. */
const FIRST_SAMPLES = 3
/** Assumed frequency error of a machine's oscillator: the older a measurement, the less precise it is. */
const DRIFT = 0.000_2
/** Skew above which the machine's clock is reported as wrong. */
const SKEW_WARN_MS = 1_000

export interface DatabaseClockOptions {
  sql: Sql
  log: Logger
  metrics?: { gauge(name: string, help: string, read: () => number): void }
  /** The machine's clock, in milliseconds since 1970. */
  machine?: () => number
  /** A monotonic clock, in milliseconds. */
  elapsed?: () => number
  syncMs?: number
}

/**
 * The database's time, on every node, so that due dates, leases and timestamps are consistent whatever the machines'
 * clocks say. Measured once a second as NTP does, from the round trip of a query, and carried forward by a monotonic
 * clock in between. While the database is away, it keeps running.
 */
export class DatabaseClock implements Clock {
  readonly newId = createIdSource(() => Math.floor(this.#now()))
  readonly #machine: () => number
  readonly #elapsed: () => number
  /** Database time minus monotonic time, the error bound of that offset, and when it was measured. */
  #measured = { offset: 0, error: Infinity, at: 0 }
  #timer: NodeJS.Timeout | null = null
  #isSyncing = false
  #observedAt = -Infinity
  #isSkewed = false

  private constructor(private readonly options: DatabaseClockOptions) {
    this.#machine = options.machine ?? Date.now
    this.#elapsed = options.elapsed ?? (() => performance.now())
  }

  /** @throws when the database does not answer */
  static async start(options: DatabaseClockOptions): Promise<DatabaseClock> {
    const clock = new DatabaseClock(options)
    for (let sample = 0; sample < FIRST_SAMPLES; sample += 1) await clock.#sample()
    clock.#watchSkew()
    const help = "How far this machine's clock is ahead of the database's."
    options.metrics?.gauge('clock_skew_seconds', help, () => clock.skewMs / 1_000)
    clock.#timer = setInterval(() => void clock.#sync(), options.syncMs ?? SYNC_MS)
    clock.#timer.unref()
    return clock
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  now(): Date {
    return new Date(this.#now())
  }

  /** Returns the lead of the machine's clock over the database's, in milliseconds; negative when it is behind. */
  get skewMs(): number {
    return this.#machine() - this.#now()
  }

  #now(): number {
    return this.#elapsed() + this.#measured.offset
  }

  /** Takes a measurement that another statement made along the way: none of its own is needed then. */
  observe(databaseMs: number, sent: number, received: number): void {
    this.#observedAt = received
    this.#take(databaseMs, sent, received)
    this.#watchSkew()
  }

  async #sync(): Promise<void> {
    if (this.#elapsed() - this.#observedAt < (this.options.syncMs ?? SYNC_MS) * OBSERVED_FOR) return
    // A query that waits for an unavailable database measures nothing.
    if (this.#isSyncing) return
    this.#isSyncing = true
    try {
      await this.#sample()
      this.#watchSkew()
    } catch (error) {
      this.options.log.debug({ err: error }, "failed to read the database's time")
    } finally {
      this.#isSyncing = false
    }
  }

  async #sample(): Promise<void> {
    const sent = this.#elapsed()
    const [row] = await this.options.sql.query<{ ms: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
      [],
      'database-time',
    )
    this.#take(row!.ms, sent, this.#elapsed())
  }

  #take(databaseMs: number, sent: number, received: number): void {
    // The database read its clock between query and answer: assume the middle, give or take half the round trip.
    const sample = { offset: databaseMs - (sent + received) / 2, error: (received - sent) / 2, at: received }
    const known = this.#measured.error + (received - this.#measured.at) * DRIFT
    const isMoved = Math.abs(sample.offset - this.#measured.offset) > sample.error + known
    if (sample.error <= known || isMoved) this.#measured = sample
  }

  #watchSkew(): void {
    const skewMs = Math.round(this.skewMs)
    const isSkewed = Math.abs(skewMs) > SKEW_WARN_MS
    if (isSkewed === this.#isSkewed) return
    this.#isSkewed = isSkewed
    const { log } = this.options
    if (isSkewed)
      log.warn({ skewMs }, "this machine's clock differs from the database's: check its time synchronization")
    else log.info({ skewMs }, "this machine's clock agrees with the database's again")
  }
}
