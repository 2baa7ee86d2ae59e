import type { Sql } from '../../../platform/db/database.js'

/** An accept that took a conversation from queues: when, and which. */
export interface Accept {
  at: number
  channels: readonly string[]
}

const RECENT_MS = 2 * 3_600_000
/** Older ones say little of the pace now. */
const GAPS_MAX = 50
const GAPS_MIN = 5
const ROUNDED_TO_SECONDS = 30

/**
 * Reads the recent accepts from these channels of a contact center, the latest first: of each channel as many as
 * its pace depends on, so that a busy one does not hide a quiet one. The last of several channels together are among them.
 */
export async function readAccepts(
  sql: Sql,
  { tenant, channels, now }: { tenant: string; channels: readonly string[]; now: Date },
): Promise<Accept[]> {
  const since = new Date(now.getTime() - RECENT_MS)
  const rows = await sql.query<{ at: Date; channels: string[] }>(ACCEPTS, [tenant, since, channels], 'recent-accepts')
  return rows.map(({ at, channels: each }) => ({ at: at.getTime(), channels: each }))
}

/** By the index of milestones by kind: the accepts of a busy channel are found among the latest of all. */
const ACCEPTS = `
select distinct a.at, a.conversation_id, a.nth, a.channels
from unnest($3::uuid[]) as c(id) cross join lateral (
  select m.at, m.conversation_id, m.nth, m.channels from milestone m
  where m.org1 = $1 and m.kind = 'accepted' and m.at > $2 and m.ms is not null and m.channels @> array[c.id]
  order by m.at desc limit ${GAPS_MAX + 1}) a
order by a.at desc`

/**
 * Returns the median time between accepts from any of these channels, in milliseconds; null if there are too few. A
 * median, so that a break does not count.
 * @param accepts the latest first
 */
export function medianGap(accepts: readonly Accept[], channels: ReadonlySet<string>): number | null {
  const gaps: number[] = []
  let later: number | null = null
  for (const accept of accepts) {
    if (!accept.channels.some((channel) => channels.has(channel))) continue
    if (later !== null) gaps.push(later - accept.at)
    later = accept.at
    if (gaps.length === GAPS_MAX) break
  }
  if (gaps.length < GAPS_MIN) return null
  gaps.sort((one, other) => one - other)
  const middle = gaps.length >> 1
  return gaps.length % 2 === 1 ? gaps[middle]! : (gaps[middle - 1]! + gaps[middle]!) / 2
}

/** In seconds, rounded up: a wait that is shown must not change with every accept. */
export function expectedWait(gapMs: number, position: number): number {
  return Math.max(1, Math.ceil((gapMs * position) / 1_000 / ROUNDED_TO_SECONDS)) * ROUNDED_TO_SECONDS
}
