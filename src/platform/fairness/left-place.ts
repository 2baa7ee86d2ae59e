import type { FairQueue } from './fair-queue.js'
import type { Share } from './share.js'

/** A slot of a fair queue that work gives back while it only waits, and has again before it goes on. */
export class LeftPlace {
  #release: (() => void) | null = null
  #entering: Promise<void> | null = null
  #isOver = false

  constructor(
    private readonly queue: FairQueue,
    private readonly share: Share,
  ) {}

  /** Runs work in a slot. @throws RateLimited when too much of the caller's work is waiting */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      await this.#enter()
      return await work()
    } finally {
      this.#isOver = true
      this.#leave()
    }
  }

  /** Waits for something without the slot. Of work that waits for several things at once the first to come takes it again. */
  async outside<T>(wait: () => Promise<T>): Promise<T> {
    this.#leave()
    try {
      return await wait()
    } finally {
      // Work that has failed may leave parts behind that still wait.
      if (!this.#release && !this.#isOver) await (this.#entering ??= this.#enter())
    }
  }

  async #enter(): Promise<void> {
    try {
      this.#release = await this.queue.enter(this.share)
    } finally {
      this.#entering = null
    }
    if (this.#isOver) this.#leave()
  }

  #leave(): void {
    this.#release?.()
    this.#release = null
  }
}
