import { createHash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRedis, RLWrapperTimeouts } from 'rate-limiter-flexible'
import { networkOf } from '../limits/network-of.js'
import { spend } from '../limits/shared-limiter.js'
import type { RedisClient } from '../redis.js'

const WINDOW_SECONDS = 15 * 60
export const LOGIN_FAILURES_PER_ACCOUNT = 10
export const LOGIN_FAILURES_PER_ADDRESS = 50
/** Sign-in goes on with this node's own counts when Redis takes longer. */
const REDIS_TIMEOUT_MS = 500
const REFUSAL = 'too many failed sign-ins'

/** Whose password is being guessed, and from where. */
export interface Guess {
  /** The user's id; of an email that nobody has, its form in the database. */
  account: string
  /** Network address of the client; null when there is none. */
  address: string | null
  /** The user signed in from this network before: what strangers guess elsewhere does not keep the user out. */
  isKnown?: boolean
}

export interface LoginThrottle {
  /**
   * Before the password is looked at. Counts the attempt as a failure at once, so that attempts made at the same time
   * cannot all pass; a success takes it back.
   * @throws RateLimited after 10 failures for the account, or 50 from the address, within 15 minutes. Failures from a
   *   network that the user is known from count for that network alone.
   */
  check(guess: Guess): Promise<void>
  /** Clears the account and takes this attempt back from the address, whose other failures stay. */
  succeeded(guess: Guess): Promise<void>
}

export interface LoginThrottleOptions {
  /** Shared by all nodes. Without it, or while it is away, each node counts in its memory. */
  redis?: RedisClient
  /** Of the keys in Redis. */
  prefix?: string
}

/** Limits the guessing of passwords, by account and by address. Counts by the system's clock. */
export function createLoginThrottle({ redis, prefix = 'login' }: LoginThrottleOptions = {}): LoginThrottle {
  const accounts = createLimiter(redis, `${prefix}:account`, LOGIN_FAILURES_PER_ACCOUNT)
  const addresses = createLimiter(redis, `${prefix}:address`, LOGIN_FAILURES_PER_ADDRESS)
  return {
    async check(guess) {
      const { address } = guess
      // The address first: one that is refused must not go on locking others out of their accounts, nor fill the
      // memory with accounts it makes up.
      if (address !== null) await spend(addresses, networkOf(address), 1, REFUSAL)
      await spend(accounts, accountKey(guess), 1, REFUSAL)
    },
    async succeeded(guess) {
      const { address } = guess
      await Promise.all([
        // Not delete(): with Redis away that waits in the client's queue, while set() goes to memory at once.
        accounts.set(accountKey(guess), 0, WINDOW_SECONDS),
        address !== null && addresses.reward(networkOf(address), 1),
      ])
    },
  }
}

type Limiter = RateLimiterMemory | RLWrapperTimeouts

function createLimiter(redis: RedisClient | undefined, keyPrefix: string, points: number): Limiter {
  const limits = { keyPrefix, points, duration: WINDOW_SECONDS }
  const memory = new RateLimiterMemory(limits)
  if (!redis) return memory
  const shared = new RateLimiterRedis({ ...limits, storeClient: redis, rejectIfRedisNotReady: true })
  return new RLWrapperTimeouts({ limiter: shared, timeoutMs: REDIS_TIMEOUT_MS, insuranceLimiter: memory })
}

/** Hashed: of one length whatever is sent as an email, and no list of emails in Redis. */
function accountKey({ account, address, isKnown }: Guess): string {
  const place = isKnown && address !== null ? networkOf(address) : 'anywhere'
  return createHash('sha256').update(`${account}\n${place}`).digest('base64url')
}
