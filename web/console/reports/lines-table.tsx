import type { ReportDimension } from '../../generated/reports.js'
import { Bar } from './columns-chart.js'
import { isTime, keyOf, nameOf, took, type Line, type Value } from './format.js'
import { textOf, weightOf, type Shown } from './metric.js'
import { words } from './words.js'

/** No filter asks for what has no agent or no category. */
const canOpen = ({ start, channel, user, organization, touchpoint, category }: Line): boolean =>
  [start, channel, user, organization, touchpoint, category].some((value) => value !== null)

interface LinesTableProps {
  title: string
  by: ReportDimension
  timezone: string
  shown: Shown
  lines: readonly Line[]
  total: Value
  open(line: Line): void
}

/** The numbers line by line; each count leads to what it counts. */
export function LinesTable({ title, by, timezone, shown, lines, total, open }: LinesTableProps) {
  if (total.count === 0 && total.share === null) return <p class="mid">{words.nothing}</p>
  const isTimed = shown === 'average' || shown === 'sum'
  const most = shown === 'share' ? 1 : Math.max(...lines.map(({ values }) => weightOf(values[0]!, shown)))
  return (
    <section class="box tablebox" tabIndex={0} aria-label={title}>
      <table class="table">
        <caption class="vh">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{words.heads[by]}</th>
            <th scope="col" class="num">
              {words.count}
            </th>
            {isTimed && (
              <>
                <th scope="col" class="num">
                  {shown === 'sum' ? words.sum : words.average}
                </th>
                <th scope="col" class="num">
                  {words.p90}
                </th>
              </>
            )}
            {(shown === 'share' || shown === 'ratio') && (
              <th scope="col" class="num">
                {shown === 'share' ? words.share : words.average}
              </th>
            )}
            {!isTime(by) && (
              <th scope="col" class="wide-cell" aria-hidden="true">
                {shown !== 'share' && words.share}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => {
            const name = nameOf(line, by, timezone)
            const value = line.values[0]!
            return (
              <tr key={keyOf(line)}>
                <th scope="row">
                  <bdi>{name}</bdi>
                </th>
                <td class="num">
                  {value.count === 0 || !canOpen(line) ? (
                    value.count
                  ) : (
                    <button
                      class="link"
                      aria-label={`${value.count}. ${words.rows.show(name)}`}
                      onClick={() => open(line)}
                    >
                      {value.count}
                    </button>
                  )}
                </td>
                {isTimed && (
                  <>
                    <td class="num">{textOf(value, shown)}</td>
                    <td class="num">{took(value.p90Ms)}</td>
                  </>
                )}
                {(shown === 'share' || shown === 'ratio') && <td class="num">{textOf(value, shown)}</td>}
                {!isTime(by) && (
                  <td class="wide-cell share" aria-hidden="true">
                    <Bar value={weightOf(value, shown)} most={most} />
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" title={by === 'CHANNEL' ? words.totalHelp : undefined}>
              {words.total}
            </th>
            <td class="num">{total.count}</td>
            {isTimed && (
              <>
                <td class="num">{textOf(total, shown)}</td>
                <td class="num">{took(total.p90Ms)}</td>
              </>
            )}
            {(shown === 'share' || shown === 'ratio') && <td class="num">{textOf(total, shown)}</td>}
            {!isTime(by) && <td class="wide-cell" aria-hidden="true" />}
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
