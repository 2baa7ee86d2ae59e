import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { RateLimited } from '../errors.js'
import type { RedisClient } from '../redis.js'

/** What each caller may have executed a minute, in units of `Cost`; shared by the nodes when there is Redis. */
export class CostBudget {
  readonly #limiter: RateLimiterAbstract

  constructor(costPerMinute: number, redis?: RedisClient) {
    const memory = new RateLimiterMemory({ keyPrefix: 'cost', points: costPerMinute, duration: 60 })
    this.#limiter = redis
      ? new RateLimiterRedis({
          storeClient: redis,
          keyPrefix: 'cost',
          points: costPerMinute,
          duration: 60,
          // With Redis away each node counts for itself, and nobody waits for it.
          rejectIfRedisNotReady: true,
          insuranceLimiter: memory,
        })
      : memory
  }

  /** @throws RateLimited when the caller has spent what it may in this minute. */
  async spend(key: string, cost: number): Promise<void> {
    try {
      await this.#limiter.consume(key, Math.max(1, Math.ceil(cost)))
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      const retryAfterSeconds = Math.max(1, Math.ceil(error.msBeforeNext / 1_000))
      throw new RateLimited('too many or too costly operations', retryAfterSeconds)
    }
  }
}
