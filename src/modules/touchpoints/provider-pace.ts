import { setTimeout as sleep } from 'node:timers/promises'
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { sharedLimiter, type Limits } from '../../platform/limits/shared-limiter.js'
import type { RedisClient } from '../../platform/redis.js'
import { DeliveryFailed } from './adapter.js'

/** A provider's limits: of one sender, such as a bot or a number, and of what one person gets from it, where it has such. */
export interface PaceLimits {
  readonly sender: Limits
  readonly person?: Limits
}

/** Longest wait of a send; after that it goes back into the queue. */
const WAIT_MS_MAX = 5_000

/** Keeps the calls of a sender, on all nodes, within what the provider takes. */
export class ProviderPace {
  readonly #ofSender: RateLimiterAbstract
  readonly #ofPerson: RateLimiterAbstract | undefined

  constructor(redis: RedisClient | undefined, { sender, person }: PaceLimits) {
    this.#ofSender = sharedLimiter(sender, redis)
    this.#ofPerson = person && sharedLimiter(person, redis)
  }

  /** Waits for the turn of one call that sends, changes or removes messages. @throws DeliveryFailed when it is far away */
  async turn({ sender, person }: Record<'sender' | 'person', string>, signal: AbortSignal | undefined): Promise<void> {
    const until = performance.now() + WAIT_MS_MAX
    if (this.#ofPerson) await this.#turn(this.#ofPerson, `${sender}:${person}`, { until, signal })
    await this.#turn(this.#ofSender, sender, { until, signal })
  }

  async #turn(
    limiter: RateLimiterAbstract,
    key: string,
    { until, signal }: { until: number; signal: AbortSignal | undefined },
  ): Promise<void> {
    for (;;) {
      const waitMs = await limiter.consume(key).then(() => 0, msToNext)
      if (waitMs === 0) return
      if (performance.now() + waitMs > until || signal?.aborted)
        throw new DeliveryFailed('more messages wait than the platform takes at a time', waitMs)
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

function msToNext(refusal: unknown): number {
  if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext)
  throw refusal
}
