import { setTimeout as sleep } from 'node:timers/promises'
import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import { sharedLimiter } from '../../../platform/limits/shared-limiter.js'
import type { RedisClient } from '../../../platform/redis.js'
import { DeliveryFailed } from '../adapter.js'

/** The platform's limits: of a bot, and of one chat. */
const PER_BOT = { points: 30, duration: 1 }
const PER_CHAT = { points: 1, duration: 1 }
/** Longest wait of a send; after that it goes back into the queue. */
const WAIT_MS_MAX = 5_000

/** Keeps the calls of a bot, on all nodes, within what the platform takes. */
export class BotPace {
  readonly #perBot: RateLimiterAbstract
  readonly #perChat: RateLimiterAbstract

  constructor(redis: RedisClient | undefined) {
    this.#perBot = sharedLimiter({ keyPrefix: 'telegram-bot', ...PER_BOT }, redis)
    this.#perChat = sharedLimiter({ keyPrefix: 'telegram-chat', ...PER_CHAT }, redis)
  }

  /** Waits for the turn of one call that sends, changes or removes messages. @throws DeliveryFailed when it is far away */
  async turn(bot: string, chat: string, signal: AbortSignal | undefined): Promise<void> {
    const until = performance.now() + WAIT_MS_MAX
    await this.#turn(this.#perChat, `${bot}:${chat}`, { until, signal })
    await this.#turn(this.#perBot, bot, { until, signal })
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
