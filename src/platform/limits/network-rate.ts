import { RateLimiterMemory } from 'rate-limiter-flexible'
import { networkOf } from './network-of.js'
import { spend } from './shared-limiter.js'

/** A page of a browser loads dozens of files at once, and an office has one address: only what goes on is too much. */
const SPAN_SECONDS = 5
/** Probes of balancers, and screens that come back, do not wait for what others of their network ask. */
export type CountedFor = 'probe' | 'socket' | 'other'

/** Limits the requests of a network, by the second over some seconds. Counted by each node for itself. */
export class NetworkRate {
  readonly #limiter: RateLimiterMemory
  readonly #message: string

  constructor(perSecond: number) {
    this.#limiter = new RateLimiterMemory({ points: perSecond * SPAN_SECONDS, duration: SPAN_SECONDS })
    this.#message = `more than ${perSecond * SPAN_SECONDS} requests in ${SPAN_SECONDS} seconds from one network`
  }

  /** @throws RateLimited */
  async count(address: string, countedFor: CountedFor = 'other'): Promise<void> {
    await spend(this.#limiter, `${countedFor} ${networkOf(address)}`, 1, this.#message)
  }
}
