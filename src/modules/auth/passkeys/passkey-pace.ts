import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { networksOf } from '../../../platform/limits/network-of.js'
import { sharedLimiter, spend } from '../../../platform/limits/shared-limiter.js'
import type { RedisClient } from '../../../platform/redis.js'

/** The maximum for one network, which may be that of a large office in the morning; as many challenges. */
export const ANSWERS_PER_MINUTE = 600
/** Points of an address, of the network around it, and of the one around that: each has twice as many tries as the one before. */
const COSTS = [4, 2, 1] as const

/** Limits challenges to strangers, each of which is kept for minutes, and their answers. */
export class PasskeyPace {
  readonly #limiter: RateLimiterAbstract

  constructor(redis: RedisClient | undefined) {
    const limits = { keyPrefix: 'passkey', points: ANSWERS_PER_MINUTE * COSTS[0], duration: 60 }
    this.#limiter = sharedLimiter(limits, redis)
  }

  /** @throws RateLimited for an address, or for those around it, which one customer may have */
  async spend(what: 'challenge' | 'answer', address: string | null): Promise<void> {
    // The narrowest first: what is refused there is not counted against its neighbours.
    for (const [at, network] of [...new Set(networksOf(address ?? 'unknown'))].entries())
      await spend(this.#limiter, `${what} ${network}`, COSTS[at]!, 'too many sign-ins by passkeys')
  }
}
