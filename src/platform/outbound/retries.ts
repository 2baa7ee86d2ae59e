/** Open points, delivery: retried with exponential backoff up to 24 hours. */
export const RETRY_WINDOW_MS = 24 * 3_600_000
const FIRST_DELAY_MS = 1_000
export const DELAY_MS_MAX = 3_600_000

/**
 * Milliseconds until the next attempt: 1 s, doubled with each failure up to an hour, with a jitter of a quarter, so
 * that failures at the same time are not retried at the same time.
 * @param failures so far, at least 1
 * @param random from 0 to 1
 */
export function retryDelayMs(failures: number, random: number = Math.random()): number {
  return scattered(FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 30), random)
}

/**
 * Milliseconds until a failing endpoint is tried again: as long as it has been failing, from a second to an hour, with
 * a jitter of a quarter. Depends on the time rather than the number of failures, since many deliveries fail at once
 * when an endpoint is down.
 */
export function probeDelayMs(failingForMs: number, random: number = Math.random()): number {
  return scattered(Math.max(FIRST_DELAY_MS, failingForMs), random)
}

function scattered(delayMs: number, random: number): number {
  return Math.round(Math.min(DELAY_MS_MAX, delayMs) * (0.75 + random / 2))
}

/**
 * Parses a receiver's `Retry-After`, seconds or a date, to milliseconds; at most an hour, so that no receiver delays
 * its deliveries forever. Null when absent or malformed.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  const text = header.trim()
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? null : Math.min(DELAY_MS_MAX, Math.max(0, ms))
}
