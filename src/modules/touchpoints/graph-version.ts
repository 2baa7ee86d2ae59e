/** The version of Meta's Graph API that this server speaks. */
export const GRAPH_VERSION = 'v25.0'

/** Versions work for at least two years from their release, this one's on 2026-02-18; calls to older ones change their meaning. */
const ENDS = new Date('2028-02-18T00:00:00Z')
const WARN_MS = 90 * 24 * 3_600_000

/** Returns what an administrator is to know of the version's end, from 90 days before it; null until then. */
export function graphVersionEnd(now: Date): string | null {
  if (ENDS.getTime() - now.getTime() > WARN_MS) return null
  return `version ${GRAPH_VERSION} of the Graph API may end on ${ENDS.toISOString().slice(0, 10)}: update the server before`
}
