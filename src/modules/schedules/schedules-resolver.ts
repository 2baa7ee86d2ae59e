import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Extensions,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { parseInteger } from '../../platform/input.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import { CompiledSchedule, dateOf, dayOf, daysOf } from './compiled-schedule.js'
import { HolidayCalendar, holidayCalendarLoader } from './holiday-calendar.js'
import { timeOf } from './opening-hours.js'
import { ScheduleConnection, ScheduleFilter, scheduleList, ScheduleOrder } from './schedule-list.js'
import { createSchedule, deleteSchedule, updateSchedule } from './schedule-writes.js'
import { CreateScheduleInput, Schedule, ScheduleDay, UpdateScheduleInput } from './schedule.js'

/** In units of `Cost`: compiling a year of a schedule takes up to a millisecond. */
const COMPILED = { cost: 20 }
const compiled = new WeakMap<Schedule, CompiledSchedule>()

function compiledOf(schedule: Schedule): CompiledSchedule {
  let hours = compiled.get(schedule)
  if (!hours) compiled.set(schedule, (hours = new CompiledSchedule({ ...schedule, exceptions: schedule.specialDays })))
  return hours
}

@Resolver(() => Schedule)
export class SchedulesResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('schedule.fetch')
  @Query(() => Schedule, { nullable: true, description: 'A schedule of an organization that the caller sees.' })
  schedule(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<Schedule> {
    return fetchRecord(ctx, Schedule, id)
  }

  @Authorized('schedule.list')
  @Query(() => ScheduleConnection, {
    description: "The schedules of the caller's organization and of those below it.",
  })
  schedules(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => ScheduleFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [ScheduleOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<Schedule>> {
    return listPage(ctx, scheduleList, { args, filter, orderBy })
  }

  @Authorized('schedule.create')
  @Mutation(() => Schedule, { description: 'Creates a schedule. An organization can have at most 200.' })
  createSchedule(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateScheduleInput) input: CreateScheduleInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<Schedule> {
    return idempotently(ctx, { key, operation: 'createSchedule', input }, () =>
      createSchedule(ctx, this.transact, input),
    )
  }

  @Authorized('schedule.update')
  @Mutation(() => Schedule, {
    description:
      'Updates a schedule. Only the given keys change. Other hours are a new version; running clocks keep theirs.',
  })
  updateSchedule(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateScheduleInput) patch: UpdateScheduleInput,
  ): Promise<Schedule> {
    return updateSchedule(ctx, this.transact, { id, patch })
  }

  @Authorized('schedule.delete')
  @Mutation(() => ID, { description: 'Deletes a schedule. UNPROCESSABLE while an SLA policy counts its hours.' })
  async deleteSchedule(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteSchedule(ctx, this.transact, id)
    return id.toLowerCase()
  }

  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() { organizationId }: Schedule, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }

  @FieldResolver(() => [HolidayCalendar], { description: 'Those of its calendars that the caller sees.' })
  async calendars(@Root() { calendarIds }: Schedule, @Ctx() ctx: Context): Promise<HolidayCalendar[]> {
    const found = await Promise.all(calendarIds.map((id) => ctx.loader(holidayCalendarLoader).load(id)))
    return found.filter((calendar) => calendar !== null)
  }

  @Extensions(COMPILED)
  @FieldResolver(() => Boolean, { description: 'Whether it is open now.' })
  isOpen(@Root() schedule: Schedule, @Ctx() ctx: Context): boolean {
    return compiledOf(schedule).isOpenAt(ctx.now().getTime())
  }

  @Extensions(COMPILED)
  @FieldResolver(() => DateTime, { nullable: true, description: 'Time at which it opens or closes next.' })
  changesAt(@Root() schedule: Schedule, @Ctx() ctx: Context): Date | null {
    const at = compiledOf(schedule).nextChangeAfter(ctx.now().getTime())
    return at === null ? null : new Date(at)
  }

  @Extensions({ listLength: 366 })
  @FieldResolver(() => [ScheduleDay], { description: 'All days of a year, in order.' })
  days(
    @Root() schedule: Schedule,
    @Arg('year', () => Int, { description: 'From 1970 to 2099.' }) year: number,
  ): ScheduleDay[] {
    parseInteger(year, 'year', 1970, 2099)
    const [first, last] = [dayOf(`${year}-01-01`), dayOf(`${year}-12-31`)]
    return [...daysOf({ ...schedule, exceptions: schedule.specialDays }, first, last)].map(
      ({ day, spans, exception }) => ({
        date: dateOf(day),
        spans: spans.map(({ from, to }) => ({ opens: timeOf(from), closes: timeOf(to) })),
        isException: exception !== null,
        name: exception?.name ?? null,
      }),
    )
  }
}
