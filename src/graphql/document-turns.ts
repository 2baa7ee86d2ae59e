import { LRUCache } from 'lru-cache'
import type { FairQueue, Share } from '../fairness/fair-queue.js'
import { Paced } from '../fairness/paced.js'

/** What is read in turns has a third of the event loop, from however many callers it comes. */
const PAUSE = { factor: 2, msMax: 50 }
/** New documents of a contact center are read at once for this long: more than all its pages and services send. */
const FREE_MS = 500
/** What it gets back of that in a second. */
const FREE_MS_A_SECOND = 50
const CENTERS_MAX = 10_000

/** Reads documents, which blocks the event loop: at once, or in turns if there are too many of them. */
export class DocumentTurns {
  readonly #paced: Paced
  /** Time that the documents of a contact center have taken, and when that was counted. */
  readonly #used = new LRUCache<string, { ms: number; at: number }>({ max: CENTERS_MAX })

  constructor(queue: FairQueue) {
    this.#paced = new Paced(queue, PAUSE)
  }

  /** Reads it in turns. @throws RateLimited when too many of the caller wait */
  inTurn<T>(share: Share, read: () => T): Promise<T> {
    return this.#paced.run(share, read)
  }

  /**
   * Reads a document that is not kept: at once, until those of the contact center have taken their time. Above all
   * refused documents are new each time. @throws RateLimited when too many of the caller wait
   */
  ofCenter<T>(share: Share, read: () => T): T | Promise<T> {
    const counted = (): T => this.#counted(share.tenant, read)
    return this.#usedBy(share.tenant) < FREE_MS ? counted() : this.inTurn(share, counted)
  }

  #counted<T>(center: string, read: () => T): T {
    const since = performance.now()
    try {
      return read()
    } finally {
      const at = performance.now()
      this.#used.set(center, { ms: this.#usedBy(center) + at - since, at })
    }
  }

  #usedBy(center: string): number {
    const used = this.#used.get(center)
    return used ? Math.max(0, used.ms - ((performance.now() - used.at) / 1_000) * FREE_MS_A_SECOND) : 0
  }
}
