import type { Logger } from 'pino'
import { pacedMs, type Clock } from '../db/clock.js'
import type { RunnerSessions } from './runner-session.js'

/** Places of the values in the statement that asks for all sources. */
export interface DueParameters {
  now: string
  /** The next time that is asked. */
  until: string
  /** Adds a value of the source's own, read each time. */
  value(read: () => unknown): string
}

export interface DueSource {
  /** Time between two questions; default: it is asked each time. */
  everyMs?: number
  /** Returns an SQL expression: when something is due, up to `until`; null when nothing is. It must cost next to nothing. */
  dueSql(parameters: DueParameters): string
  /** Called when something is due in `inMs`, or when nothing could be asked. Whoever looks decides what there is. */
  onDue(inMs: number): void
}

/**
 * Maximum delay until a node that has had nothing to do sees what another one has added. What is due later is known before:
 * the answer gives its time.
 */
export const PULSE_MS = 1_000

/** Returns the SQL of a source that only tells whether something is due. */
export const dueNowSql = (condition: string, now: string): string => `case when ${condition} then ${now} end`

/** Names of prepared statements: each text has one of its own. */
let composed = 0

interface Entry {
  source: DueSource
  askedAt: number
}

/**
 * Asks by one statement for everything that this node may have to do, in place of a poll for each kind of work: a node at
 * rest asks about once a second. It runs on the connection that proves that the node is alive, and measures the
 * database's time along the way.
 */
export class Pulse {
  readonly #entries: Entry[] = []
  #statement: { name: string; text: string; reads: (() => unknown)[] } | null = null
  #timer: NodeJS.Timeout | null = null
  #isAsking = false

  constructor(
    private readonly options: {
      sessions: Pick<RunnerSessions, 'current'>
      clock: Clock
      log: Pick<Logger, 'debug'>
      /** Called with the database's time, in milliseconds, and when it was asked for and answered by the monotonic clock. */
      observeTime?: (databaseMs: number, sentMs: number, receivedMs: number) => void
    },
  ) {}

  add(source: DueSource): void {
    this.#entries.push({ source, askedAt: -Infinity })
    this.#statement = null
  }

  start(): void {
    this.#timer = setInterval(() => void this.ask(), this.#intervalMs)
    this.#timer.unref()
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  /** Asks once, unless an answer is still awaited. Never rejects. */
  async ask(): Promise<void> {
    if (this.#isAsking || this.#entries.length === 0) return
    this.#isAsking = true
    const { clock, log, observeTime, sessions } = this.options
    const sentMs = performance.now()
    // Half an interval early rather than half an interval late.
    const asked = this.#entries.filter(
      ({ askedAt, source: { everyMs = 0 } }) => sentMs - askedAt >= pacedMs(clock, everyMs) - this.#intervalMs / 2,
    )
    try {
      const { name, text, reads } = (this.#statement ??= this.#compose())
      const now = clock.now()
      const values = [
        now,
        new Date(now.getTime() + this.#intervalMs),
        this.#entries.map((entry) => asked.includes(entry)),
      ]
      const session = await sessions.current()
      const beganMs = performance.now()
      const [row] = await session.query<{ ms: number; due: (Date | null)[] }>(
        text,
        [...values, ...reads.map((read) => read())],
        name,
      )
      observeTime?.(row!.ms, beganMs, performance.now())
      for (const entry of asked) entry.askedAt = sentMs
      for (const [index, entry] of this.#entries.entries()) {
        const at = row!.due[index]
        if (at) entry.source.onDue(Math.max(0, at.getTime() - clock.now().getTime()))
      }
    } catch (error) {
      log.debug({ err: error }, 'failed to ask what is due')
      for (const { source } of asked) source.onDue(0)
    } finally {
      this.#isAsking = false
    }
  }

  get #intervalMs(): number {
    return pacedMs(this.options.clock, PULSE_MS)
  }

  #compose(): { name: string; text: string; reads: (() => unknown)[] } {
    const reads: (() => unknown)[] = []
    const value = (read: () => unknown): string => `$${reads.push(read) + 3}`
    const parameters = { now: '$1::timestamptz', until: '$2::timestamptz', value }
    const due = this.#entries.map(
      // One that is not asked for is not evaluated.
      ({ source }, index) => `case when ($3::boolean[])[${index + 1}] then (${source.dueSql(parameters)}) end`,
    )
    const text = `select extract(epoch from clock_timestamp())::float8 * 1000 as ms,
      array[${due.join(',\n')}]::timestamptz[] as due where $2::timestamptz is not null`
    return { name: `pulse-${++composed}`, text, reads }
  }
}
