import type { FairQueue, Share } from '../fairness/fair-queue.js'

/** A read that takes this long delays whoever writes: as long as some sends. */
const LONG_MS = 50
const KNOWN_MAX = 10_000

/**
 * Decides when callers read. Reads whose like took long, such as a search that no index serves, wait in a second queue,
 * which lets few of a tenant run at once. Alike are reads of one tenant with the same name, and all of one caller
 * without a name, since filters have unlimited variants.
 */
export class ReadTurns {
  /** Accounts whose last read took long, the most recent last. */
  readonly #long = new Set<string>()

  constructor(
    private readonly all: FairQueue,
    private readonly long: FairQueue,
  ) {}

  /**
   * @param name of the statement, if it is one of ours
   * @throws RateLimited when too many of the caller's reads are waiting
   */
  async run<T>(share: Share, name: string | undefined, read: () => Promise<T>): Promise<T> {
    const account = name === undefined ? `${share.tenant} ${share.caller}` : `${share.tenant} ${name}`
    let leaveLong: (() => void) | null = null
    try {
      for (;;) {
        if (this.#long.has(account)) leaveLong ??= await this.long.enter(share)
        const leave = await this.all.enter(share)
        try {
          // While it waited, its like may have turned out to take long.
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
    const startedAt = performance.now()
    try {
      return await read()
    } finally {
      this.#long.delete(account)
      if (performance.now() - startedAt > LONG_MS) this.#long.add(account)
      if (this.#long.size > KNOWN_MAX) this.#long.delete(this.#long.values().next().value!)
    }
  }
}
