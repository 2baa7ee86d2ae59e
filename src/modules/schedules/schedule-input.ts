import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { isAbsent, parseFields, parseList, parseText } from '../../platform/input.js'
import { CompiledSchedule, dayOf, dateOf, type ScheduleException, type ScheduleHours } from './compiled-schedule.js'
import {
  DAY_MINUTES,
  DAYS,
  minutesOf,
  parseOpeningHours,
  parseTimes,
  type DayTimes,
  type OpeningHours,
} from './opening-hours.js'

const EXCEPTIONS_MAX = 400
const SPANS_OF_DAY_MAX = 10
/** Bound of the spans of all exceptions together: each is compiled with every year of the schedule. */
const EXCEPTION_SPANS_MAX = 1_000
const NAME_CHARS_MAX = 100
/** A schedule must open within this time. */
const OPENS_WITHIN_DAYS = 366
const DAY_MS = 86_400_000
const DATE = /^(?:19[7-9]\d|20\d\d)-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/

/** Weekly periods, none of which overlap. @throws BadUserInput naming the field: `spans[1]` */
export function parseSpans(value: unknown, field: string): OpeningHours[] {
  const spans = parseOpeningHours(value, field)
  const week = spans.flatMap((span, index) => {
    const { from, to } = minutesOf(span)
    return span.days.map((day) => {
      const begin = DAYS.indexOf(day) * DAY_MINUTES
      return { field: `${field}[${index}]`, shown: `${day} ${shown(span)}`, from: begin + from, to: begin + to }
    })
  })
  refuseOverlap(week, DAYS.length * DAY_MINUTES)
  return spans
}

/** @throws BadUserInput naming the field: `exceptions[1].firstDay` */
export function parseExceptions(value: unknown, field: string): ScheduleException[] {
  if (isAbsent(value)) return []
  const exceptions = parseList(value, field, EXCEPTIONS_MAX).map((item, index) =>
    parseException(item, `${field}[${index}]`),
  )
  const periods = exceptions.reduce((sum, { spans }) => sum + spans.length, 0)
  if (periods > EXCEPTION_SPANS_MAX) {
    throw new BadUserInput(field, `${field} have ${periods} spans together; at most ${EXCEPTION_SPANS_MAX} are allowed`)
  }
  const days = exceptions.map(({ firstDay, lastDay }, index) => ({
    field: `${field}[${index}]`,
    shown: firstDay === lastDay ? firstDay : `${firstDay} to ${lastDay}`,
    from: dayOf(firstDay),
    to: dayOf(lastDay) + 1,
  }))
  refuseOverlap(days, null)
  return exceptions.toSorted((one, other) => (one.firstDay < other.firstDay ? -1 : 1))
}

function parseException(item: unknown, at: string): ScheduleException {
  const value = typeof item === 'object' && item !== null ? { ...item } : item
  const given = parseFields(value, at, ['firstDay', 'lastDay', 'name', 'spans'])
  const firstDay = parseDate(given.firstDay, `${at}.firstDay`)
  const lastDay = isAbsent(given.lastDay) ? firstDay : parseDate(given.lastDay, `${at}.lastDay`)
  if (lastDay < firstDay) {
    throw new BadUserInput(`${at}.lastDay`, `${at}.lastDay ${lastDay} is before firstDay ${firstDay}`)
  }
  const name = isAbsent(given.name) ? null : parseText(given.name, `${at}.name`, { max: NAME_CHARS_MAX }).trim() || null
  const spans = isAbsent(given.spans) ? [] : parseList(given.spans, `${at}.spans`, SPANS_OF_DAY_MAX)
  const parsed = spans.map((span, index): DayTimes => {
    const field = `${at}.spans[${index}]`
    return parseTimes(parseFields({ ...(span as object) }, field, ['opens', 'closes']), field)
  })
  const periods = parsed.map((span, index) => ({
    field: `${at}.spans[${index}]`,
    shown: shown(span),
    ...minutesOf(span),
  }))
  // A period of several days may run into the next one of them.
  refuseOverlap(periods, firstDay < lastDay ? DAY_MINUTES : null)
  return { firstDay, lastDay, name, spans: parsed }
}

/** @throws BadUserInput for anything but a day of the years 1970 to 2099 */
function parseDate(value: unknown, field: string): string {
  const date = parseText(value, field)
  if (DATE.test(date) && dateOf(dayOf(date)) === date) return date
  throw new BadUserInput(field, `${field} must be a date such as 2026-12-25, not ${quoteValue(date)}`)
}

/** Refuses hours that never open, or not for more than a year. @throws BadUserInput naming `spans` */
export function requireOpenMinute(hours: ScheduleHours, now: Date): void {
  const due = new CompiledSchedule(hours).dueAfter(now.getTime(), 60_000)
  if (due !== null && due <= now.getTime() + OPENS_WITHIN_DAYS * DAY_MS) return
  const from = now.toISOString().slice(0, 10)
  throw new BadUserInput(
    'spans',
    `spans and exceptions leave no open minute in the ${OPENS_WITHIN_DAYS} days from ${from}: ` +
      quoteValue(JSON.stringify(hours.spans).slice(0, 200)),
  )
}

interface Stretch {
  field: string
  shown: string
  from: number
  to: number
}

/** @param cycle after which the stretches repeat, such as a week; null if they do not */
function refuseOverlap(stretches: readonly Stretch[], cycle: number | null): void {
  const sorted = stretches.toSorted((one, other) => one.from - other.from)
  const [first] = sorted
  if (first && cycle !== null) sorted.push({ ...first, from: first.from + cycle, to: first.to + cycle })
  for (const [index, next] of sorted.entries()) {
    const earlier = sorted[index - 1]
    if (!earlier || next.from >= earlier.to) continue
    throw new BadUserInput(next.field, `${next.field} ${quoteValue(next.shown)} overlaps ${quoteValue(earlier.shown)}`)
  }
}

const shown = ({ opens, closes }: DayTimes): string => `${opens}-${closes}`
