import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { networkOf } from '../../platform/limits/network-of.js'
import { sharedLimiter, spend, spendIfLeft } from '../../platform/limits/shared-limiter.js'
import type { RedisClient } from '../../platform/redis.js'

const STEP_MS = 15 * 60_000
const DIGITS = 8
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS
const TRIES_PER_HOUR = 10
const REQUESTS_PER_CONVERSATION = 5
const REQUESTS_PER_NETWORK = 20
const MAILS_PER_ADDRESS = 5

/**
 * Codes by which a guest proves that an address is its own: eight digits, for 15 to 30 minutes. Nothing is stored: a code
 * derives from a secret of the installation, the conversation, the address and the time.
 */
export class TranscriptCodes {
  readonly #tries: RateLimiterAbstract
  readonly #conversations: RateLimiterAbstract
  readonly #networks: RateLimiterAbstract
  readonly #addresses: RateLimiterAbstract

  constructor(private readonly options: { secret: Uint8Array; now: () => Date; redis: RedisClient | undefined }) {
    const limiter = (name: string, points: number, duration: number): RateLimiterAbstract =>
      sharedLimiter({ keyPrefix: `transcript:${name}`, points, duration }, options.redis)
    this.#tries = limiter('tries', TRIES_PER_HOUR, HOUR_SECONDS)
    this.#conversations = limiter('conversation', REQUESTS_PER_CONVERSATION, DAY_SECONDS)
    this.#networks = limiter('network', REQUESTS_PER_NETWORK, DAY_SECONDS)
    this.#addresses = limiter('mails', MAILS_PER_ADDRESS, DAY_SECONDS)
  }

  codeFor(conversation: string, to: string): string {
    return this.#code(conversation, to, this.#step())
  }

  /** Counts a try. @throws RateLimited after ten within an hour */
  async isCode(conversation: string, to: string, given: string): Promise<boolean> {
    await spend(this.#tries, conversation, 1, 'too many codes were tried')
    const digits = Buffer.from(given.replace(/\D/g, ''))
    const step = this.#step()
    return [step, step - 1].some((each) => {
      const code = Buffer.from(this.#code(conversation, to, each))
      return code.length === digits.length && timingSafeEqual(code, digits)
    })
  }

  /**
   * Counts a request for a code: nobody is to be mailed more than a few, whoever asks.
   * @returns whether the address may be mailed. @throws RateLimited for the conversation's or the network's own requests
   */
  async mayMail(conversation: string, to: string, address: string | null): Promise<boolean> {
    const refusal = 'too many codes were requested'
    await spend(this.#networks, address === null ? 'unknown' : networkOf(address), 1, refusal)
    await spend(this.#conversations, conversation, 1, refusal)
    // Redis contains no list of addresses.
    return spendIfLeft(this.#addresses, createHash('sha256').update(to).digest('base64url'))
  }

  #step(): number {
    return Math.floor(this.options.now().getTime() / STEP_MS)
  }

  #code(conversation: string, to: string, step: number): string {
    const mac = createHmac('sha256', this.options.secret).update(`${conversation}\n${to}\n${step}`).digest()
    return String(mac.readBigUInt64BE() % BigInt(10 ** DIGITS)).padStart(DIGITS, '0')
  }
}
