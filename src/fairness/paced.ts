import { setTimeout as sleep } from 'node:timers/promises'
import type { FairQueue, Share } from './fair-queue.js'

/** The pause after each piece of work. */
export interface Pause {
  /** In durations of the work: with 4 it gets a fifth of what all share. */
  factor: number
  msMax: number
}

/** Runs work that holds up all other requests (the event loop, the disk) in turns, with a pause after each. */
export class Paced {
  constructor(
    private readonly queue: FairQueue,
    private readonly pause: Pause,
  ) {}

  /** @throws RateLimited when too much of the caller's work is waiting */
  async run<T>(share: Share, work: () => Promise<T> | T): Promise<T> {
    const release = await this.queue.enter(share)
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      const { factor, msMax } = this.pause
      const pauseMs = Math.min(msMax, factor * (performance.now() - startedAt))
      // The answer does not wait for it.
      void sleep(pauseMs, undefined, { ref: false }).then(release)
    }
  }
}
