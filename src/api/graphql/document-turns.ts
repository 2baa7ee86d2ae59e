import type { FairQueue } from '../../platform/fairness/fair-queue.js'
import { CUSTOMER_DEPTH, accountsOf, type Share } from '../../platform/fairness/share.js'
import { lastUsed } from '../../platform/last-used.js'

/** New documents of a customer are read at once for this long: more than all its pages and services send. */
const FREE_MS = 500
/** The part of that which an address gets back in a second. */
const FREE_MS_A_SECOND = 50
const CUSTOMERS_MAX = 10_000

/** Reads documents, which blocks the event loop: at once, or in turns if there are too many of them. */
export class DocumentTurns {
  /** Time that the documents of a customer have taken, and when that was counted. */
  readonly #used = lastUsed<{ ms: number; at: number }>(CUSTOMERS_MAX)

  constructor(private readonly queue: FairQueue) {}

  /** Reads it in turns. @throws RateLimited when too many of the caller wait */
  inTurn<T>(share: Share, read: () => T): Promise<T> {
    return this.queue.run(share, read)
  }

  /**
   * Reads a document that is not kept: at once, until those of the customer have taken their time. Above all
   * refused documents are new each time. @throws RateLimited when too many of the caller wait
   */
  ofCustomer<T>(share: Share, read: () => T): T | Promise<T> {
    const customer = accountsOf(share)[CUSTOMER_DEPTH]!
    const counted = (): T => this.#counted(customer, read)
    return this.#usedBy(customer) < FREE_MS ? counted() : this.inTurn(share, counted)
  }

  #counted<T>(customer: string, read: () => T): T {
    const since = performance.now()
    try {
      return read()
    } finally {
      const at = performance.now()
      this.#used.set(customer, { ms: this.#usedBy(customer) + at - since, at })
    }
  }

  #usedBy(customer: string): number {
    const used = this.#used.get(customer)
    return used ? Math.max(0, used.ms - ((performance.now() - used.at) / 1_000) * FREE_MS_A_SECOND) : 0
  }
}
