import { QUARTER_MS } from './measures.js'
import { METRICS } from './metrics.js'
import type { ReportRequest } from './report-input.js'
import { labelOf, type Report, type ReportLine, type ReportValue } from './report.js'

/** The report as CSV (RFC 4180): a header, then its lines; durations in seconds. */
export function reportCsv({ request, lines, totals }: Report): string {
  const { by, metrics, unit } = request
  const header = [
    ...(unit === null ? [] : [unit]),
    ...by.flatMap((dimension) => (hasId(dimension) ? [dimension, `${dimension}Id`] : [dimension])),
    ...metrics.flatMap((metric) =>
      METRICS[metric].isTimed
        ? [metric, ...['average', 'p50', 'p90', 'p95'].map((what) => `${metric} ${what} seconds`)]
        : METRICS[metric].others
          ? [metric, `${metric} share`]
          : [metric],
    ),
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

const hasId = (dimension: string): dimension is 'channel' | 'user' | 'organization' =>
  dimension === 'channel' || dimension === 'user' || dimension === 'organization'

function cellsOf({ metric, count, averageMs, p50Ms, p90Ms, p95Ms, share }: ReportValue): unknown[] {
  if (METRICS[metric].others) return [count, share]
  if (!METRICS[metric].isTimed) return [count]
  return [count, ...[averageMs, p50Ms, p90Ms, p95Ms].map((ms) => (ms === null ? null : ms / 1_000))]
}

/** A spreadsheet takes a text that begins with one of these for a formula. */
const FORMULA = /^[=+\-@\t\r]/

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value as string) ? `'${value as string}` : (value as string)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const HOUR_MS = 3_600_000

/** `2026-03-01`, or `2026-03-01 14:00`, in the time zone of the report. */
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
  const isExact = (at: Date): boolean => withTime || at.getTime() === from * QUARTER_MS
  return (at) => format.format(at.getTime() + (isExact(at) ? 0 : 2 * HOUR_MS))
}
