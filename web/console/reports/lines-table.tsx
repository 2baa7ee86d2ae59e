import type { ReportDimension } from '../../shared/graphql/reports.js'
import { Bar } from './columns-chart.js'
import { isTime, keyOf, nameOf, took, type Line, type Value } from './format.js'
import { words } from './words.js'

interface LinesTableProps {
  title: string
  by: ReportDimension
  timezone: string
  isTimed: boolean
  /** Whether the sum of the times matters, not the average. */
  isSummed: boolean
  lines: readonly Line[]
  total: Value
  open(line: Line): void
}

/** The numbers line by line; each count leads to what it counts. */
export function LinesTable({ title, by, timezone, isTimed, isSummed, lines, total, open }: LinesTableProps) {
  if (total.count === 0) return <p class="mid">{words.nothing}</p>
  const weightOf = ({ count, averageMs, totalMs }: Value): number =>
    isSummed ? (totalMs ?? 0) : isTimed ? (averageMs ?? 0) : count
  const most = Math.max(...lines.map(({ values }) => weightOf(values[0]!)))
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
                  {isSummed ? words.sum : words.average}
                </th>
                <th scope="col" class="num">
                  {words.p90}
                </th>
              </>
            )}
            {!isTime(by) && (
              <th scope="col" class="wide-cell" aria-hidden="true">
                {words.share}
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
                  {value.count === 0 ? (
                    0
                  ) : (
                    <button
                      class="btn ghost small"
                      aria-label={`${value.count}. ${words.rows.show(name)}`}
                      onClick={() => open(line)}
                    >
                      {value.count}
                    </button>
                  )}
                </td>
                {isTimed && (
                  <>
                    <td class="num">{took(isSummed ? value.totalMs : value.averageMs)}</td>
                    <td class="num">{took(value.p90Ms)}</td>
                  </>
                )}
                {!isTime(by) && (
                  <td class="wide-cell share" aria-hidden="true">
                    <Bar value={weightOf(value)} most={most} />
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
                <td class="num">{took(isSummed ? total.totalMs : total.averageMs)}</td>
                <td class="num">{took(total.p90Ms)}</td>
              </>
            )}
            {!isTime(by) && <td class="wide-cell" aria-hidden="true" />}
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
