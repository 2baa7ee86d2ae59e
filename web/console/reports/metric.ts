import type { ReportMetric } from '../../generated/reports.js'
import { formatLocale } from '../../shared/i18n/format.js'
import { t } from '../../shared/i18n/messages.js'
import { took, type Value } from './format.js'
import { words } from './words.js'

/** The unit of a metric: how many, how long, how long in all, what part of all, or how many at once. */
export type Shown = 'count' | 'average' | 'sum' | 'share' | 'ratio'

export type SlaMetric = Extract<ReportMetric, `${string}_SLA_${string}`>
type Clock = keyof ReturnType<typeof t>['clocks']['kinds']
type Result = keyof typeof words.sla

const SLA = /^(\w+)_SLA_(\w+)$/
/** Times of which the sum matters. */
const SUMMED: ReadonlySet<ReportMetric> = new Set([
  ...(['AVAILABLE_TIME', 'BUSY_TIME', 'AWAY_TIME', 'NOT_RESPONDING_TIME', 'WRAP_UP_TIME'] as const),
])

const isSla = (metric: ReportMetric): metric is SlaMetric => SLA.test(metric)

export function shownOf(metric: ReportMetric): Shown {
  if (SUMMED.has(metric)) return 'sum'
  if (/_(TIME|OVERRUN)$/.test(metric)) return 'average'
  if (metric === 'CONCURRENCY' || metric === 'RATING') return 'ratio'
  return isSla(metric) || metric === 'SERVICE_LEVEL' || metric === 'OCCUPANCY' ? 'share' : 'count'
}

export function metricName(metric: ReportMetric): string {
  if (!isSla(metric)) return words.metrics[metric]
  const [, clock, result] = SLA.exec(metric)!
  return `${t().clocks.kinds[clock as Clock]}: ${words.sla[result as Result]}`
}

/** All metrics by name, as they are offered. */
export function metricNames(): Record<ReportMetric, string> {
  const clocks = Object.keys(t().clocks.kinds) as Clock[]
  const results = Object.keys(words.sla) as Result[]
  const sla = clocks.flatMap((clock) => results.map((result): SlaMetric => `${clock}_SLA_${result}`))
  return {
    ...words.metrics,
    ...(Object.fromEntries(sla.map((metric) => [metric, metricName(metric)])) as Record<SlaMetric, string>),
  }
}

/** The number that a column or bar is as long as. */
export function weightOf({ count, averageMs, totalMs, share, ratio }: Value, shown: Shown): number {
  if (shown === 'sum') return totalMs ?? 0
  if (shown === 'average') return averageMs ?? 0
  if (shown === 'ratio') return ratio ?? 0
  return shown === 'share' ? (share ?? 0) : count
}

export function textOf(value: Value, shown: Shown): string {
  if (shown === 'count') return String(value.count)
  if (shown === 'share') return percent(value.share)
  if (shown === 'ratio')
    return value.ratio === null ? '–' : value.ratio.toLocaleString(formatLocale(), { maximumFractionDigits: 1 })
  return took(shown === 'sum' ? value.totalMs : value.averageMs)
}

/** Such as 80 %; a dash without anything to be a part of. */
export function percent(share: number | null): string {
  if (share === null) return '–'
  return share.toLocaleString(formatLocale(), { style: 'percent', maximumFractionDigits: 1 })
}
