import { createHash } from 'node:crypto'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { networkOf } from '../../platform/limits/network-of.js'
import { sharedLimiter, spend, spendIfLeft } from '../../platform/limits/shared-limiter.js'
import type { RedisClient } from '../../platform/redis.js'
import type { Guess } from './login-throttle.js'

const WINDOW_SECONDS = 15 * 60
const REQUESTS_PER_ADDRESS = 20
/** For one account from one network. */
const REQUESTS_PER_PLACE = 3
/** Mails to one account for requests from networks that it is not known from. */
const MAILS_PER_ACCOUNT = 6
/** Half the time for which a link is valid: whoever gets no mail has a link that is valid for as long again. */
export const MAILS_WINDOW_SECONDS = 30 * 60
const REFUSAL = 'too many requests for a new password'

/**
 * Limits requests for a new password. Whoever makes many of them for somebody else's account is refused by the own
 * network; the account's own limit refuses nobody, it only stops the mails, while the links of those before are valid.
 */
export class ResetThrottle {
  readonly #addresses: RateLimiterAbstract
  readonly #places: RateLimiterAbstract
  readonly #accounts: RateLimiterAbstract

  constructor({ redis, prefix = 'reset' }: { redis?: RedisClient; prefix?: string } = {}) {
    const limiter = (name: string, points: number, duration = WINDOW_SECONDS): RateLimiterAbstract =>
      sharedLimiter({ keyPrefix: `${prefix}:${name}`, points, duration }, redis)
    this.#addresses = limiter('address', REQUESTS_PER_ADDRESS)
    this.#places = limiter('place', REQUESTS_PER_PLACE)
    this.#accounts = limiter('mails', MAILS_PER_ACCOUNT, MAILS_WINDOW_SECONDS)
  }

  /**
   * Counts a request, in the same way for accounts that do not exist.
   * @returns whether a mail may be sent
   * @throws RateLimited after 20 requests from the network, or 3 for this account, within 15 minutes
   */
  async mayMail({ account, address, isKnown }: Guess): Promise<boolean> {
    const network = address === null ? 'unknown' : networkOf(address)
    // The network first: one that is refused must not fill the memory with invented accounts.
    await spend(this.#addresses, network, 1, REFUSAL)
    await spend(this.#places, hashOf(account, network), 1, REFUSAL)
    return isKnown || spendIfLeft(this.#accounts, hashOf(account))
  }
}

/** Keys have one length, and Redis contains no list of emails. */
function hashOf(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url')
}
