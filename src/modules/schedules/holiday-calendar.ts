import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { Node } from '../../platform/lists/node.js'
import { IfVersion } from '../../platform/lists/record-version.js'
import { rowLoader } from '../../platform/lists/rows.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import type { ScheduleException } from './compiled-schedule.js'
import { ScheduleExceptionInput, ScheduleExceptionType } from './schedule.js'

const NAME = 'Not blank, at most 200 characters.'
const DAYS = 'Days with other hours, in the time zone of each schedule; at most 400, none of which overlap.'

@Entity({ tableName: 'holiday_calendar' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'Holidays that several schedules share.',
})
export class HolidayCalendar extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String, { description: NAME })
  name!: string

  @Property({ type: 'json' })
  @Field(() => [ScheduleExceptionType], { description: DAYS })
  days!: ScheduleException[]
}

@InputType()
export abstract class HolidayCalendarFieldsInput {
  @Field(() => String, { nullable: true, description: NAME })
  name?: string | null

  @Field(() => [ScheduleExceptionInput], { nullable: true, description: `Replaces all. ${DAYS}` })
  days?: ScheduleExceptionInput[] | null
}

@InputType({ description: 'Only the given keys change.' })
export class UpdateHolidayCalendarInput extends HolidayCalendarFieldsInput {
  @IfVersion() ifVersion?: number | null
}

@InputType({ description: 'A new calendar of holidays.' })
export class CreateHolidayCalendarInput extends HolidayCalendarFieldsInput {
  @Field(() => String, { description: NAME })
  declare name: string

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}

export const holidayCalendarLoader = rowLoader<HolidayCalendar>('holiday_calendar')
