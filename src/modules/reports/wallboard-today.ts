import type { Sql } from '../../platform/db/database.js'
import { todayOf } from './day-of-organization.js'
import { measuresOf, type ReportMetric } from './metrics.js'
import { cellsStatement, type ReportCell } from './report-query.js'
import { valuesOf, type ReportValue } from './report.js'
import { dateOfQuarter } from './time-buckets.js'

/** The metrics that a wallboard counts since midnight. */
export const TODAY_METRICS = ['handled', 'abandoned', 'serviceLevel'] as const satisfies ReportMetric[]

/** Counts of today, by the channels for which they count. */
export interface Today {
  since: string
  groups: { channels: string[]; cells: Pick<ReportCell, 'measure' | 'count'>[] }[]
}

/** More groups than the channels of any wallboard make in a day. */
const ROWS_MAX = 100_000
const MEASURES = measuresOf(TODAY_METRICS)

/** Reads the numbers of the present day of a contact center, by the statement of its reports. */
export async function readToday(sql: Sql, tenant: string, now: Date): Promise<Today> {
  const { from, to } = await todayOf(sql, tenant, now)
  const scope = { tenant: { path: [tenant] as const }, org1: tenant, channels: null }
  const { text, values } = cellsStatement(scope, {
    ...{ beginnings: [from], to, measures: MEASURES, by: ['channels'], filter: {} },
    ...{ byClass: false, rowsMax: ROWS_MAX, now },
  })
  const rows = await sql.query<ReportCell & { channels: string[] }>(text, values, 'wallboard-today')
  const groups = Map.groupBy(rows, ({ channels }) => channels.join())
  return {
    since: dateOfQuarter(from).toISOString(),
    groups: [...groups.values()].map((cells) => ({
      channels: cells[0]!.channels,
      cells: cells.map(({ measure, count }) => ({ measure, count })),
    })),
  }
}

/** The figures of what counts for the channels that fit. */
export function todayIn(today: Today, fits: (channels: readonly string[]) => boolean) {
  const cells = today.groups
    .filter(({ channels }) => fits(channels))
    .flatMap((group) => group.cells.map((cell) => ({ ...cell, bucket: 0, timed: 0, ms: 0 })))
  const sums = [...Map.groupBy(cells, ({ measure }) => measure).values()].map((alike): ReportCell => {
    return { ...alike[0]!, count: alike.reduce((sum, { count }) => sum + count, 0) }
  })
  const [handled, abandoned, serviceLevel] = valuesOf(TODAY_METRICS, sums) as [ReportValue, ReportValue, ReportValue]
  return { handledToday: handled.count, abandonedToday: abandoned.count, serviceLevelToday: serviceLevel.share }
}
