import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { GuestCaller } from '../access/caller.js'
import type { Config } from '../config.js'
import { RateLimited } from '../errors.js'
import type { Metrics } from '../metrics.js'
import type { RedisClient } from '../redis.js'
import type { CenterQuotas } from './center-quotas.js'
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
/** Different quotas that are kept at once: clearing them only begins their counts anew. */
const QUOTAS_MAX = 1_000

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
  readonly #limiter: (keyPrefix: string, points: number, duration: number) => RateLimiterAbstract
  /** Limiters of contact centers with quotas of their own, by prefix and points. */
  readonly #ofQuotas = new Map<string, RateLimiterAbstract>()

  constructor(
    config: GuestLimitsConfig,
    private readonly metrics: Pick<Metrics, 'guestMessages' | 'guestUploadBytes' | 'guestRefusals'>,
    private readonly quotas: Pick<CenterQuotas, 'ofGuests'>,
    redis?: RedisClient,
  ) {
    this.#limiter = (keyPrefix, points, duration) =>
      sharedLimiter({ keyPrefix: `guest:${keyPrefix}`, points, duration }, redis)
    const limiter = this.#limiter
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
  async countSession(address: string | null): Promise<void> {
    await spend(this.#sessions, keyOfAddress(address), 1, 'too many new sessions from this address')
  }

  /** @throws RateLimited */
  async countIdentification(contact: string): Promise<void> {
    await spend(this.#identifications, contact, 1, "too many changes of the guest's identity")
  }

  /** @throws RateLimited */
  async countMessages(at: GuestAt, conversation: string, count: number): Promise<void> {
    const quotas = await this.quotas.ofGuests(at.guest.path[0])
    const counters = this.#withQuota(this.#messages, 'organization-messages', quotas?.messagesPerMinute, MINUTE)
    await this.#count(counters, { ...keysOf(at), conversation }, count, 'messages')
    this.metrics.guestMessages.inc(count)
  }

  /** Called before the bytes are received. @throws RateLimited */
  async countUpload(at: GuestAt, bytes: number): Promise<void> {
    const quotas = await this.quotas.ofGuests(at.guest.path[0])
    const mebibytes = quotas?.uploadMebibytesPerDay
    const counters = this.#withQuota(this.#uploads, 'organization-uploads', mebibytes && mebibytes * KIBIBYTE, DAY)
    await this.#count(counters, keysOf(at), Math.max(1, Math.ceil(bytes / KIBIBYTE)), 'uploads')
    this.metrics.guestUploadBytes.inc(bytes)
  }

  /** Replaces the counter of a contact center's guests, where the operator has given it a quota of its own. */
  #withQuota(counters: Counters, prefix: string, points: number | null | undefined, seconds: number): Counters {
    if (points == null) return counters
    const key = `${prefix}:${points}`
    let organization = this.#ofQuotas.get(key)
    if (!organization) {
      if (this.#ofQuotas.size >= QUOTAS_MAX) this.#ofQuotas.clear()
      this.#ofQuotas.set(key, (organization = this.#limiter(prefix, points, seconds)))
    }
    return { ...counters, organization }
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
