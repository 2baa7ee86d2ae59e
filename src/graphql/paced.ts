import { setTimeout as sleep } from 'node:timers/promises'
import type { FairQueue, Share } from '../fairness/fair-queue.js'

/** Pause after each piece of work, in its durations: it has a fifth of the event loop. */
const PAUSE_FACTOR = 4
const PAUSE_MS_MAX = 500

/** Runs work that blocks the event loop, such as introspection, in turns with pauses, so that other requests go on. */
export class Paced {
  constructor(private readonly queue: FairQueue) {}

  /** @throws RateLimited when too much of the caller's work is waiting */
  async run<T>(share: Share, work: () => Promise<T>): Promise<T> {
    const release = await this.queue.enter(share)
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      const pauseMs = Math.min(PAUSE_MS_MAX, PAUSE_FACTOR * (performance.now() - startedAt))
      // The answer does not wait for it.
      void sleep(pauseMs, undefined, { ref: false }).then(release)
    }
  }
}
