import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { GuestCaller } from '../access/caller.js'
import type { Config } from '../config.js'
import { RateLimited } from '../errors.js'
import type { Metrics } from '../metrics.js'
import type { RedisClient } from '../redis.js'
import { networkOf } from './network-of.js'
import { sharedLimiter, spend } from './shared-limiter.js'

const MINUTE = 60
const TEN_MINUTES = 600
const DAY = 86_400
/** As many new visitors as an office behind one address has in ten minutes. */
export const SESSIONS_PER_ADDRESS = 60
/** A guest who changes its identity more often is probing addresses. */
export const IDENTIFICATIONS_PER_GUEST = 20
/** Guests behind one address together have the limits of ten guests. */
const GUESTS_PER_ADDRESS = 10
/** Unit of byte quotas, which keeps the counters small. */
const KIBIBYTE = 1_024

export type GuestLimitsConfig = Pick<
  Config,
  | 'guestMessagesPerMinute'
  | 'organizationGuestMessagesPerMinute'
  | 'guestUploadBytesPerDay'
  | 'organizationGuestUploadBytesPerDay'
>

/** Subject of a limit, as named in metrics. */
type Whose = 'guest' | 'conversation' | 'address' | 'organization'
type Counters = Readonly<Partial<Record<Whose, RateLimiterAbstract>>>

/** A guest and its network address. */
export interface GuestAt {
  guest: GuestCaller
  address: string | null
}

/**
 * Limits the work and storage that anonymous visitors cause: per guest, per conversation, per network address, and for
 * all guests of a contact center together. Nodes count together when there is Redis.
 */
export class GuestLimits {
  readonly #sessions: RateLimiterAbstract
  readonly #identifications: RateLimiterAbstract
  readonly #messages: Counters
  readonly #uploads: Counters

  constructor(
    config: GuestLimitsConfig,
    private readonly metrics: Pick<Metrics, 'guestMessages' | 'guestUploadBytes' | 'guestRefusals'>,
    redis?: RedisClient,
  ) {
    const limiter = (keyPrefix: string, points: number, duration: number): RateLimiterAbstract =>
      sharedLimiter({ keyPrefix: `guest:${keyPrefix}`, points, duration }, redis)
    this.#sessions = limiter('sessions', SESSIONS_PER_ADDRESS, TEN_MINUTES)
    this.#identifications = limiter('identify', IDENTIFICATIONS_PER_GUEST, TEN_MINUTES)
    const messages = config.guestMessagesPerMinute
    this.#messages = {
      guest: limiter('messages', messages, MINUTE),
      conversation: limiter('conversation-messages', messages, MINUTE),
      address: limiter('address-messages', messages * GUESTS_PER_ADDRESS, MINUTE),
      organization: limiter('organization-messages', config.organizationGuestMessagesPerMinute, MINUTE),
    }
    const kibibytes = Math.ceil(config.guestUploadBytesPerDay / KIBIBYTE)
    this.#uploads = {
      guest: limiter('uploads', kibibytes, DAY),
      address: limiter('address-uploads', kibibytes * GUESTS_PER_ADDRESS, DAY),
      organization: limiter(
        'organization-uploads',
        Math.ceil(config.organizationGuestUploadBytesPerDay / KIBIBYTE),
        DAY,
      ),
    }
  }

  /** @param address null when there is none. @throws RateLimited */
  countSession(address: string | null): Promise<void> {
    return spend(this.#sessions, keyOfAddress(address), 1, 'too many new sessions from this address')
  }

  /** @throws RateLimited */
  countIdentification(contact: string): Promise<void> {
    return spend(this.#identifications, contact, 1, "too many changes of the guest's identity")
  }

  /** @throws RateLimited */
  async countMessages(at: GuestAt, conversation: string, count: number): Promise<void> {
    await this.#count(this.#messages, { ...keysOf(at), conversation }, count, 'messages')
    this.metrics.guestMessages.inc(count)
  }

  /** Called before the bytes are received. @throws RateLimited */
  async countUpload(at: GuestAt, bytes: number): Promise<void> {
    await this.#count(this.#uploads, keysOf(at), Math.max(1, Math.ceil(bytes / KIBIBYTE)), 'uploads')
    this.metrics.guestUploadBytes.inc(bytes)
  }

  async #count(counters: Counters, keys: Partial<Record<Whose, string>>, points: number, what: string): Promise<void> {
    for (const [whose, limiter] of Object.entries(counters) as [Whose, RateLimiterAbstract][]) {
      const key = keys[whose]
      if (key === undefined) continue
      await spend(limiter, key, points, `too many ${what} of this ${whose}`).catch((error: unknown) => {
        if (error instanceof RateLimited) this.metrics.guestRefusals.inc({ what, whose })
        throw error
      })
    }
  }
}

function keysOf({ guest, address }: GuestAt): Record<Exclude<Whose, 'conversation'>, string> {
  return { guest: guest.contact, address: keyOfAddress(address), organization: guest.path[0] }
}

function keyOfAddress(address: string | null): string {
  return address === null ? 'unknown' : networkOf(address)
}
