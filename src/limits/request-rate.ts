import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import type { RedisClient } from '../redis.js'
import { networkOf } from './network-of.js'
import { sharedLimiter } from './shared-limiter.js'

/** What is counted: requests from one network address (of IPv6, its /64), and by one user or API key (section 8). */
export type RatePolicy = 'address' | 'key'

/** A request and the window that it falls into. */
export interface RateCount {
  isExceeded: boolean
  /** Requests in a window, and its length. */
  limit: number
  windowSeconds: number
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
}

const WINDOW_SECONDS = 1

/**
 * Counts the requests of each window of a second that begins with a key's first request. Each count is one atomic step
 * (in the process, or in Redis for all nodes), so of any number at once exactly the limit pass.
 */
export class RequestRate {
  readonly #limiters: Readonly<Record<RatePolicy, RateLimiterAbstract>>

  constructor(
    private readonly perSecond: number,
    redis?: RedisClient,
  ) {
    this.#limiters = { address: limiter('rate:address', perSecond, redis), key: limiter('rate:key', perSecond, redis) }
  }

  /** Never rejects for a spent limit: see `isExceeded`. */
  async count(policy: RatePolicy, of: string): Promise<RateCount> {
    const { isExceeded, window } = await consume(this.#limiters[policy], policy === 'address' ? networkOf(of) : of)
    return {
      isExceeded,
      limit: this.perSecond,
      windowSeconds: WINDOW_SECONDS,
      remaining: Math.max(0, window.remainingPoints),
      resetSeconds: Math.max(1, Math.ceil(window.msBeforeNext / 1_000)),
    }
  }
}

function limiter(keyPrefix: string, points: number, redis: RedisClient | undefined): RateLimiterAbstract {
  // Who is over the limit is known to be until the window ends.
  return sharedLimiter({ keyPrefix, points, duration: WINDOW_SECONDS }, redis, { inMemoryBlockOnConsumed: points + 1 })
}

async function consume(by: RateLimiterAbstract, of: string): Promise<{ isExceeded: boolean; window: RateLimiterRes }> {
  try {
    return { isExceeded: false, window: await by.consume(of) }
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    return { isExceeded: true, window: error }
  }
}
