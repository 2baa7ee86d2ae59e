/** Requests of a node that wait for updates at the platform. */
const LONG_MAX = 64
/** All requests for updates of a node: the others of its places for jobs that wait for servers are left to messages. */
export const POLLS_MAX = 128

/**
 * The places of a node for requests for updates, each of which waits for up to half a minute: they must not take those of deliveries.
 * Where there are more bots than long places, the others are asked without waiting, from time to time.
 */
export class PollPlaces {
  #long = 0
  #all = 0

  constructor(
    private readonly longMax = LONG_MAX,
    private readonly allMax = POLLS_MAX,
  ) {}

  /** Runs `work` in a place, which may be one to wait in; null when there is none. */
  async during<T>(work: (mayWait: boolean) => Promise<T>): Promise<T | null> {
    if (this.#all >= this.allMax) return null
    const isLong = this.#long < this.longMax
    this.#all += 1
    if (isLong) this.#long += 1
    try {
      return await work(isLong)
    } finally {
      this.#all -= 1
      if (isLong) this.#long -= 1
    }
  }
}
