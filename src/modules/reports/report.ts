import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { Unprocessable } from '../../platform/errors.js'
import { msOfClass, type Measure } from './measures.js'
import { isCut, measuresOf, METRICS, type ReportMetric } from './metrics.js'
import { cellsStatement, type ReportCell, type ReportScope } from './report-query.js'
import { parseReport, type ReportArguments, type ReportRequest } from './report-input.js'
import { timezoneOf } from './day-of-organization.js'
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
  share: number | null
  ratio: number | null
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
  reason: Named | null
  bot: Named | null
  proposalKind: string | null
  touchpoint: string | null
  category: string | null
  values: ReportValue[]
}

export interface Report {
  request: ReportRequest
  lines: ReportLine[]
  totals: ReportValue[]
}

/** The parts of a report that are wanted: the rest is not read. */
export interface ReportParts {
  /** True if percentiles are needed. */
  isDetailed: boolean
  hasTotals: boolean
}

/** A report of more lines is no longer read by anyone, and a day of 1,000 agents for a year would be 400,000. */
const LINES_MAX = 20_000
/** So that the classes of durations of long reports are grouped in memory. */
const WORK_MEM = '32MB'

/**
 * Counts a report: from the folded numbers and the milestones that are not folded yet, as of one moment.
 * @throws BadUserInput; Forbidden; Unprocessable for one of too many lines
 */
export async function report(
  ctx: Context,
  given: ReportArguments,
  { isDetailed, hasTotals }: ReportParts,
): Promise<Report> {
  const request = await readRequest(ctx, given)
  const channels = await supervisedChannels(ctx, 'report.read')
  return countReport(ctx, { tenant: ctx.tenant, org1: ctx.caller.path[0], channels }, request, {
    isDetailed,
    hasTotals,
  })
}

export async function readRequest(ctx: Context, given: ReportArguments): Promise<ReportRequest> {
  return parseReport({ ...given, timezone: given.timezone ?? (await timezoneOf(ctx.reads, ctx.caller.path[0])) })
}

/** Counts what a caller was found to be allowed to see. @throws Unprocessable for too many lines */
export function countReport(
  ctx: Context,
  scope: ReportScope,
  request: ReportRequest,
  { isDetailed, hasTotals }: ReportParts,
): Promise<Report> {
  const now = ctx.now()
  return ctx.reports.snapshot(async (sql) => {
    await sql.query(`select set_config('work_mem', '${WORK_MEM}', true)`)
    const beginnings = await beginningsOf(sql, request.unit, request, request.timezone)
    const cells = await readCells(sql, scope, request, { beginnings, by: request.by, isDetailed, now })
    const readTotals = (): Promise<ReportCell[]> =>
      readCells(sql, scope, request, { beginnings: [request.from], by: [], isDetailed, now })
    const isWhole = request.by.length === 0 && request.unit === null
    const total = isWhole || !hasTotals ? cells : canAdd(request, isDetailed) ? added(cells) : await readTotals()
    const names = await readNames(sql, scope.org1, cells)
    return {
      request,
      lines: linesOf(request, beginnings, cells, names),
      totals: hasTotals ? valuesOf(request.metrics, total) : [],
    }
  })
}

/** Tells whether totals are the sum of the lines: what is in several channels is not, and percentiles have none. */
const canAdd = ({ by }: ReportRequest, isDetailed: boolean): boolean => !by.includes('channel') && !isDetailed

function added(cells: readonly ReportCell[]): ReportCell[] {
  const sums = new Map<number, ReportCell>()
  for (const { measure, count, timed, ms } of cells) {
    const sum = sums.get(measure)
    if (sum) {
      sum.count += count
      sum.timed += timed
      sum.ms += ms
    } else sums.set(measure, { bucket: 0, measure, count, timed, ms })
  }
  return [...sums.values()]
}

interface Wanted {
  beginnings: readonly number[]
  by: ReportRequest['by']
  isDetailed: boolean
  now: Date
}

async function readCells(
  sql: Sql,
  scope: ReportScope,
  { metrics, filter, to }: ReportRequest,
  { beginnings, by, isDetailed, now }: Wanted,
): Promise<ReportCell[]> {
  const measures = measuresOf(metrics)
  const byClass = isDetailed && metrics.some((metric) => METRICS[metric].isTimed)
  const rowsMax = LINES_MAX * measures.length + 1
  const { text, values } = cellsStatement(scope, { beginnings, to, measures, by, filter, byClass, rowsMax, now })
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
      { reason: 'REPORT_TOO_LONG' },
    )
  }
  const subjects = new Map<string, Named>()
  const named = (cell: ReportCell, dimension: keyof Names): Named | null => {
    const id = cell[dimension] ?? null
    if (id === null) return null
    const known = subjects.get(id) ?? { id, name: names[dimension].get(id) ?? null }
    subjects.set(id, known)
    return known
  }
  const starts = beginnings.map(dateOfQuarter)
  const made = [...lines.values()].map(({ cell, own }): ReportLine & { bucket: number } => ({
    bucket: cell.bucket,
    start: unit === null ? null : (starts[cell.bucket] ?? dateOfQuarter(from)),
    channel: named(cell, 'channel'),
    user: named(cell, 'user'),
    organization: named(cell, 'organization'),
    reason: named(cell, 'reason'),
    bot: named(cell, 'bot'),
    proposalKind: cell.proposalKind ?? null,
    touchpoint: cell.touchpoint ?? null,
    category: cell.category ?? null,
    values: valuesOf(metrics, own),
  }))
  // Compared by number: there are far fewer texts than lines.
  const texts = made.map((line) => by.map((dimension) => labelOf(line, dimension) ?? '\uffff').join('\0'))
  const ranks = new Map([...new Set(texts)].toSorted().map((text, rank) => [text, rank]))
  const placed = made.map((line, index) => ({ line, rank: ranks.get(texts[index]!)! }))
  placed.sort((one, other) => one.line.bucket - other.line.bucket || one.rank - other.rank)
  return placed.map(({ line }) => line)
}

/** The words of a line for a dimension. */
export function labelOf(line: ReportLine, dimension: ReportRequest['by'][number]): string | null {
  if (dimension === 'touchpoint' || dimension === 'category' || dimension === 'proposalKind') return line[dimension]
  const named = line[dimension]
  return named && (named.name ?? named.id)
}

/** The figures of metrics in what was counted. */
export function valuesOf(metrics: readonly ReportMetric[], cells: readonly ReportCell[]): ReportValue[] {
  return metrics.map((metric) => {
    const { measure, isTimed, others, goingOn, partOf, per, outOf, scores } = METRICS[metric]
    const cellOf = ({ code }: Measure): ReportCell | undefined => cells.find((each) => each.measure === code)
    const cell = cellOf(measure)
    const decided = others ? [measure, ...others].reduce((sum, each) => sum + (cellOf(each)?.count ?? 0), 0) : 0
    const { count = 0, timed = 0 } = cell ?? {}
    const countOf = (each: Measure): number => cellOf(each)?.count ?? 0
    const whole = outOf ? countOf(outOf) : decided
    const points = scores?.reduce((sum, [each, score]) => sum + countOf(each) * score, 0) ?? 0
    const more = goingOn && cellOf(goingOn)
    const ms = (cell?.ms ?? 0) + (more?.ms ?? 0)
    // Of what is cut into slots only the sum is known.
    const isPieces = isCut(METRICS[metric])
    const msOf = (of: number | null | undefined): number | null => (of && !isPieces ? Math.round(msOfClass(of)) : null)
    const timeOf = (measures: readonly Measure[]): number =>
      measures.reduce((sum, each) => sum + (cellOf(each)?.ms ?? 0), 0)
    const quotient = (whole: number): number | null => (whole > 0 ? ms / whole : null)
    return {
      metric,
      count: isTimed ? timed : count,
      totalMs: timed > 0 || more ? ms : null,
      averageMs: timed > 0 && !partOf && !per ? Math.round(ms / timed) : null,
      p50Ms: msOf(cell?.p50),
      p90Ms: msOf(cell?.p90),
      p95Ms: msOf(cell?.p95),
      share: partOf ? quotient(timeOf(partOf)) : whole > 0 ? count / whole : null,
      ratio: per ? quotient(timeOf([per])) : scores && count > 0 ? points / count : null,
    }
  })
}
