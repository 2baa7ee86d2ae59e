import { Field, InputType, ObjectType, registerEnumType } from 'type-graphql'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { isAbsent, parseFields, parseList, parseOneOf, parseText } from '../../platform/input.js'

/** Days as named in rules (4.6, `dayOfWeek`). */
export const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export type Day = (typeof DAYS)[number]

const DayEnum = Object.fromEntries(DAYS.map((day) => [day.toUpperCase(), day]))
const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
registerEnumType(DayEnum, {
  name: 'DayOfWeek',
  description: 'A day of the week, as named in rules (4.6, `dayOfWeek`).',
  valuesConfig: Object.fromEntries(DAYS.map((day, index) => [day.toUpperCase(), { description: `${NAMES[index]}.` }])),
})

@InputType('OpeningHoursInput', { description: 'A weekly period in which a location or a schedule is open.' })
@ObjectType('OpeningHours', {
  simpleResolvers: true,
  description: 'A weekly period in which a location or a schedule is open, in its own time zone.',
})
export class OpeningHours {
  @Field(() => [DayEnum], { description: 'Days on which the period begins; at least one.' })
  days!: Day[]

  @Field(() => String, { description: 'Time of day, such as `09:00`.' })
  opens!: string

  @Field(() => String, { description: '`17:30`, up to `24:00`. A time not after `opens` is on the next day.' })
  closes!: string
}

const SPANS_MAX = 50
const OPENS = /^(?:[01]\d|2[0-3]):[0-5]\d$/
const CLOSES = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/

/** @throws BadUserInput naming the field: `openingHours[0].opens` */
export function parseOpeningHours(value: unknown, field: string): OpeningHours[] {
  if (isAbsent(value)) return []
  return parseList(value, field, SPANS_MAX).map((span, index) => {
    const at = `${field}[${index}]`
    const given = parseFields(span instanceof OpeningHours ? { ...span } : span, at, ['days', 'opens', 'closes'])
    return {
      days: parseDays(given.days, `${at}.days`),
      ...parseTimes(given, at),
    }
  })
}

/** A period of a day: `09:00` to `17:30`. One that closes at or before the time at which it opens ends on the next day. */
export interface DayTimes {
  opens: string
  closes: string
}

/** @throws BadUserInput naming `opens` or `closes` of the field */
export function parseTimes({ opens, closes }: Partial<Record<keyof DayTimes, unknown>>, at: string): DayTimes {
  return { opens: parseTime(opens, `${at}.opens`, OPENS), closes: parseTime(closes, `${at}.closes`, CLOSES) }
}

/** Returns the minutes from midnight at which a period begins and ends; the end may be on the next day. */
export function minutesOf({ opens, closes }: DayTimes): { from: number; to: number } {
  const [from, to] = [minuteOf(opens), minuteOf(closes)]
  return { from, to: to > from ? to : to + DAY_MINUTES }
}

export const DAY_MINUTES = 1_440

/** Returns the time of day of an end or a beginning as in {@link minutesOf}. */
export function timeOf(minutes: number): string {
  const minute = minutes > DAY_MINUTES ? minutes - DAY_MINUTES : minutes
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Removes duplicates and sorts by the order of the week. */
function parseDays(value: unknown, at: string): Day[] {
  const given = parseList(value, at, DAYS.length).map((day, index) => parseOneOf(day, `${at}[${index}]`, DAYS))
  if (given.length === 0) throw new BadUserInput(at, `${at} must name at least one day`)
  return DAYS.filter((day) => given.includes(day))
}

function parseTime(value: unknown, at: string, form: RegExp): string {
  const time = parseText(value, at)
  if (form.test(time)) return time
  throw new BadUserInput(at, `${at} must be a time of day such as 09:00, not ${quoteValue(time)}`)
}
