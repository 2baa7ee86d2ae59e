import type { Sql } from '../../platform/db/database.js'
import { CUBES, MEASURE_CODES, QUARTER_MS } from './measures.js'

const DAY_MS = 86_400_000
/** Maximum per run; the next run prunes the rest. */
const PRUNED_MAX = 50_000

/** Deletes milestones and numbers that are older than reports reach, by whole days, so that all spans end together. */
export async function pruneReports(sql: Sql, now: Date, days: number): Promise<void> {
  const before = Math.floor((now.getTime() - days * DAY_MS) / DAY_MS) * DAY_MS
  await sql.query('delete from milestone where ctid = any(array(select ctid from milestone where at < $1 limit $2))', [
    new Date(before),
    PRUNED_MAX,
  ])
  // By organization, measure, cube and span, as the key is ordered.
  const slots = Object.values(CUBES).flatMap(({ code, spans }) => spans.map((span) => ({ code, span })))
  await sql.query(
    `delete from report_slot s using report_fold f cross join unnest($2::smallint[]) as m(measure)
       cross join unnest($3::smallint[], $4::smallint[]) as p(cube, span)
     where s.org1 = f.org1 and s.measure = m.measure and s.cube = p.cube and s.span = p.span and s.quarter < $1`,
    [before / QUARTER_MS, MEASURE_CODES, slots.map(({ code }) => code), slots.map(({ span }) => span)],
  )
}
