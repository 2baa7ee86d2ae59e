import type { Logger } from 'pino'
import { tracing } from '../tracing/tracing.js'

export interface LeasePollerOptions {
  log: Logger
  /** What is leased, for log lines: "due jobs". */
  subject: string
  /** Leases what is due and starts it. @returns whether more may be due already */
  lease(): Promise<boolean>
  /** Returns the delay until something is due, at most `maxMs`; default: `maxMs`. */
  msToNext?(maxMs: number): Promise<number>
  /** Renews the leases of what is running. */
  renew(): Promise<void>
  /** Releases the leases of dead runners. Absent where another poller of the node does it. */
  releaseDead?(): Promise<void>
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
    if (this.#isStopped) return
    if (this.#polling) this.#again = true
    else this.#polling = tracing().detached(() => this.#poll())
  }

  async #poll(): Promise<void> {
    let nextInMs = POLL_MS
    // What ends in one transaction frees its slots together.
    await new Promise((resolve) => setImmediate(resolve))
    try {
      await this.#releaseDead()
      do {
        this.#again = false
        if (await this.options.lease()) this.#again = true
      } while (this.#again && !this.#isStopped)
      if (!this.#isStopped) nextInMs = (await this.options.msToNext?.(POLL_MS)) ?? POLL_MS
    } catch (error) {
      this.options.log.warn({ err: error }, `failed to look for ${this.options.subject}`)
    } finally {
      this.#polling = null
      // Woken since the last look, or to be woken when the next is due.
      if (this.#again) this.wake()
      else this.#wakeIn(nextInMs)
    }
  }

  async #releaseDead(): Promise<void> {
    // Monotonic time: a clock that stands still must not keep dead runners' leases.
    const now = performance.now()
    if (now < this.#deathCheckAt) return
    this.#deathCheckAt = now + DEATH_CHECK_MS
    await this.options.releaseDead?.()
  }

  #wakeIn(ms: number): void {
    if (this.#isStopped) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.wake(), ms)
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
