import { RateLimited } from '../../platform/errors.js'

export const BOT_IDENTICAL_MAX = 8 // 8
export const BOT_IDENTICAL_WINDOW_MS = 3 * 60_000 // 8
export const BOT_CONSECUTIVE_MAX = 20 // 8
export const BOT_CONSECUTIVE_WINDOW_MS = 60 * 60_000 // 8

/** A bot's earlier messages in one conversation, without the one to be sent. */
export interface BotHistory {
  now: Date
  /** Number with the same content, created within `BOT_IDENTICAL_WINDOW_MS` before now. */
  identicalInWindow: number
  /** Creation time of the oldest of these; null if there are none. */
  oldestIdenticalAt: Date | null
  /**
   * Number since the last message of an agent or the contact, created within `BOT_CONSECUTIVE_WINDOW_MS` before now.
   */
  consecutiveInHour: number
  /** Creation time of the oldest of these; null if there are none. */
  oldestConsecutiveAt: Date | null
}

/**
 * Applies section 8's two limits on a bot in a conversation. @throws RateLimited with the time until the next message
 * is allowed
 */
export function checkBotLimits(history: BotHistory): void {
  if (history.identicalInWindow >= BOT_IDENTICAL_MAX) {
    throw new RateLimited(
      `a bot may send at most ${BOT_IDENTICAL_MAX} identical messages in a conversation within 3 minutes`,
      secondsUntilPast(history.oldestIdenticalAt, BOT_IDENTICAL_WINDOW_MS, history.now),
      { reason: 'BOT_IDENTICAL_LIMIT' },
    )
  }
  if (history.consecutiveInHour >= BOT_CONSECUTIVE_MAX) {
    throw new RateLimited(
      `a bot may send at most ${BOT_CONSECUTIVE_MAX} consecutive messages in a conversation per hour ` +
        'until an agent or the contact replies',
      secondsUntilPast(history.oldestConsecutiveAt, BOT_CONSECUTIVE_WINDOW_MS, history.now),
      { reason: 'BOT_CONSECUTIVE_LIMIT' },
    )
  }
}

function secondsUntilPast(oldest: Date | null, windowMs: number, now: Date): number {
  const leftMs = (oldest ?? now).getTime() + windowMs - now.getTime()
  return Math.max(1, Math.ceil(leftMs / 1000))
}
