import { useMemo, useState } from 'preact/hooks'
import {
  ReportCsvDocument,
  ReportDocument,
  type ReportDimension,
  type ReportFilter,
  type ReportMetric,
  type ReportQuery,
} from '../../generated/reports.js'
import { Section } from '../admin/section.js'
import { useQuery } from '../admin/use-query.js'
import { useStore } from '../store/console-store.js'
import { Choice } from './choice.js'
import { ColumnsChart } from './columns-chart.js'
import { isTime, nameOf, type Line } from './format.js'
import { LinesTable } from './lines-table.js'
import { metricName, metricNames, shownOf, textOf, weightOf } from './metric.js'
import { RowsBehind } from './rows-behind.js'
import { spanOf, type SpanName } from './span.js'
import { Tiles } from './tiles.js'
import { useReportTime } from './use-report-time.js'
import { words } from './words.js'

const TILES: ReportMetric[] = [
  'CREATED',
  'ACCEPTED',
  'ABANDONED',
  'CLOSED',
  'SERVICE_LEVEL',
  'WAIT_TIME',
  'FIRST_RESPONSE_TIME',
  'HANDLE_TIME',
  'FIRST_RESPONSE_SLA_MET',
  'RESOLUTION_SLA_MET',
]
const BY: ReportDimension[] = [
  'DAY',
  'HOUR',
  'WEEK',
  'CHANNEL',
  'USER',
  'REASON',
  'BOT',
  'PROPOSAL_KIND',
  'TOUCHPOINT',
  'CATEGORY',
  'ORGANIZATION',
]
const SHORT: ReadonlySet<SpanName> = new Set(['today', 'yesterday', 'days7', 'days28'])

/** Numbers over a time: totals, one metric line by line, and the conversations behind each. */
export function Numbers() {
  const store = useStore()
  const [metric, setMetric] = useState<ReportMetric>('ACCEPTED')
  const [spanName, setSpan] = useState<SpanName>('days7')
  const [chosen, setBy] = useState<ReportDimension>('DAY')
  const by: ReportDimension = chosen === 'HOUR' && !SHORT.has(spanName) ? 'DAY' : chosen
  const { timezone, now, day } = useReportTime()
  const span = useMemo(() => spanOf(spanName, timezone, now()), [spanName, timezone, day])
  const totals = useQuery(ReportDocument, { metrics: TILES, ...span, timezone })
  const asked: Omit<ResultProps, 'report'> = { metrics: [metric], by: [by], ...span, timezone }
  const answer = useQuery(ReportDocument, asked)
  const download = async (): Promise<void> => {
    const { report } = await store.request(ReportCsvDocument, { metrics: [metric], by: [by], ...span, timezone })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([report.csv], { type: 'text/csv' }))
    link.download = `${metric.toLowerCase()}-${by.toLowerCase()}.csv`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 1_000)
  }
  return (
    <Section title={words.title} lead={words.lead(timezone)} answer={answer}>
      <Tiles values={totals.data?.report.totals ?? []} />
      <form class="line" onSubmit={(event) => event.preventDefault()}>
        <Choice<ReportMetric> label={words.metric} value={metric} of={metricNames()} set={setMetric} />
        <Choice<SpanName> label={words.span} value={spanName} of={words.spans} set={setSpan} />
        <Choice<ReportDimension>
          label={words.by}
          value={by}
          of={Object.fromEntries(BY.map((each) => [each, words.heads[each]])) as Record<ReportDimension, string>}
          set={setBy}
        />
        <button type="button" class="btn push" onClick={() => void download()}>
          {words.csv}
        </button>
      </form>
      {answer.data && answer.of && (
        <Result key={JSON.stringify(answer.of)} report={answer.data.report} {...answer.of} />
      )}
    </Section>
  )
}

interface ResultProps {
  report: ReportQuery['report']
  /** The choices that were asked for: they may be others by now. */
  metrics: [ReportMetric]
  by: [ReportDimension]
  from: string
  to: string
  timezone: string
}

/** One answer: its drawing, its table, and the rows behind a number that is chosen. */
function Result({ report, metrics: [metric], by: [by], from, to, timezone }: ResultProps) {
  const [opened, open] = useState<Line | null>(null)
  const { lines, totals } = report
  const shown = shownOf(metric)
  const title = words.chart(metricName(metric), words.dimensions[by])
  return (
    <>
      {isTime(by) && lines.length > 0 && (
        <ColumnsChart
          label={title}
          most={shown === 'share' ? 1 : 0}
          columns={lines.map((line) => ({
            name: nameOf(line, by, timezone),
            value: weightOf(line.values[0]!, shown),
            text: textOf(line.values[0]!, shown),
          }))}
        />
      )}
      <LinesTable {...{ title, by, timezone, shown, lines, open }} total={totals[0]!} />
      {opened && (
        <RowsBehind
          metric={metric}
          label={nameOf(opened, by, timezone)}
          {...rowsOf(opened, lines, { from, to })}
          close={() => open(null)}
        />
      )}
    </>
  )
}

/** The span and the filter whose rows are those that a line counts. */
function rowsOf(line: Line, lines: readonly Line[], span: { from: string; to: string }) {
  const filter: ReportFilter = {
    ...(line.channel && { channels: [line.channel.id] }),
    ...(line.user && { users: [line.user.id] }),
    ...(line.reason && { reasons: [line.reason.id] }),
    ...(line.organization && { organizations: [line.organization.id] }),
    ...(line.touchpoint && { touchpoints: [line.touchpoint] }),
    ...(line.category && { categories: [line.category] }),
  }
  if (line.start === null) return { ...span, filter }
  return { from: line.start, to: lines[lines.indexOf(line) + 1]?.start ?? span.to, filter }
}
