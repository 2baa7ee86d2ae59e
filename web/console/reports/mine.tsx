import { useMemo, useState } from 'preact/hooks'
import { MyReportDocument } from '../../generated/reports.js'
import { Section } from '../admin/section.js'
import { useQuery } from '../admin/use-query.js'
import { Choice } from './choice.js'
import { spanOf, type SpanName } from './span.js'
import { Tiles } from './tiles.js'
import { useReportTime } from './use-report-time.js'
import { words } from './words.js'

/** An agent's own numbers over a time. */
export function Mine() {
  const { timezone, now, day } = useReportTime()
  const [spanName, setSpan] = useState<SpanName>('today')
  const span = useMemo(() => spanOf(spanName, timezone, now()), [spanName, timezone, day])
  const answer = useQuery(MyReportDocument, { ...span, timezone })
  return (
    <Section title={words.sections.mine} lead={words.mineLead(timezone)} answer={answer}>
      <form class="line" onSubmit={(event) => event.preventDefault()}>
        <Choice<SpanName> label={words.span} value={spanName} of={words.spans} set={setSpan} />
      </form>
      <Tiles values={answer.data?.myReport.totals ?? []} />
    </Section>
  )
}
