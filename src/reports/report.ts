import type { Context } from '../context.js'
import type { Sql } from '../db/database.js'
import { Unprocessable } from '../errors.js'
import { msOfClass } from './measures.js'
import { METRICS, type ReportMetric } from './metrics.js'
import { cellsStatement, type ReportCell, type ReportScope } from './report-query.js'
import { parseReport, type ReportArguments, type ReportRequest } from './report-input.js'
import { readNames, type Names } from './report-names.js'
import { supervisedChannels } from './report-scope.js'
import { beginningsOf, dateOfQuarter } from './time-buckets.js'

export interface ReportValue {
  metric: ReportMetric
  count: number
  totalMs: number | null
  averageMs: number | null
  p50Ms: number | null
  p90Ms: number | null
  p95Ms: number | null
}

export interface Named {
  id: string
  name: string | null
}

export interface ReportLine {
  start: Date | null
  channel: Named | null
  user: Named | null
  organization: Named | null
  touchpoint: string | null
  category: string | null
  values: ReportValue[]
}

export interface Report {
  request: ReportRequest
  lines: ReportLine[]
  totals: ReportValue[]
}

/** A report of more lines is no longer read by anyone, and a day of 1,000 agents for a year would be 400,000. */
const LINES_MAX = 20_000
/** So that the classes of durations of long reports are grouped in memory. */
const WORK_MEM = '32MB'

/**
 * Counts a report: from the folded numbers and the milestones that are not folded yet, as of one moment.
 * @param isDetailed whether percentiles are needed
 * @throws BadUserInput; Forbidden; Unprocessable for one of too many lines
 */
export async function report(ctx: Context, given: ReportArguments, isDetailed: boolean): Promise<Report> {
  const request = parseReport(given)
  const channels = await supervisedChannels(ctx, 'report.read')
  const scope: ReportScope = { tenant: ctx.tenant, org1: ctx.caller.path[0], channels }
  return ctx.reports.snapshot(async (sql) => {
    await sql.query(`select set_config('work_mem', '${WORK_MEM}', true)`)
    const beginnings = await beginningsOf(sql, request.unit, request, request.timezone)
    const cells = await readCells(sql, scope, request, { beginnings, by: request.by, isDetailed })
    const hasLines = request.by.length > 0 || request.unit !== null
    const whole = { beginnings: [request.from], by: [], isDetailed }
    const total = hasLines ? await readCells(sql, scope, request, whole) : cells
    const names = await readNames(sql, scope.org1, cells)
    return { request, lines: linesOf(request, beginnings, cells, names), totals: valuesOf(request.metrics, total) }
  })
}

interface Wanted {
  beginnings: readonly number[]
  by: ReportRequest['by']
  isDetailed: boolean
}

async function readCells(
  sql: Sql,
  scope: ReportScope,
  { metrics, filter, to }: ReportRequest,
  { beginnings, by, isDetailed }: Wanted,
): Promise<ReportCell[]> {
  const measures = [...new Set(metrics.map((metric) => METRICS[metric].measure.code))]
  const byClass = isDetailed && metrics.some((metric) => METRICS[metric].isTimed)
  const rowsMax = LINES_MAX * measures.length + 1
  const { text, values } = cellsStatement(scope, { beginnings, to, measures, by, filter, byClass, rowsMax })
  return sql.query<ReportCell>(text, values)
}

function linesOf(
  { metrics, unit, by, from }: ReportRequest,
  beginnings: readonly number[],
  cells: readonly ReportCell[],
  names: Names,
): ReportLine[] {
  const lines = new Map<string, { cell: ReportCell; own: ReportCell[] }>()
  // A chart over time has no holes.
  if (unit !== null && by.length === 0) {
    for (const bucket of beginnings.keys())
      lines.set(`${bucket}`, { cell: { bucket, measure: 0, count: 0, timed: 0, ms: 0 }, own: [] })
  }
  for (const cell of cells) {
    let key = `${cell.bucket}`
    for (const dimension of by) key += cell[dimension] == null ? '\0\0' : `\0${cell[dimension]}`
    const line = lines.get(key)
    if (line) line.own.push(cell)
    else lines.set(key, { cell, own: [cell] })
  }
  if (lines.size > LINES_MAX) {
    throw new Unprocessable(
      `the report has more than ${LINES_MAX} lines: ask for a shorter span, a longer unit of time or fewer dimensions`,
      { reason: 'reportTooLong' },
    )
  }
  const named = (cell: ReportCell, dimension: 'channel' | 'user' | 'organization'): Named | null => {
    const id = cell[dimension] ?? null
    return id === null ? null : { id, name: names[dimension].get(id) ?? null }
  }
  const starts = beginnings.map(dateOfQuarter)
  const made = [...lines.values()].map(({ cell, own }): ReportLine & { bucket: number } => ({
    bucket: cell.bucket,
    start: unit === null ? null : (starts[cell.bucket] ?? dateOfQuarter(from)),
    channel: named(cell, 'channel'),
    user: named(cell, 'user'),
    organization: named(cell, 'organization'),
    touchpoint: cell.touchpoint ?? null,
    category: cell.category ?? null,
    values: valuesOf(metrics, own),
  }))
  const text = (line: ReportLine): string => by.map((dimension) => labelOf(line, dimension) ?? '\uffff').join('\0')
  const texts = new Map(made.map((line) => [line, text(line)]))
  return made.sort((one, other) => one.bucket - other.bucket || (texts.get(one)! < texts.get(other)! ? -1 : 1))
}

/** The words of a line for a dimension. */
export function labelOf(line: ReportLine, dimension: ReportRequest['by'][number]): string | null {
  if (dimension === 'touchpoint' || dimension === 'category') return line[dimension]
  const named = line[dimension]
  return named && (named.name ?? named.id)
}

function valuesOf(metrics: readonly ReportMetric[], cells: readonly ReportCell[]): ReportValue[] {
  return metrics.map((metric) => {
    const { measure, isTimed } = METRICS[metric]
    const cell = cells.find((each) => each.measure === measure.code)
    const { count = 0, timed = 0, ms = 0 } = cell ?? {}
    const msOf = (of: number | null | undefined): number | null => (of ? Math.round(msOfClass(of)) : null)
    return {
      metric,
      count: isTimed ? timed : count,
      totalMs: timed > 0 ? ms : null,
      averageMs: timed > 0 ? Math.round(ms / timed) : null,
      p50Ms: msOf(cell?.p50),
      p90Ms: msOf(cell?.p90),
      p95Ms: msOf(cell?.p95),
    }
  })
}
