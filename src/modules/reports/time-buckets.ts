import { LRUCache } from 'lru-cache'
import type { Sql } from '../../platform/db/database.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { QUARTER_MS } from './measures.js'

export type TimeUnit = 'hour' | 'day' | 'week' | 'month'

/** Quarters of an hour since 1970; the end is excluded. */
export interface Quarters {
  from: number
  to: number
}

/** A range of slots of one span, or of milestones, which a bucket consists of. */
export interface SlotRange {
  bucket: number
  /** Quarters of an hour; 0: shorter than the shortest slot, to be read from the milestones. */
  span: number
  from: number
  to: number
}

const INVALID_PARAMETER = '22023'
const known = new LRUCache<string, readonly number[]>({ max: 200 })

/**
 * Returns where the hours, days, weeks (from Monday) or months of a time zone begin, in quarters since 1970; the first is
 * the beginning of the span. An hour that a zone repeats is two; a day is as long as the zone makes it.
 * @throws BadUserInput for a zone that the database does not know
 */
export async function beginningsOf(
  sql: Sql,
  unit: TimeUnit | null,
  { from, to }: Quarters,
  timezone: string,
): Promise<readonly number[]> {
  if (unit === null) return [from]
  const key = `${unit} ${from} ${to} ${timezone}`
  const found = known.get(key)
  if (found) return found
  const beginnings = await readBeginnings(sql, unit, { from, to }, timezone)
  known.set(key, beginnings)
  return beginnings
}

async function readBeginnings(sql: Sql, unit: TimeUnit, span: Quarters, timezone: string): Promise<number[]> {
  try {
    const rows = await sql.query<{ quarter: number }>(BEGINNINGS, [unit, span.from, span.to - 1, timezone])
    return rows.map(({ quarter }) => quarter)
  } catch (error) {
    if ((error as { code?: unknown }).code !== INVALID_PARAMETER) throw error
    throw new BadUserInput('timezone', `timezone ${quoteValue(timezone)} is not a time zone that the database knows`)
  }
}

/** Each quarter whose local hour, day, week or month is another than that of the quarter before it; of a repeated hour, each. */
const BEGINNINGS = `
select quarter from (
  select quarter, local, shift, lag(local) over (order by quarter) as earlier, lag(shift) over (order by quarter) as shifted from (
    select quarter, date_trunc($1, at at time zone $4) as local,
      case when $1 = 'hour' then (at at time zone $4) - (at at time zone 'UTC') end as shift
    from generate_series($2::int, $3::int) as quarter, to_timestamp(quarter::float8 * 900) as at) located) compared
where local is distinct from earlier or shift is distinct from shifted order by quarter`

/** Returns the slots of each bucket, with as few and as long ones as possible. @param spans the longest first */
export function slotRanges(beginnings: readonly number[], to: number, spans: readonly number[]): SlotRange[] {
  return beginnings.flatMap((from, bucket) => {
    const end = beginnings[bucket + 1] ?? to
    return rangesOf({ from, to: end }, spans).map((range) => ({ bucket, ...range }))
  })
}

/** Whole slots of the longest span in the middle, shorter ones at both ends. */
function rangesOf({ from, to }: Quarters, [span, ...shorter]: readonly number[]): Omit<SlotRange, 'bucket'>[] {
  if (from >= to) return []
  if (span === undefined) return [{ span: 0, from, to }]
  const [first, last] = [Math.ceil(from / span) * span, Math.floor(to / span) * span]
  if (first >= last) return rangesOf({ from, to }, shorter)
  return [
    ...rangesOf({ from, to: first }, shorter),
    { span, from: first, to: last },
    ...rangesOf({ from: last, to }, shorter),
  ]
}

export const dateOfQuarter = (quarter: number): Date => new Date(quarter * QUARTER_MS)
