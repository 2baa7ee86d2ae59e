/** Open points, delivery: retried with exponential backoff up to 24 hours. */
export const RETRY_WINDOW_MS = 24 * 3_600_000
const FIRST_DELAY_MS = 1_000
export const DELAY_MS_MAX = 3_600_000

/**
 * Milliseconds until the next try: 1 s, doubled with each failure up to an hour, a quarter more or less by chance, so
 * that what failed together does not come back together.
 * @param failures so far, at least 1
 * @param random from 0 to 1
 */
export function retryDelayMs(failures: number, random: number = Math.random()): number {
  return scattered(FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 30), random)
}

/**
 * Milliseconds until an endpoint that keeps failing is tried again: as long as it has failed so far, from a second to an
 * hour, a quarter more or less. By the time and not by the failures: many deliveries fail at once where one is down.
 */
export function probeDelayMs(failingForMs: number, random: number = Math.random()): number {
  return scattered(Math.max(FIRST_DELAY_MS, failingForMs), random)
}

function scattered(delayMs: number, random: number): number {
  return Math.round(Math.min(DELAY_MS_MAX, delayMs) * (0.75 + random / 2))
}

/**
 * What a receiver asks for by `Retry-After`, seconds or a date, in milliseconds; at most an hour, so that no receiver
 * holds its deliveries back for good. Null when it asks for nothing that can be read.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  const text = header.trim()
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? null : Math.min(DELAY_MS_MAX, Math.max(0, ms))
}
