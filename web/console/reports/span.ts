export type SpanName = 'today' | 'yesterday' | 'days7' | 'days28' | 'days90'

export interface Span {
  from: string
  to: string
}

const QUARTER_MS = 900_000
const HOUR_MS = 3_600_000
const BACK: Readonly<Record<SpanName, { from: number; to: number }>> = {
  today: { from: 0, to: 1 },
  yesterday: { from: -1, to: 0 },
  days7: { from: -6, to: 1 },
  days28: { from: -27, to: 1 },
  days90: { from: -89, to: 1 },
}

/** Whole days of a time zone, up to and with today. */
export function spanOf(name: SpanName, timezone: string, now: number): Span {
  const { from, to } = BACK[name]
  return { from: beginningOfDay(from, timezone, now), to: beginningOfDay(to, timezone, now) }
}

/** Start of the local date that lies some days from today: its first quarter of an hour. */
function beginningOfDay(days: number, timezone: string, now: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' })
  const [year, month, day] = format.format(now).split('-').map(Number) as [number, number, number]
  const wanted = new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10)
  let at = Date.parse(`${wanted}T00:00:00Z`) - 15 * HOUR_MS
  while (format.format(at) < wanted) at += QUARTER_MS
  return new Date(at).toISOString()
}
