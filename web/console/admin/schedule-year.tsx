import { useState } from 'preact/hooks'
import { ScheduleYearDocument } from '../../generated/hours.js'
import { formatLocale } from '../../shared/i18n/format.js'
import { useQuery } from './use-query.js'
import { words } from './words.js'

/** A year of a schedule as it is saved: a table for each month, which says of each day when it is open. */
export function ScheduleYear({ id }: { id: string }) {
  const [year, setYear] = useState(() => new Date().getFullYear())
  const { data } = useQuery(ScheduleYearDocument, { id, year })
  const own = words.hours
  const days = data?.schedule?.days ?? []
  const monthName = new Intl.DateTimeFormat(formatLocale(), { month: 'long', timeZone: 'UTC' })
  const months = Array.from({ length: 12 }, (_, index) => {
    const prefix = `${year}-${String(index + 1).padStart(2, '0')}`
    return { name: monthName.format(Date.UTC(year, index)), days: days.filter(({ date }) => date.startsWith(prefix)) }
  })
  return (
    <details class="field">
      <summary>{own.year(year)}</summary>
      <p>
        <button type="button" class="btn" onClick={() => setYear(year - 1)}>
          {year - 1}
        </button>{' '}
        <button type="button" class="btn" onClick={() => setYear(year + 1)}>
          {year + 1}
        </button>
      </p>
      <div class="year">
        {months.map((month) => (
          <table key={month.name}>
            <caption>{month.name}</caption>
            <tbody>
              {month.days.map(({ date, spans, isException, name }) => (
                <tr key={date} class={spans.length === 0 ? 'mute' : undefined}>
                  <th scope="row">{shortDay(date)}</th>
                  <td>
                    {spans.length === 0
                      ? own.closed
                      : spans.map(({ opens, closes }) => `${opens}–${closes}`).join(', ')}
                    {isException && <strong> {name ?? own.exception}</strong>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    </details>
  )
}

function shortDay(date: string): string {
  const options = { weekday: 'short', day: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(formatLocale(), options).format(new Date(`${date}T00:00Z`))
}
