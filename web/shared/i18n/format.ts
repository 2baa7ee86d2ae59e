import { locale, t } from './messages.js'

const formats = new Map<string, Intl.DateTimeFormat>()

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale()} ${JSON.stringify(options)}`
  let made = formats.get(key)
  if (!made) formats.set(key, (made = new Intl.DateTimeFormat(formatLocale(), options)))
  return made
}

/** The locale of numbers and dates: English ones are British, with the day before the month. */
export function formatLocale(): string {
  return locale() === 'en' ? 'en-GB' : locale()
}

/** `14:05`, in the browser's zone. */
export function timeOfDay(at: string | number): string {
  return format({ hour: '2-digit', minute: '2-digit' }).format(new Date(at))
}

/** The day of a thread's divider: today, yesterday, else in full. */
export function dayName(at: string, now: number): string {
  const day = dayKey(at)
  if (day === dayKey(now)) return t().thread.today
  if (day === dayKey(now - 86_400_000)) return t().thread.yesterday
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return format({ weekday: 'long', day: 'numeric', month: 'long', ...(!isThisYear && { year: 'numeric' }) }).format(
    new Date(at),
  )
}

export function dayKey(at: string | number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`
}

/** A clock's time today, a date before. */
export function shortTime(at: string, now: number): string {
  if (dayKey(at) === dayKey(now)) return timeOfDay(at)
  return format({ day: 'numeric', month: 'short' }).format(new Date(at))
}

/** Time of something to come: `17:00` today, `Thu 08:00` within a week, else with its date. */
export function dayTime(at: string | number, now: number): string {
  const date = new Date(at)
  if (dayKey(at) === dayKey(now)) return timeOfDay(at)
  const isNear = Math.abs(date.getTime() - now) < 6 * 86_400_000
  const day = format(isNear ? { weekday: 'short' } : { day: 'numeric', month: 'short' }).format(date)
  return `${day} ${timeOfDay(at)}`
}

/** A waiting time in the largest unit that fits. */
export function duration(ms: number): string {
  const words = t().duration
  const minutes = Math.floor(Math.max(0, ms) / 60_000)
  if (minutes < 1) return words.now
  if (minutes < 60) return words.minutes(minutes)
  if (minutes < 48 * 60) return words.hours(Math.floor(minutes / 60))
  return words.days(Math.floor(minutes / 1_440))
}

export function fileSize(bytes: number): string {
  const [value, unit] =
    bytes < 1_000_000 ? [Math.max(1, Math.round(bytes / 1_000)), 'kB'] : [Math.round(bytes / 100_000) / 10, 'MB']
  return `${value} ${unit}`
}
