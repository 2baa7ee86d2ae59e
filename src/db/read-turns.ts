import { performance } from 'node:perf_hooks'
import type { FairQueue, Share } from '../fairness/fair-queue.js'

/** A read for which this process has waited this long, with nothing else to do, delays whoever writes. */
const LONG_MS = 25
const KNOWN_MAX = 10_000

/**
 * Decides when callers read. What a caller shapes, by a filter or a search, may be served by no index: after one that
 * took long, its next ones wait in a second queue, which lets few of a tenant run at once. Filters have unlimited
 * variants, so that all reads that a caller shapes are one account.
 */
export class ReadTurns {
  /** Callers whose last shaped read took long, the most recent last. */
  readonly #long = new Set<string>()

  constructor(
    private readonly all: FairQueue,
    private readonly long: FairQueue,
  ) {}

  /** Runs a read of ours. @throws RateLimited when too many of the caller's reads are waiting */
  run<T>(share: Share, read: () => Promise<T>): Promise<T> {
    return this.all.run(share, read)
  }

  /** Runs a read that the caller shapes. @throws as {@link run} */
  async runShaped<T>(share: Share, read: () => Promise<T>): Promise<T> {
    const account = `${share.tenant} ${share.caller}`
    let leaveLong: (() => void) | null = null
    try {
      for (;;) {
        if (this.#long.has(account)) leaveLong ??= await this.long.enter(share)
        const leave = await this.all.enter(share)
        try {
          // While it waited, another one may have turned out to take long.
          if (!leaveLong && this.#long.has(account)) continue
          return await this.#timed(account, read)
        } finally {
          leave()
        }
      }
    } finally {
      leaveLong?.()
    }
  }

  async #timed<T>(account: string, read: () => Promise<T>): Promise<T> {
    // Idle time, not the time that has passed: where this process is busy, any read seems to take long.
    const { idle } = performance.eventLoopUtilization()
    try {
      return await read()
    } finally {
      this.#long.delete(account)
      if (performance.eventLoopUtilization().idle - idle > LONG_MS) this.#long.add(account)
      if (this.#long.size > KNOWN_MAX) this.#long.delete(this.#long.values().next().value!)
    }
  }
}
