const LOOK_MS = 1

/**
 * Watches how long the event loop of this thread is kept from its timers: in CPU time of the thread, so that what else the
 * machine does is not counted. A block shorter than a millisecond shows as one.
 */
export class LoopBlock {
  #last = cpuMs()
  #longestMs = 0

  constructor() {
    setInterval(() => {
      const now = cpuMs()
      this.#longestMs = Math.max(this.#longestMs, now - this.#last)
      this.#last = now
    }, LOOK_MS).unref()
  }

  /** The longest one since this was asked last. */
  take(): number {
    const longest = this.#longestMs
    this.#longestMs = 0
    return longest
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
