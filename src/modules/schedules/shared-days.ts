import { dateOf, dayOf, type ScheduleException } from './compiled-schedule.js'

/**
 * Joins a schedule's own exceptions and the days of its calendars into exceptions that do not overlap, in order: of two
 * for the same day the own one counts, then that of the calendar named first.
 */
export function joinDays(
  own: readonly ScheduleException[],
  calendars: readonly (readonly ScheduleException[])[],
): ScheduleException[] {
  const joined = [...own]
  for (const days of calendars) {
    const taken = joined
      .map(({ firstDay, lastDay }) => ({ from: dayOf(firstDay), to: dayOf(lastDay) }))
      .toSorted((one, other) => one.from - other.from)
    for (const exception of days) joined.push(...withoutTaken(exception, taken))
  }
  return joined.toSorted((one, other) => (one.firstDay < other.firstDay ? -1 : 1))
}

/** The parts of an exception on days that nothing else has. @param taken in order, without overlaps */
function withoutTaken(
  exception: ScheduleException,
  taken: readonly { from: number; to: number }[],
): ScheduleException[] {
  const parts: ScheduleException[] = []
  let from = dayOf(exception.firstDay)
  const last = dayOf(exception.lastDay)
  const add = (to: number): void => {
    if (from <= to) parts.push({ ...exception, firstDay: dateOf(from), lastDay: dateOf(to) })
  }
  for (const other of taken) {
    if (other.to < from) continue
    if (other.from > last) break
    add(other.from - 1)
    from = other.to + 1
  }
  add(last)
  return parts
}
