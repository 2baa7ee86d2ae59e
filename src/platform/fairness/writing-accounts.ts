import { accountsOf, CALLER_DEPTH, isSystems, type Share } from './share.js'

/** Time for which an account counts as writing after a write. */
const WINDOW_MS = 1_000

/**
 * Tracks which accounts have just written, at each level. Only then is anybody held back for their sake: who is alone
 * delays nobody, and gets all that the node and the database can do.
 */
export class WritingAccounts {
  readonly #levels: LastTwo[] = []

  constructor(private readonly windowMs = WINDOW_MS) {}

  /** Notes a write. The system's own is one of its customer, and of no caller: nobody waits for it at a desk. */
  note(share: Share, accounts: readonly string[] = accountsOf(share)): void {
    const depths = isSystems(share) ? CALLER_DEPTH : accounts.length
    for (let depth = 0; depth < depths; depth++)
      (this.#levels[depth] ??= new LastTwo(this.windowMs)).note(accounts[depth]!)
  }

  /** Tells whether another account of the level has written within the last second. */
  hasOther(account: string, depth: number): boolean {
    return this.#levels[depth]?.hasOther(account) ?? false
  }
}

/** The two keys that were noted last: whether there was another one than a given key needs no more. */
export class LastTwo {
  #last: string | undefined
  #before: string | undefined
  #lastAt = 0
  #beforeAt = 0

  constructor(private readonly windowMs: number) {}

  note(key: string): void {
    if (key !== this.#last) {
      this.#before = this.#last
      this.#beforeAt = this.#lastAt
      this.#last = key
    }
    this.#lastAt = performance.now()
  }

  hasOther(key: string): boolean {
    const [other, at] = key === this.#last ? [this.#before, this.#beforeAt] : [this.#last, this.#lastAt]
    return other !== undefined && performance.now() - at < this.windowMs
  }
}
