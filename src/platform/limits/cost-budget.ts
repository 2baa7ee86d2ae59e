import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { BudgetLeft } from '../context.js'
import { RateLimited } from '../errors.js'
import type { RedisClient } from '../redis.js'
import { sharedLimiter, spend } from './shared-limiter.js'
import { lastUsed } from '../last-used.js'

const REFUSAL = 'too many or too costly operations'
const REMEMBERED_MAX = 10_000

/** Length of a budget's window, in seconds. */
export const BUDGET_SECONDS = 60

/**
 * Limits the cost of each caller's operations per minute, in units of `Cost`; shared by the nodes when there is Redis.
 */
export class CostBudget {
  readonly #limiter: RateLimiterAbstract
  /** Until when the budget of those last refused is spent, by `performance.now()`. */
  readonly #spent = lastUsed<number>(REMEMBERED_MAX)

  constructor(
    private readonly costPerMinute: number,
    redis?: RedisClient,
  ) {
    this.#limiter = sharedLimiter({ keyPrefix: 'cost', points: costPerMinute, duration: BUDGET_SECONDS }, redis)
  }

  /** @throws RateLimited when the caller's budget of this minute is spent */
  async spend(key: string, cost: number): Promise<BudgetLeft> {
    try {
      const left = await spend(this.#limiter, key, Math.max(1, Math.ceil(cost)), REFUSAL)
      return {
        limit: this.costPerMinute,
        remaining: Math.max(0, left.remainingPoints),
        resetSeconds: Math.max(1, Math.ceil(left.msBeforeNext / 1_000)),
      }
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
