import { RecentKeys } from '../recent-keys.js'
import { networksOf } from './network-of.js'

/** A browser that has been asleep, or an office after a restart, is refused many times at once and then no more. */
const BURST_MS = 5_000
/** The longest that a refusal is held back. */
const HELD_MS_MAX = 5_000
/** Refusals that are held back together: each keeps a connection. */
const HELD_MAX = 4_096
/** No request waits to begin while so many are held: of its body, some 64 KiB may have come. */
const TO_BEGIN_MAX = 1_024
/** Times as many refusals as one network are taken of the wider ones around it: one customer may have all their addresses. */
const WIDER = 2

/** Somebody to whom a refusal counts, and the time for which it does. */
interface Count {
  key: string
  ms: number
}

export interface RefusalRates {
  /** Refusals of a network that has proven nothing, and of a caller that is known. */
  perSecond: number
  /** Bytes in refused bodies of a caller that is known. */
  bytesPerSecond: number
}

/**
 * Holds back refusals, so many a second: whoever sends the next request as soon as this one is refused would otherwise be read,
 * checked and refused as fast as the server can. What has been refused for five seconds at that rate is held back no time.
 */
export class RefusalPace {
  readonly #rates: RefusalRates
  /** Times until which refusals count, in ms. */
  readonly #until = new RecentKeys(BURST_MS + HELD_MS_MAX)
  #held = 0

  constructor(rates: RefusalRates) {
    this.#rates = rates
  }

  /** Number of refusals, and of requests that may end in one, that are held back. */
  get held(): number {
    return this.#held
  }

  /**
   * Waits until the network of an address, and those around it, may be refused once more.
   * @returns false when too many wait: it is to get no answer
   */
  async waitForNetwork(address: string): Promise<boolean> {
    const counts = this.#countsOf(address)
    const waitMs = this.#waitMsOf(counts)
    if (waitMs > HELD_MS_MAX || (waitMs > 0 && this.#held >= HELD_MAX)) return false
    this.#note(counts)
    await this.#hold(waitMs)
    return true
  }

  /**
   * Waits as long as the next refusal of the network of an address would be held back, and counts nothing: what costs something and
   * may end in a refusal is not begun before.
   * @returns false when too many wait: it is not to be begun
   */
  async waitToBegin(address: string): Promise<boolean> {
    const waitMs = Math.min(HELD_MS_MAX, this.#waitMsOf(this.#countsOf(address)))
    if (waitMs > 0 && this.#held >= TO_BEGIN_MAX) return false
    await this.#hold(waitMs)
    return true
  }

  /** Waits until a caller may be refused once more, with a body of so many bytes. Who is known gets an answer in any case. */
  async waitForCaller(caller: string, bytes: number): Promise<void> {
    const { perSecond, bytesPerSecond } = this.#rates
    const counts = [{ key: `caller ${caller}`, ms: Math.max(1 / perSecond, bytes / bytesPerSecond) * 1_000 }]
    const waitMs = Math.min(HELD_MS_MAX, this.#waitMsOf(counts))
    if (this.#held >= HELD_MAX) return
    this.#note(counts)
    await this.#hold(waitMs)
  }

  #countsOf(address: string): Count[] {
    const networks = [...new Set(networksOf(address))]
    return networks.map((key, at) => ({ key, ms: 1_000 / this.#rates.perSecond / WIDER ** at }))
  }

  #waitMsOf(counts: readonly Count[]): number {
    return Math.max(...counts.map((count) => this.#end(count) - performance.now() - BURST_MS))
  }

  #end({ key, ms }: Count): number {
    return Math.max(performance.now(), this.#until.numberOf(key) ?? 0) + ms
  }

  #note(counts: readonly Count[]): void {
    const mostUntil = performance.now() + BURST_MS + HELD_MS_MAX
    for (const count of counts) this.#until.note(count.key, Math.min(mostUntil, this.#end(count)))
  }

  async #hold(waitMs: number): Promise<void> {
    if (waitMs <= 0) return
    this.#held += 1
    // It keeps nothing running: a server that stops ends these connections.
    await new Promise((resolve) => setTimeout(resolve, waitMs).unref())
    this.#held -= 1
  }
}
