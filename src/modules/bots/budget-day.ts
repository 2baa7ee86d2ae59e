/**
 * The days of budgets are those of UTC: the same on every node and for every organization that a bot serves, always of 24 hours, and
 * not to be begun again by changing a setting, as those of an organization's time zone would be.
 */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

/** Returns the begin of the day after that of `now`. */
export function nextDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
}
