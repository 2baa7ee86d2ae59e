import { LRUCache } from 'lru-cache'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { RateLimited } from '../errors.js'
import type { RedisClient } from '../redis.js'
import { sharedLimiter, spend } from './shared-limiter.js'

const REFUSAL = 'too many or too costly operations'
const REMEMBERED_MAX = 10_000

/**
 * Limits the cost of each caller's operations per minute, in units of `Cost`; shared by the nodes when there is Redis.
 */
export class CostBudget {
  readonly #limiter: RateLimiterAbstract
  /** Until when the budget of those last refused is spent, by `performance.now()`. */
  readonly #spent = new LRUCache<string, number>({ max: REMEMBERED_MAX })

  constructor(costPerMinute: number, redis?: RedisClient) {
    this.#limiter = sharedLimiter({ keyPrefix: 'cost', points: costPerMinute, duration: 60 }, redis)
  }

  /** @throws RateLimited when the caller's budget of this minute is spent */
  async spend(key: string, cost: number): Promise<void> {
    try {
      await spend(this.#limiter, key, Math.max(1, Math.ceil(cost)), REFUSAL)
    } catch (error) {
      if (error instanceof RateLimited) this.#spent.set(key, performance.now() + error.retryAfterSeconds * 1_000)
      throw error
    }
  }

  /** Refuses by memory alone a caller that was refused in this minute. @throws RateLimited */
  refuseSpent(key: string): void {
    const until = this.#spent.get(key)
    if (until === undefined) return
    const leftMs = until - performance.now()
    if (leftMs > 0) throw new RateLimited(REFUSAL, Math.max(1, Math.ceil(leftMs / 1_000)))
    this.#spent.delete(key)
  }
}
