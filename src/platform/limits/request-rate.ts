import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import type { RedisClient } from '../redis.js'
import { networkOf } from './network-of.js'
import { sharedLimiter, type Limits } from './shared-limiter.js'

/** Subject of the count: a network address (of IPv6, its /64), or a user or API key (section 8). */
export type RatePolicy = 'address' | 'key'

/** The state of a window after counting a request. */
export interface RateCount {
  isExceeded: boolean
  /** Requests per window, and its length. */
  limit: number
  windowSeconds: number
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
}

const WINDOW_SECONDS = 1

/**
 * Counts requests in windows of a second that begin with a key's first request. Each count is one atomic step (in the
 * process, or in Redis for all nodes), so that exactly the limit passes however many requests are concurrent.
 */
export class RequestRate {
  readonly #limiters: Readonly<Record<RatePolicy, RateLimiterAbstract>>

  constructor(
    private readonly perSecond: number,
    redis?: RedisClient,
    private readonly windowSeconds = WINDOW_SECONDS,
  ) {
    const limiterOf = (keyPrefix: string) => limiter({ keyPrefix, points: perSecond, duration: windowSeconds }, redis)
    this.#limiters = { address: limiterOf('rate:address'), key: limiterOf('rate:key') }
  }

  /** Never rejects for an exceeded limit: see `isExceeded`. */
  async count(policy: RatePolicy, of: string): Promise<RateCount> {
    const { isExceeded, window } = await consume(this.#limiters[policy], policy === 'address' ? networkOf(of) : of)
    return {
      isExceeded,
      limit: this.perSecond,
      windowSeconds: this.windowSeconds,
      remaining: Math.max(0, window.remainingPoints),
      resetSeconds: Math.max(1, Math.ceil(window.msBeforeNext / 1_000)),
    }
  }
}

function limiter(limits: Limits, redis: RedisClient | undefined): RateLimiterAbstract {
  // An exceeded key is remembered until its window ends, without asking Redis.
  return sharedLimiter(limits, redis, { inMemoryBlockOnConsumed: limits.points + 1 })
}

async function consume(by: RateLimiterAbstract, of: string): Promise<{ isExceeded: boolean; window: RateLimiterRes }> {
  try {
    return { isExceeded: false, window: await by.consume(of) }
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    return { isExceeded: true, window: error }
  }
}
