import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { TextArray } from '../../platform/db/text-array.js'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { rowLoader } from '../../platform/lists/rows.js'
import { IfVersion } from '../../platform/lists/record-version.js'
import type { ScheduleException } from './compiled-schedule.js'
import { OpeningHours, type DayTimes } from './opening-hours.js'

const NAME = 'Not blank, at most 200 characters.'
const TIMEZONE = 'IANA time zone of the hours.'
const SPANS = 'Weekly periods, at most 50, none of which overlap.'
const EXCEPTIONS = 'Days with other hours, at most 400, none of which overlap.'
const CALENDARS =
  'Calendars of holidays of its organization, or one above or below it, at most 10. Its own exceptions come first, then the calendars in this order.'
const TEXT = 'Text that consumers are told outside these hours, at most 1000 characters.'

@InputType('DayTimesInput', { description: 'A period of a day.' })
@ObjectType('DayTimes', { simpleResolvers: true, description: 'A period of a day, in the time zone of its schedule.' })
export class DayTimesType implements DayTimes {
  @Field(() => String, { description: 'Time of day, such as `09:00`.' })
  opens!: string

  @Field(() => String, { description: '`17:30`, up to `24:00`. A time not after `opens` is on the next day.' })
  closes!: string
}

@InputType('ScheduleExceptionInput', { description: 'Days with other hours than those of the week.' })
export class ScheduleExceptionInput {
  @Field(() => String, { description: 'Calendar day, such as `2026-12-25`.' })
  firstDay!: string

  @Field(() => String, { nullable: true, description: 'Date, included; by default `firstDay`.' })
  lastDay?: string | null

  @Field(() => String, { nullable: true, description: 'Such as the name of a holiday; at most 100 characters.' })
  name?: string | null

  @Field(() => [DayTimesType], {
    nullable: true,
    description: 'Hours of each of the days, at most 10; closed without.',
  })
  spans?: DayTimes[] | null
}

@ObjectType('ScheduleException', {
  simpleResolvers: true,
  description: 'Days with other hours than those of the week.',
})
export class ScheduleExceptionType implements ScheduleException {
  @Field(() => String, { description: 'Calendar day, such as `2026-12-25`.' })
  firstDay!: string

  @Field(() => String, { description: 'Date, included.' })
  lastDay!: string

  @Field(() => String, { nullable: true, description: 'Such as the name of a holiday.' })
  name!: string | null

  @Field(() => [DayTimesType], { description: 'Hours of each of the days; closed if empty.' })
  spans!: DayTimes[]
}

@ObjectType({ simpleResolvers: true, description: 'A day of a schedule.' })
export class ScheduleDay {
  @Field(() => String, { description: 'Calendar day, such as `2026-12-25`.' })
  date!: string

  @Field(() => [DayTimesType], { description: 'Periods that begin on this day, in order; closed if empty.' })
  spans!: DayTimes[]

  @Field(() => Boolean, { description: 'Whether an exception determines the hours.' })
  isException!: boolean

  @Field(() => String, { nullable: true, description: 'Name of the exception.' })
  name!: string | null
}

@Entity({ tableName: 'schedule' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'Hours in which an organization works, which clocks of conversations count.',
})
export class Schedule extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String, { description: NAME })
  name!: string

  @Field(() => Int, {
    simple: true,
    description: 'Counts its changes, from 1; running clocks keep the hours of theirs.',
  })
  declare version: number

  @Property({ type: 'text' })
  @Field(() => String, { description: TIMEZONE })
  timezone!: string

  @Property({ type: 'json' })
  @Field(() => [OpeningHours], { description: SPANS })
  spans!: OpeningHours[]

  @Property({ type: 'json' })
  @Field(() => [ScheduleExceptionType], { description: EXCEPTIONS })
  exceptions!: ScheduleException[]

  @Property({ type: TextArray })
  @Field(() => [ID], { description: CALENDARS })
  calendarIds!: string[]

  /** The exceptions and the days of the calendars, as they apply: joined when either changes. */
  @Property({ type: 'json' })
  specialDays!: ScheduleException[]

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: TEXT })
  text!: string | null
}

@InputType()
export abstract class ScheduleFieldsInput {
  @Field(() => String, { nullable: true, description: NAME })
  name?: string | null

  @Field(() => String, { nullable: true, description: TIMEZONE })
  timezone?: string | null

  @Field(() => [OpeningHours], { nullable: true, description: `Replaces all. ${SPANS}` })
  spans?: OpeningHours[] | null

  @Field(() => [ScheduleExceptionInput], { nullable: true, description: `Replaces all. ${EXCEPTIONS}` })
  exceptions?: ScheduleExceptionInput[] | null

  @Field(() => [ID], { nullable: true, description: `Replaces all. ${CALENDARS}` })
  calendars?: string[] | null

  @Field(() => String, { nullable: true, description: TEXT })
  text?: string | null
}

@InputType({ description: 'Only the given keys change.' })
export class UpdateScheduleInput extends ScheduleFieldsInput {
  @IfVersion() ifVersion?: number | null
}

@InputType({ description: 'A new schedule. It must open within 366 days.' })
export class CreateScheduleInput extends ScheduleFieldsInput {
  @Field(() => String, { description: NAME })
  declare name: string

  @Field(() => String, { description: TIMEZONE })
  declare timezone: string

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}

export const scheduleLoader = rowLoader<Schedule>('schedule')
