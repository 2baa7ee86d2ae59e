import type { DayOfWeek } from '../../generated/hours.js'

export const DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const satisfies readonly DayOfWeek[]

interface Times {
  opens: string
  closes: string
}
interface Span extends Times {
  days: DayOfWeek[]
}
interface Exception {
  firstDay: string
  lastDay?: string | null
  name?: string | null
  spans?: Times[] | null
}

/** `MON-FRI 09:00-17:30`, a line for each. */
export function spansText(spans: readonly Span[]): string {
  return spans.map(({ days, opens, closes }) => `${daysText(days)} ${opens}-${closes}`).join('\n')
}

function daysText(days: readonly DayOfWeek[]): string {
  const indexes = days.map((day) => DAYS.indexOf(day))
  const isRun = indexes.length > 2 && indexes.every((index, at) => index === indexes[0]! + at)
  return isRun ? `${days[0]}-${days.at(-1)}` : days.join(',')
}

/** The opposite; what is no span is left for the server to refuse. */
export function readSpans(lines: readonly string[]): Span[] {
  return lines.map((line) => {
    const [days = '', times = ''] = line.trim().split(/\s+/)
    return { days: days.toUpperCase().split(',').flatMap(daysOf), ...timesOf(times) }
  })
}

function daysOf(part: string): DayOfWeek[] {
  const [first, last = first] = part.split('-') as DayOfWeek[]
  const [from, to] = [DAYS.indexOf(first!), DAYS.indexOf(last!)]
  return from < 0 || to < from ? [part as DayOfWeek] : DAYS.slice(from, to + 1)
}

function timesOf(text: string): Times {
  const [opens = '', closes = ''] = text.split('-')
  return { opens, closes }
}

/** `2026-12-25..2026-12-26 Christmas`, or `2026-12-31 09:00-12:00 New Year's Eve`. */
export function exceptionsText(exceptions: readonly Exception[]): string {
  return exceptions
    .map(({ firstDay, lastDay, name, spans }) => {
      const days = !lastDay || lastDay === firstDay ? firstDay : `${firstDay}..${lastDay}`
      const times = (spans ?? []).map(({ opens, closes }) => `${opens}-${closes}`)
      return [days, ...times, name].filter(Boolean).join(' ')
    })
    .join('\n')
}

export function readExceptions(lines: readonly string[]): Exception[] {
  return lines.map((line) => {
    const [days = '', ...rest] = line.trim().split(/\s+/)
    const [firstDay = '', lastDay = null] = days.split('..')
    const count = rest.findIndex((word) => !/^\d\d?:\d\d-\d\d?:\d\d$/.test(word))
    const times = count < 0 ? rest : rest.slice(0, count)
    return { firstDay, lastDay, name: rest.slice(times.length).join(' ') || null, spans: times.map(timesOf) }
  })
}
