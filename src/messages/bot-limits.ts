import { RateLimited } from '../errors.js'

export const BOT_IDENTICAL_MAX = 8 // 8
export const BOT_IDENTICAL_WINDOW_MS = 3 * 60_000 // 8
export const BOT_CONSECUTIVE_MAX = 20 // 8
export const BOT_CONSECUTIVE_WINDOW_MS = 60 * 60_000 // 8

/** Messages that one bot has in one conversation, not counting the one to be sent. */
export interface BotHistory {
  now: Date
  /** With the same content, created within `BOT_IDENTICAL_WINDOW_MS` before now. */
  identicalInWindow: number
  /** The oldest of those; null when there is none. */
  oldestIdenticalAt: Date | null
  /** Since the last message of an agent or the contact, created within `BOT_CONSECUTIVE_WINDOW_MS` before now. */
  consecutiveInHour: number
  /** The oldest of those; null when there is none. */
  oldestConsecutiveAt: Date | null
}

/** Section 8's two limits on a bot in a conversation. @throws RateLimited telling when one more message would pass */
export function checkBotLimits(history: BotHistory): void {
  if (history.identicalInWindow >= BOT_IDENTICAL_MAX) {
    throw new RateLimited(
      `a bot may send at most ${BOT_IDENTICAL_MAX} identical messages in a conversation within 3 minutes`,
      secondsUntilPast(history.oldestIdenticalAt, BOT_IDENTICAL_WINDOW_MS, history.now),
    )
  }
  if (history.consecutiveInHour >= BOT_CONSECUTIVE_MAX) {
    throw new RateLimited(
      `a bot may send at most ${BOT_CONSECUTIVE_MAX} consecutive messages in a conversation per hour ` +
        'until an agent or the contact replies',
      secondsUntilPast(history.oldestConsecutiveAt, BOT_CONSECUTIVE_WINDOW_MS, history.now),
    )
  }
}

function secondsUntilPast(oldest: Date | null, windowMs: number, now: Date): number {
  const leftMs = (oldest ?? now).getTime() + windowMs - now.getTime()
  return Math.max(1, Math.ceil(leftMs / 1000))
}
