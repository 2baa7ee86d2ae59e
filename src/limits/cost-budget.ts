import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { RedisClient } from '../redis.js'
import { sharedLimiter, spend } from './shared-limiter.js'

/**
 * Limits the cost of each caller's operations per minute, in units of `Cost`; shared by the nodes when there is Redis.
 */
export class CostBudget {
  readonly #limiter: RateLimiterAbstract

  constructor(costPerMinute: number, redis?: RedisClient) {
    this.#limiter = sharedLimiter({ keyPrefix: 'cost', points: costPerMinute, duration: 60 }, redis)
  }

  /** @throws RateLimited when the caller's budget of this minute is spent */
  spend(key: string, cost: number): Promise<void> {
    return spend(this.#limiter, key, Math.max(1, Math.ceil(cost)), 'too many or too costly operations')
  }
}
