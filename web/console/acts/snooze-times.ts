export type SnoozeChoice = 'hour' | 'afternoon' | 'tomorrow' | 'nextWeek'

const MORNING = 8
const AFTERNOON = 17
const HOUR_MS = 3_600_000

/** Returns the ends of the choices of snoozing, in the browser's zone, without those that are over by now. */
export function snoozeTimes(now: number): [choice: SnoozeChoice, at: Date][] {
  const at = (days: number, hour: number): Date => {
    const date = new Date(now)
    date.setDate(date.getDate() + days)
    date.setHours(hour, 0, 0, 0)
    return date
  }
  const toMonday = (8 - new Date(now).getDay()) % 7 || 7
  const all: [SnoozeChoice, Date][] = [
    ['hour', new Date(now + HOUR_MS)],
    ['afternoon', at(0, AFTERNOON)],
    ['tomorrow', at(1, MORNING)],
    ['nextWeek', at(toMonday, MORNING)],
  ]
  return all.filter(([choice, date]) => choice !== 'afternoon' || date.getTime() > now + HOUR_MS)
}

/** As a field of a date and a time has it. */
export function localMinute(at: number): string {
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
