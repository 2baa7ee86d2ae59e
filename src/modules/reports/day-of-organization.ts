import type { Sql } from '../../platform/db/database.js'
import { QUARTER_MS } from './measures.js'
import { beginningsOf, type Quarters } from './time-buckets.js'

/** The zone of the days of a contact center's reports and wallboards. */
export async function timezoneOf(sql: Sql, tenant: string): Promise<string> {
  const text = 'select timezone from organization where id = $1'
  const [found] = await sql.query<{ timezone: string | null }>(text, [tenant], 'timezone-of-organization')
  return found?.timezone ?? 'UTC'
}

const HOUR_QUARTERS = 4
/** The longest day of a zone has 25 hours. */
const DAY_QUARTERS = 25 * HOUR_QUARTERS

/** The day of the organization's zone in which an instant is, as reports know it, up to the end of the present hour. */
export async function todayOf(sql: Sql, tenant: string, now: Date): Promise<Quarters> {
  const hours = Math.floor(now.getTime() / QUARTER_MS / HOUR_QUARTERS) + 1
  const to = hours * HOUR_QUARTERS
  const quarter = Math.floor(now.getTime() / QUARTER_MS)
  const beginnings = await beginningsOf(
    sql,
    'day',
    { from: to - DAY_QUARTERS - HOUR_QUARTERS, to: quarter + 1 },
    await timezoneOf(sql, tenant),
  )
  return { from: beginnings.at(-1)!, to }
}
