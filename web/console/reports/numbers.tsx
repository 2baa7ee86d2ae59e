import { useMemo, useState } from 'preact/hooks'
import {
  ReportCsvDocument,
  ReportDocument,
  type ReportDimension,
  type ReportFilter,
  type ReportMetric,
} from '../../shared/graphql/reports.js'
import { Section } from '../admin/section.js'
import { useQuery } from '../admin/use-query.js'
import { useOffice } from '../office.js'
import { ColumnsChart } from './columns-chart.js'
import { isTime, nameOf, took, type Line } from './format.js'
import { LinesTable } from './lines-table.js'
import { RowsBehind } from './rows-behind.js'
import { spanOf, type SpanName } from './span.js'
import { words } from './words.js'

const TILES: ReportMetric[] = [
  'CREATED',
  'ACCEPTED',
  'ABANDONED',
  'CLOSED',
  'WAIT_TIME',
  'FIRST_RESPONSE_TIME',
  'HANDLE_TIME',
]
/** Times of which the sum matters. */
const SUMMED: ReadonlySet<ReportMetric> = new Set([
  ...(['AVAILABLE_TIME', 'BUSY_TIME', 'AWAY_TIME', 'NOT_RESPONDING_TIME'] as const),
])
const TIMES: ReadonlySet<ReportMetric> = new Set([
  ...(['WAIT_TIME', 'FIRST_RESPONSE_TIME', 'RESPONSE_TIME', 'HANDLE_TIME', 'RESOLUTION_TIME'] as const),
  'OFFER_ANSWER_TIME',
  ...SUMMED,
])
const BY: ReportDimension[] = ['DAY', 'HOUR', 'WEEK', 'CHANNEL', 'USER', 'TOUCHPOINT', 'CATEGORY', 'ORGANIZATION']
const SHORT: ReadonlySet<SpanName> = new Set(['today', 'yesterday', 'days7', 'days28'])

/** Numbers over a time: totals, one metric line by line, and the conversations behind each. */
export function Numbers() {
  const office = useOffice()
  const [metric, setMetric] = useState<ReportMetric>('ACCEPTED')
  const [spanName, setSpan] = useState<SpanName>('days7')
  const [chosen, setBy] = useState<ReportDimension>('DAY')
  const [opened, open] = useState<Line | null>(null)
  const by: ReportDimension = chosen === 'HOUR' && !SHORT.has(spanName) ? 'DAY' : chosen
  const timezone = office.me.value?.settings.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const day = new Date(office.now.value).toDateString()
  const span = useMemo(() => spanOf(spanName, timezone, Date.now()), [spanName, timezone, day])
  const totals = useQuery(ReportDocument, { metrics: TILES, ...span, timezone })
  const answer = useQuery(ReportDocument, { metrics: [metric], by: [by], ...span, timezone })
  const isTimed = TIMES.has(metric)
  const isSummed = SUMMED.has(metric)
  const lines = answer.data?.report.lines ?? []
  const title = words.chart(words.metrics[metric], words.dimensions[by])
  const download = async (): Promise<void> => {
    const { report } = await office.request(ReportCsvDocument, { metrics: [metric], by: [by], ...span, timezone })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([report.csv], { type: 'text/csv' }))
    link.download = `${metric.toLowerCase()}-${by.toLowerCase()}.csv`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 1_000)
  }
  return (
    <Section title={words.title} lead={words.lead(timezone)} answer={answer}>
      <ul class="tiles">
        {(totals.data?.report.totals ?? []).map((value) => (
          <li key={value.metric} class="box tile">
            <span class="mid">{words.metrics[value.metric]}</span>
            <b>{TIMES.has(value.metric) ? took(value.averageMs) : value.count}</b>
            {TIMES.has(value.metric) && (
              <small>
                {words.p90} {took(value.p90Ms)}
              </small>
            )}
          </li>
        ))}
      </ul>
      <form class="line" onSubmit={(event) => event.preventDefault()}>
        <Choice<ReportMetric> label={words.metric} value={metric} of={words.metrics} set={setMetric} />
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
      {isTime(by) && lines.length > 0 && (
        <ColumnsChart
          label={title}
          columns={lines.map((line) => ({
            name: nameOf(line, by, timezone),
            value: isTimed
              ? Math.round(((isSummed ? line.values[0]!.totalMs : line.values[0]!.averageMs) ?? 0) / 1_000)
              : line.values[0]!.count,
          }))}
        />
      )}
      {answer.data && (
        <LinesTable
          {...{ title, by, timezone, isTimed, isSummed, lines, open }}
          total={answer.data.report.totals[0]!}
        />
      )}
      {opened && (
        <RowsBehind
          metric={metric}
          label={nameOf(opened, by, timezone)}
          {...rowsOf(opened, lines, span)}
          close={() => open(null)}
        />
      )}
    </Section>
  )
}

/** The span and the filter whose rows are those that a line counts. */
function rowsOf(line: Line, lines: readonly Line[], span: { from: string; to: string }) {
  const filter: ReportFilter = {
    ...(line.channel && { channels: [line.channel.id] }),
    ...(line.user && { users: [line.user.id] }),
    ...(line.organization && { organizations: [line.organization.id] }),
    ...(line.touchpoint && { touchpoints: [line.touchpoint] }),
    ...(line.category && { categories: [line.category] }),
  }
  if (line.start === null) return { ...span, filter }
  return { from: line.start, to: lines[lines.indexOf(line) + 1]?.start ?? span.to, filter }
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  of: Readonly<Record<Value, string>>
  set(value: Value): void
}

function Choice<Value extends string>({ label, value, of, set }: ChoiceProps<Value>) {
  return (
    <label class="field">
      {label}
      <select class="in" value={value} onChange={(event) => set(event.currentTarget.value as Value)}>
        {(Object.keys(of) as Value[]).map((each) => (
          <option key={each} value={each}>
            {of[each]}
          </option>
        ))}
      </select>
    </label>
  )
}
