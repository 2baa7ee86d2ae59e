import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { networkOf } from '../../limits/network-of.js'
import { RateLimited } from '../../errors.js'
import type { RedisClient } from '../../redis.js'

const WINDOW_SECONDS = 600
/** An office behind one address has that many new visitors in ten minutes. */
export const SESSIONS_PER_ADDRESS = 60
/** Who says that often who it is tries out addresses. */
export const IDENTIFICATIONS_PER_GUEST = 20

/** Bounds what anonymous visitors make the server keep. */
export class GuestLimits {
  readonly #sessions: RateLimiterAbstract
  readonly #identifications: RateLimiterAbstract

  constructor(redis?: RedisClient) {
    this.#sessions = limiter('guest:sessions', SESSIONS_PER_ADDRESS, redis)
    this.#identifications = limiter('guest:identify', IDENTIFICATIONS_PER_GUEST, redis)
  }

  /** @param address null when there is none. @throws RateLimited */
  countSession(address: string | null): Promise<void> {
    return consume(this.#sessions, address === null ? 'unknown' : networkOf(address), 'new sessions from this address')
  }

  /** @throws RateLimited */
  countIdentification(contact: string): Promise<void> {
    return consume(this.#identifications, contact, 'changes of who the guest is')
  }
}

function limiter(keyPrefix: string, points: number, redis: RedisClient | undefined): RateLimiterAbstract {
  const memory = new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_SECONDS })
  if (!redis) return memory
  const shared = { keyPrefix, points, duration: WINDOW_SECONDS, storeClient: redis }
  // With Redis away each node counts for itself, and nobody waits for it.
  return new RateLimiterRedis({ ...shared, rejectIfRedisNotReady: true, insuranceLimiter: memory })
}

async function consume(by: RateLimiterAbstract, key: string, what: string): Promise<void> {
  try {
    await by.consume(key)
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    throw new RateLimited(`too many ${what}`, Math.max(1, Math.ceil(error.msBeforeNext / 1_000)))
  }
}
