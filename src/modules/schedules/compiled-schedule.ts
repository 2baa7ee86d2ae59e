import { DAY_MINUTES, DAYS, minutesOf, type DayTimes, type OpeningHours } from './opening-hours.js'
import { offsetsIn } from './zone-offsets.js'

/** Days on which other hours apply than those of the week: none if `spans` is empty. */
export interface ScheduleException {
  /** `2026-12-25`. */
  firstDay: string
  /** Included. */
  lastDay: string
  name: string | null
  spans: DayTimes[]
}

/** The opening hours of a schedule. A period belongs to the day on which it begins, also if it ends on the next one. */
export interface ScheduleHours {
  timezone: string
  spans: readonly OpeningHours[]
  exceptions: readonly ScheduleException[]
}

const MINUTE_MS = 60_000
const DAY_MS = DAY_MINUTES * MINUTE_MS
/** Bound of the years that `dueAfter` looks ahead. */
const YEARS_MAX = 20

/** The open periods of a year in UTC, in order, and how long the schedule was open in the year before each. */
interface OpenYear {
  starts: Float64Array
  ends: Float64Array
  before: Float64Array
  totalMs: number
}

/**
 * The open hours of a schedule as spans of UTC with prefix sums, a year at a time. An instant is open if the local time
 * is: of a period that a change of the clock skips, nothing counts; one that it repeats counts twice. All times are
 * milliseconds since 1970.
 */
export class CompiledSchedule {
  readonly #years = new Map<number, OpenYear>()

  constructor(private readonly hours: ScheduleHours) {}

  /** Returns the time for which it is open from one instant to another, in milliseconds. */
  openMs(from: number, to: number): number {
    if (to <= from) return 0
    const [first, last] = [yearOf(from), yearOf(to)]
    let sum = openBefore(this.#year(last), to) - openBefore(this.#year(first), from)
    for (let year = first; year < last; year++) sum += this.#year(year).totalMs
    return sum
  }

  /** The first instant at which it has been open for so long since another; null if not within 20 years. */
  dueAfter(from: number, ms: number): number | null {
    if (ms <= 0) return from
    const first = yearOf(from)
    let open = this.#year(first)
    let left = ms + openBefore(open, from)
    for (let year = first + 1; left > open.totalMs; year++) {
      if (year > first + YEARS_MAX) return null
      left -= open.totalMs
      open = this.#year(year)
    }
    // The last period before which it was open for less.
    const index = countBelow(open.before, left) - 1
    return open.starts[index]! + left - open.before[index]!
  }

  isOpenAt(at: number): boolean {
    const { starts, ends } = this.#year(yearOf(at))
    const index = countBelow(starts, at, true) - 1
    return index >= 0 && at < ends[index]!
  }

  /** Returns the time at which it opens or closes next; null if not within 20 years. */
  nextChangeAfter(at: number): number | null {
    if (!this.isOpenAt(at)) {
      const due = this.dueAfter(at, 1)
      return due === null ? null : due - 1
    }
    // Periods end with the year, also of a schedule that stays open.
    for (let year = yearOf(at), from = at; year <= yearOf(at) + YEARS_MAX; year++) {
      const { starts, ends } = this.#year(year)
      const end = ends[countBelow(starts, from, true) - 1]
      if (end === undefined) return from
      from = end
      if (end < Date.UTC(year + 1, 0)) return end
    }
    return null
  }

  #year(year: number): OpenYear {
    let open = this.#years.get(year)
    if (!open) {
      open = compileYear(this.hours, year)
      this.#years.set(year, open)
    }
    return open
  }
}

const yearOf = (at: number): number => new Date(at).getUTCFullYear()

function openBefore({ starts, ends, before }: OpenYear, at: number): number {
  const index = countBelow(starts, at) - 1
  return index < 0 ? 0 : before[index]! + Math.min(at, ends[index]!) - starts[index]!
}

/** Number of values below a limit, in an ordered array. @param isIncluded also those equal to it */
function countBelow(values: Float64Array, limit: number, isIncluded = false): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const value = values[middle]!
    if (value < limit || (isIncluded && value === limit)) low = middle + 1
    else high = middle
  }
  return low
}

function compileYear(hours: ScheduleHours, year: number): OpenYear {
  const [begin, end] = [Date.UTC(year, 0), Date.UTC(year + 1, 0)]
  const local = localSpans(hours, begin / DAY_MS - 3, end / DAY_MS + 3)
  const offsets = offsetsIn(hours.timezone, year)
  const spans: [from: number, to: number][] = []
  for (const [index, { from, offset }] of offsets.entries()) {
    const until = offsets[index + 1]?.from ?? end
    for (const [opens, closes] of local) {
      const [start, stop] = [Math.max(opens - offset, from), Math.min(closes - offset, until)]
      if (start >= stop) continue
      const last = spans.at(-1)
      if (last && last[1] === start) last[1] = stop
      else spans.push([start, stop])
    }
  }
  const before = new Float64Array(spans.length)
  let totalMs = 0
  for (const [index, [from, to]] of spans.entries()) {
    before[index] = totalMs
    totalMs += to - from
  }
  return {
    starts: Float64Array.from(spans, ([from]) => from),
    ends: Float64Array.from(spans, ([, to]) => to),
    before,
    totalMs,
  }
}

/** The open periods of some days in local time, as if that were UTC: in order and without overlaps. */
function localSpans(hours: ScheduleHours, firstDay: number, lastDay: number): [from: number, to: number][] {
  const merged: [from: number, to: number][] = []
  for (const { day, spans } of daysOf(hours, firstDay, lastDay)) {
    for (const { from, to } of spans) {
      const [start, end] = [day * DAY_MS + from * MINUTE_MS, day * DAY_MS + to * MINUTE_MS]
      const last = merged.at(-1)
      if (last && start <= last[1]) last[1] = Math.max(last[1], end)
      else merged.push([start, end])
    }
  }
  return merged
}

/** Minutes from midnight. */
interface Period {
  from: number
  to: number
}

/** Lists the periods that begin on each day, in order. Days are counted from 1970. */
export function* daysOf(
  { spans, exceptions }: Pick<ScheduleHours, 'spans' | 'exceptions'>,
  firstDay: number,
  lastDay: number,
): Generator<{ day: number; spans: readonly Period[]; exception: ScheduleException | null }> {
  const inOrder = (periods: readonly DayTimes[]): Period[] => periods.map(minutesOf).toSorted((a, b) => a.from - b.from)
  const week = DAYS.map((day) => inOrder(spans.filter(({ days }) => days.includes(day))))
  const special = exceptions
    .map((exception) => ({ exception, from: dayOf(exception.firstDay), to: dayOf(exception.lastDay) }))
    .toSorted((a, b) => a.from - b.from)
  let next = 0
  for (let day = firstDay; day <= lastDay; day++) {
    while (next < special.length && special[next]!.to < day) next++
    const found = special[next]
    if (found && found.from <= day) yield { day, spans: inOrder(found.exception.spans), exception: found.exception }
    // 1970-01-01 was a Thursday.
    else yield { day, spans: week[(day + 3) % DAYS.length]!, exception: null }
  }
}

/** Days from 1970 to a date such as `2026-12-25`. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS

/** The opposite of {@link dayOf}. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
