import type { Logger } from 'pino'
import { pacedMs, type Clock } from '../db/clock.js'
import { tracing } from '../tracing/tracing.js'

export interface LeasePollerOptions {
  clock: Pick<Clock, 'pace'>
  log: Logger
  /** Name of the leased things, for log lines: "due jobs". */
  subject: string
  /** Leases what is due and starts it. @returns whether more may be due already */
  lease(): Promise<boolean>
  /** Returns the delay until something is due, at most `maxMs`; default: `maxMs`. */
  msToNext?(maxMs: number): Promise<number>
  /** Renews the leases of what is running. */
  renew(): Promise<void>
  /** Releases the leases of dead runners. Absent where another poller of the node does it. */
  releaseDead?(): Promise<void>
  /** Somebody else says when something is due while nothing has happened here for some seconds, see {@link Pulse}. */
  rests?: boolean
}

/**
 * Lease of what is running, renewed while it runs: a node that hangs or is paused keeps it this long, a dead one's are
 * released earlier. Longer than a renewal interval and the time without an answer after which a runner's connection is
 * considered lost, so that a slow statement loses none.
 */
export const LEASE_MS = 5_000
const RENEW_MS = 1_500
/** Maximum delay until what other nodes added is seen; what this node adds wakes the poller at once. */
const POLL_MS = 500
const DEATH_CHECK_MS = 1_000
/** Time without a wake after which a poller that may rest no longer looks by itself. */
const REST_AFTER_MS = 5_000

/**
 * Leases due work from the database, when woken and at intervals, and renews the leases: for jobs and for webhook
 * deliveries, which any number of nodes share.
 */
export class LeasePoller {
  #timer: NodeJS.Timeout | null = null
  #renewal: NodeJS.Timeout | null = null
  #polling: Promise<void> | null = null
  #again = false
  #isStopped = true
  #deathCheckAt = 0
  #wokenAt = -Infinity
  #dueAt = Infinity

  constructor(private readonly options: LeasePollerOptions) {}

  get isStopped(): boolean {
    return this.#isStopped
  }

  start(): void {
    this.#isStopped = false
    this.#renewal = setInterval(() => void this.#renew(), RENEW_MS)
    this.#renewal.unref()
    this.wake()
  }

  /** Leases nothing more; waits for what is running, for at most `graceMs`, and renews its leases until then. */
  async stop(running: () => Iterable<Promise<unknown>>, graceMs: number): Promise<void> {
    this.#isStopped = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#polling
    const grace = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref())
    await Promise.race([Promise.allSettled(running()), grace])
    if (this.#renewal) clearInterval(this.#renewal)
  }

  /** Must be called when something may be due: after a commit that added it, or when something has ended. */
  wake(): void {
    this.#wokenAt = performance.now()
    this.#look()
  }

  /** Must be called while it rests, when something is due in `inMs`. */
  nudge(inMs: number): void {
    if (inMs <= 0) this.#look()
    else this.#wakeIn(inMs)
  }

  #look(): void {
    if (this.#isStopped) return
    if (this.#polling) this.#again = true
    else this.#polling = tracing().detached(() => this.#poll())
  }

  async #poll(): Promise<void> {
    const pollMs = pacedMs(this.options.clock, POLL_MS)
    let nextInMs = pollMs
    // What ends in one transaction frees its slots together.
    await new Promise((resolve) => setImmediate(resolve))
    try {
      await this.#releaseDead()
      do {
        this.#again = false
        if (await this.options.lease()) this.#again = true
      } while (this.#again && !this.#isStopped)
      if (!this.#isStopped && !this.#isResting) nextInMs = (await this.options.msToNext?.(pollMs)) ?? pollMs
    } catch (error) {
      this.options.log.warn({ err: error }, `failed to look for ${this.options.subject}`)
    } finally {
      this.#polling = null
      // Woken since the last look, or to be woken when the next is due.
      if (this.#again) this.#look()
      else if (!this.#isResting) this.#wakeIn(nextInMs)
    }
  }

  async #releaseDead(): Promise<void> {
    // Monotonic time: a clock that stands still must not keep dead runners' leases.
    const now = performance.now()
    if (now < this.#deathCheckAt) return
    this.#deathCheckAt = now + DEATH_CHECK_MS
    await this.options.releaseDead?.()
  }

  get #isResting(): boolean {
    return this.options.rests === true && performance.now() - this.#wokenAt > pacedMs(this.options.clock, REST_AFTER_MS)
  }

  #wakeIn(ms: number): void {
    if (this.#isStopped) return
    const at = performance.now() + ms
    // A nudge must not put off what is due before.
    if (this.#timer && this.#dueAt <= at && this.#dueAt > performance.now()) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#dueAt = at
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#look()
    }, ms)
    this.#timer.unref()
  }

  async #renew(): Promise<void> {
    try {
      await this.options.renew()
    } catch (error) {
      this.options.log.warn({ err: error }, `failed to renew the leases of ${this.options.subject}`)
    }
  }
}
