import type { ReportDimension, ReportQuery } from '../../generated/reports.js'
import { formatLocale } from '../../shared/i18n/format.js'
import { words } from './words.js'

export type Line = ReportQuery['report']['lines'][number]
export type Value = Line['values'][number]

const TIME: ReadonlySet<ReportDimension> = new Set(['HOUR', 'DAY', 'WEEK', 'MONTH'])
export const isTime = (by: ReportDimension): boolean => TIME.has(by)

/** `2:05 min`, `1:02 h`: what a person reads at a glance. */
export function took(ms: number | null): string {
  if (ms === null) return '–'
  const seconds = Math.round(ms / 1_000)
  const two = (value: number): string => String(value).padStart(2, '0')
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)} min`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)}:${two(minutes % 60)} h`
  return words.days(number(minutes / 1_440))
}

function number(value: number): string {
  return value.toLocaleString(formatLocale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}

const HOUR_MS = 3_600_000

/** Name of a line; an hour that the zone repeats has its offset. */
export function nameOf(line: Line, by: ReportDimension, timeZone: string): string {
  if (line.start !== null) {
    const options: Intl.DateTimeFormatOptions =
      by === 'HOUR'
        ? { hour: '2-digit', minute: '2-digit', day: 'numeric', month: 'short' }
        : by === 'MONTH'
          ? { month: 'long', year: 'numeric' }
          : { weekday: 'short', day: 'numeric', month: 'short' }
    // Two hours into a day it is that day also where the browser knows other changes of the zone than the server.
    const at = Date.parse(line.start) + (by === 'HOUR' ? 0 : 2 * HOUR_MS)
    const format = new Intl.DateTimeFormat(formatLocale(), { ...options, timeZone })
    const text = format.format(at)
    const isRepeated = by === 'HOUR' && [at - HOUR_MS, at + HOUR_MS].some((other) => format.format(other) === text)
    if (!isRepeated) return text
    return new Intl.DateTimeFormat(formatLocale(), { ...options, timeZone, timeZoneName: 'shortOffset' }).format(at)
  }
  if (by === 'TOUCHPOINT') return line.touchpoint ? words.touchpoints[line.touchpoint] : words.none
  if (by === 'CATEGORY') return line.category ?? words.none
  if (by === 'PROPOSAL_KIND') return line.proposalKind ? words.proposalKinds[line.proposalKind] : words.none
  const { channel, user, reason, bot, organization } = line
  const subjects: Partial<Record<ReportDimension, typeof user>> = {
    CHANNEL: channel,
    USER: user,
    REASON: reason,
    BOT: bot,
    ORGANIZATION: organization,
  }
  const subject = subjects[by]
  return subject ? (subject.name ?? words.deleted) : words.none
}

/** The key by which a line is told from others. */
export function keyOf(line: Line): string {
  return [
    line.start,
    line.channel?.id,
    line.user?.id,
    line.organization?.id,
    line.reason?.id,
    line.bot?.id,
    line.proposalKind,
    line.touchpoint,
    line.category,
  ].join(' ')
}
