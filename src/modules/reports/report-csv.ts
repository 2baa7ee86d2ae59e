import { QUARTER_MS } from './measures.js'
import { METRICS, type ReportMetric } from './metrics.js'
import type { ReportRequest } from './report-input.js'
import { labelOf, type Report, type ReportLine, type ReportValue } from './report.js'

/** The report as CSV (RFC 4180): a header, then its lines; durations in seconds. */
export function reportCsv({ request, lines, totals }: Report): string {
  const { by, metrics, unit } = request
  const header = [
    ...(unit === null ? [] : [unit]),
    ...by.flatMap((dimension) => (hasId(dimension) ? [dimension, `${dimension}Id`] : [dimension])),
    ...metrics.flatMap(namesOf),
  ]
  const isWhole = unit === null && by.length === 0
  const time = localTime(unit === 'hour', request)
  const rowOf = (line: ReportLine): unknown[] => [
    ...(line.start === null ? [] : [time(line.start)]),
    ...by.flatMap((dimension) => {
      const label = labelOf(line, dimension)
      return hasId(dimension) ? [label, line[dimension]?.id] : [label]
    }),
    ...line.values.flatMap(cellsOf),
  ]
  const rows = isWhole ? [totals.flatMap(cellsOf)] : lines.map(rowOf)
  return [header, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}

const hasId = (dimension: ReportRequest['by'][number]): dimension is Exclude<typeof dimension, Plain> =>
  dimension !== 'touchpoint' && dimension !== 'category' && dimension !== 'proposalKind'

/** Dimensions whose values are their own words. */
type Plain = 'touchpoint' | 'category' | 'proposalKind'

/** The columns of a metric; {@link cellsOf} has their values. */
function namesOf(metric: ReportMetric): string[] {
  const { isTimed, others, partOf, per } = METRICS[metric]
  if (partOf) return [`${metric} seconds`, `${metric} share`]
  if (per) return [metric]
  if (others) return [metric, `${metric} share`]
  if (!isTimed) return [metric]
  return [metric, ...['average', 'p50', 'p90', 'p95'].map((what) => `${metric} ${what} seconds`)]
}

function cellsOf({ metric, count, totalMs, averageMs, p50Ms, p90Ms, p95Ms, share, ratio }: ReportValue): unknown[] {
  const { isTimed, others, partOf, per } = METRICS[metric]
  if (partOf) return [totalMs === null ? null : totalMs / 1_000, share]
  if (per) return [ratio]
  if (others) return [count, share]
  if (!isTimed) return [count]
  return [count, ...[averageMs, p50Ms, p90Ms, p95Ms].map((ms) => (ms === null ? null : ms / 1_000))]
}

/**
 * The place before a sign with which a formula begins, also in its wide, small and raised forms. Which character separates
 * cells is the choice of whoever opens the file: any sign, or a space, behind which a lone dash between words begins none.
 * Spaces, quotes and characters that are not seen may stand between.
 */
const FORMULA =
  /(?=[=＝﹦⁼₌+＋﹢⁺₊\-－﹣⁻₋−@＠﹫])(?:(?<=(?:^|[\p{P}\p{S}\p{Zl}\p{Zp}\p{C}])[\p{Zs}\p{Cf}"']*)|(?<=\p{Zs})(?=.\P{Zs}))/gu
const LEADING_BREAK = /^[\t\r\n]/
const QUOTED = /[",;\t\r\n\v\f\u0085\u2028\u2029]/

/** Writes a value as a cell that no spreadsheet takes for a formula. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = (value as string).replaceAll(FORMULA, "'").replace(LEADING_BREAK, "'$&")
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const HOUR_MS = 3_600_000

/** `2026-03-01`, or `2026-03-01 14:00`, in the time zone of the report; an hour that the zone repeats with its offset. */
function localTime(
  withTime: boolean,
  { timezone, from }: Pick<ReportRequest, 'timezone' | 'from'>,
): (at: Date) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    ...(withTime && { timeStyle: 'short' }),
  })
  // Two hours into a day, it is that day also where this runtime and the database know different changes of a zone. The
  // first line may begin late in its day.
  const isExact = (at: Date): boolean => at.getTime() === from * QUARTER_MS
  const withOffset = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, timeZoneName: 'longOffset' })
  const offsetOf = (at: Date): string =>
    withOffset
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')!
      .value.replace('GMT', 'UTC')
  return (at) => {
    const ms = at.getTime()
    if (!withTime) return format.format(ms + (isExact(at) ? 0 : 2 * HOUR_MS))
    const text = format.format(ms)
    const isRepeated = [ms - HOUR_MS, ms + HOUR_MS].some((other) => format.format(other) === text)
    return isRepeated ? `${text} ${offsetOf(at)}` : text
  }
}
