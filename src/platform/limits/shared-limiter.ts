import {
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  type IRateLimiterRedisOptions,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible'
import { RateLimited } from '../errors.js'
import { COUNTED_ALONE, type RedisClient } from '../redis.js'

export interface Limits {
  /** Prefix of the keys in Redis. */
  keyPrefix: string
  points: number
  /** Seconds. */
  duration: number
}

/**
 * Creates a limiter shared by all nodes when there is Redis. While Redis is unavailable each node counts for itself,
 * without waiting.
 */
export function sharedLimiter(
  limits: Limits,
  redis: RedisClient | undefined,
  more: Partial<IRateLimiterRedisOptions> = {},
): RateLimiterAbstract {
  if (!redis) return new RateLimiterMemory(limits)
  return new RateLimiterRedis({
    ...limits,
    ...more,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new InsteadOfRedis(limits, redis),
  })
}

/** Counts in this process, and says so. */
class InsteadOfRedis extends RateLimiterMemory {
  constructor(
    limits: Limits,
    private readonly redis: RedisClient,
  ) {
    super(limits)
  }

  override consume(...given: Parameters<RateLimiterMemory['consume']>): Promise<RateLimiterRes> {
    this.redis.emit(COUNTED_ALONE)
    return super.consume(...given)
  }
}

/** @returns what is left. @throws RateLimited with this message when fewer points are left */
export async function spend(
  limiter: RateLimiterAbstract,
  key: string,
  points: number,
  message: string,
): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key, points)
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection
    throw new RateLimited(message, Math.max(1, Math.ceil(rejection.msBeforeNext / 1_000)))
  }
}

/** Spends a point if one is left. @returns whether one was */
export async function spendIfLeft(limiter: RateLimiterAbstract, key: string): Promise<boolean> {
  try {
    await limiter.consume(key)
    return true
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection
    return false
  }
}
