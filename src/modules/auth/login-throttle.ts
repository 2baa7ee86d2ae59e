import { createHash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRedis, RLWrapperTimeouts } from 'rate-limiter-flexible'
import { networkOf } from '../../platform/limits/network-of.js'
import { spend } from '../../platform/limits/shared-limiter.js'
import type { RedisClient } from '../../platform/redis.js'

const WINDOW_SECONDS = 15 * 60
export const LOGIN_FAILURES_PER_ACCOUNT = 10
export const LOGIN_FAILURES_PER_ADDRESS = 50
const REDIS_TIMEOUT_MS = 500

/** The account whose password is tried, and the client. */
export interface Guess {
  /** The user's id; for an unknown email, its form in the database. */
  account: string
  /** Network address of the client; null when there is none. */
  address: string | null
  /**
   * True if the user signed in from this network before: attempts from other networks then do not lock the user out.
   */
  isKnown?: boolean
}

export interface LoginThrottle {
  /**
   * Called before the password is checked. Counts the attempt as a failure at once, so that concurrent attempts cannot
   * all pass; a success reverts it.
   * @throws RateLimited after 10 failures for the account, or 50 from the address, within 15 minutes. Failures from a
   *   network that the user is known from count for that network only.
   */
  check(guess: Guess): Promise<void>
  /** Clears the account and reverts this attempt of the address, whose other failures stay. */
  succeeded(guess: Guess): Promise<void>
}

export interface LoginThrottleOptions {
  /** Shared by all nodes. Without it, or while it is unavailable, each node counts in memory. */
  redis?: RedisClient
  /** Prefix of the keys in Redis. */
  prefix?: string
  /** Time after which the node uses its own counters in place of Redis. Default: half a second. */
  redisTimeoutMs?: number
}

/** Limits password attempts by account and by address, by the system's clock. */
export function createLoginThrottle(options: LoginThrottleOptions = {}): LoginThrottle {
  return createThrottle({
    accounts: createLimiter(options, 'account', LOGIN_FAILURES_PER_ACCOUNT),
    addresses: createLimiter(options, 'address', LOGIN_FAILURES_PER_ADDRESS),
  })
}

function createThrottle({ accounts, addresses }: Counters): LoginThrottle {
  const refusal = 'too many failed sign-ins'
  return {
    async check(guess) {
      const { address } = guess
      // The address first: a refused address must not keep locking others out, nor fill the memory with invented
      // accounts.
      if (address !== null) await spend(addresses, networkOf(address), 1, refusal)
      await spend(accounts, accountKey(guess), 1, refusal)
    },
    async succeeded(guess) {
      const { address } = guess
      await Promise.all([
        // Not delete(): while Redis is unavailable that waits in the client's queue, while set() falls back to memory
        // at once.
        accounts.set(accountKey(guess), 0, WINDOW_SECONDS),
        address !== null && addresses.reward(networkOf(address), 1),
      ])
    },
  }
}

type Limiter = RateLimiterMemory | RLWrapperTimeouts

interface Counters {
  accounts: Limiter
  addresses: Limiter
}

function createLimiter(
  { redis, prefix = 'login', redisTimeoutMs: timeoutMs = REDIS_TIMEOUT_MS }: LoginThrottleOptions,
  name: string,
  points: number,
): Limiter {
  const limits = { keyPrefix: `${prefix}:${name}`, points, duration: WINDOW_SECONDS }
  const memory = new RateLimiterMemory(limits)
  if (!redis) return memory
  const shared = new RateLimiterRedis({ ...limits, storeClient: redis, rejectIfRedisNotReady: true })
  return new RLWrapperTimeouts({ limiter: shared, timeoutMs, insuranceLimiter: memory })
}

/** Hashed, so that keys have one length and Redis contains no list of emails. */
function accountKey({ account, address, isKnown }: Guess): string {
  const place = isKnown && address !== null ? networkOf(address) : 'anywhere'
  return createHash('sha256').update(`${account}\n${place}`).digest('base64url')
}
