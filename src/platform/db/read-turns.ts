import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { FairQueue } from '../fairness/fair-queue.js'
import type { Share } from '../fairness/share.js'
import { lastUsed } from '../last-used.js'

/** A read for which this process has waited this long, with nothing else to do, delays whoever writes. */
const LONG_MS = 50
/** Time for which a caller counts as one whose reads take long. */
const SLOW_MS = 10_000
const KNOWN_MAX = 10_000

/**
 * Decides when callers read. What a caller shapes, by a filter or a search, may be served by no index: after one that
 * took long, the caller's next ones wait in a second queue, which lets few of a tenant run at once. Filters have
 * unlimited variants, so that this goes for all of them but those that were short when they ran last.
 */
export class ReadTurns {
  readonly #slow = lastUsed<true>(KNOWN_MAX, { ttl: SLOW_MS })
  /** Statements that were short, by their hash. */
  readonly #short = lastUsed<true>(KNOWN_MAX)

  /** @param idleMs time for which this process has had nothing to do so far */
  constructor(
    private readonly all: FairQueue,
    private readonly long: FairQueue,
    private readonly idleMs = (): number => performance.eventLoopUtilization().idle,
  ) {}

  /** Runs a read of ours. @throws RateLimited when too many of the caller's reads are waiting */
  run<T>(share: Share, read: () => Promise<T>): Promise<T> {
    return this.all.run(share, read)
  }

  /** Runs a read that the caller shapes. @param text of its statement @throws as {@link run} */
  async runShaped<T>(share: Share, text: string, read: () => Promise<T>): Promise<T> {
    const caller = share.join(' ')
    const statement = createHash('sha1').update(text).digest('base64')
    const isLong = (): boolean => this.#slow.has(caller) && !this.#short.has(statement)
    let leaveLong: (() => void) | null = null
    try {
      for (;;) {
        if (isLong()) leaveLong ??= await this.long.enter(share)
        const leave = await this.all.enter(share)
        try {
          // While it waited, another one may have turned out to take long.
          if (!leaveLong && isLong()) continue
          return await this.#timed(caller, statement, read)
        } finally {
          leave()
        }
      }
    } finally {
      leaveLong?.()
    }
  }

  async #timed<T>(caller: string, statement: string, read: () => Promise<T>): Promise<T> {
    // Idle time, not the time that has passed: where this process is busy, any read seems to take long.
    const idleMs = this.idleMs()
    try {
      return await read()
    } finally {
      if (this.idleMs() - idleMs <= LONG_MS) this.#short.set(statement, true)
      else {
        this.#short.delete(statement)
        this.#slow.set(caller, true)
      }
    }
  }
}
