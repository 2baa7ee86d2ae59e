import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
import { idempotently } from '../../platform/limits/idempotency.js'
import { ConnectionArgs, type OrderTerm, type Page } from '../../platform/lists/connection.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { listPage } from '../../platform/lists/list-page.js'
import { Organization, organizationLoader } from '../organizations/organization.js'
import {
  HolidayCalendarConnection,
  HolidayCalendarFilter,
  holidayCalendarList,
  HolidayCalendarOrder,
} from './holiday-calendar-list.js'
import { createHolidayCalendar, deleteHolidayCalendar, updateHolidayCalendar } from './holiday-calendar-writes.js'
import { CreateHolidayCalendarInput, HolidayCalendar, UpdateHolidayCalendarInput } from './holiday-calendar.js'

@Resolver(() => HolidayCalendar)
export class HolidayCalendarsResolver {
  constructor(private readonly transact: Transact) {}

  @Authorized('holidayCalendar.fetch')
  @Query(() => HolidayCalendar, {
    nullable: true,
    description: 'A calendar of holidays of an organization that the caller sees.',
  })
  holidayCalendar(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<HolidayCalendar> {
    return fetchRecord(ctx, HolidayCalendar, id)
  }

  @Authorized('holidayCalendar.list')
  @Query(() => HolidayCalendarConnection, {
    description: "The calendars of holidays of the caller's organization and of those below it.",
  })
  holidayCalendars(
    @Ctx() ctx: Context,
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Arg('filter', () => HolidayCalendarFilter, { nullable: true }) filter?: object | null,
    @Arg('orderBy', () => [HolidayCalendarOrder], { nullable: true }) orderBy?: OrderTerm[] | null,
  ): Promise<Page<HolidayCalendar>> {
    return listPage(ctx, holidayCalendarList, { args, filter, orderBy })
  }

  @Authorized('holidayCalendar.create')
  @Mutation(() => HolidayCalendar, {
    description: 'Creates a calendar of holidays. An organization can have at most 100.',
  })
  createHolidayCalendar(
    @Ctx() ctx: Context,
    @Arg('input', () => CreateHolidayCalendarInput) input: CreateHolidayCalendarInput,
    @Arg('idempotencyKey', () => String, { nullable: true }) key?: string | null,
  ): Promise<HolidayCalendar> {
    return idempotently(ctx, { key, operation: 'createHolidayCalendar', input }, () =>
      createHolidayCalendar(ctx, this.transact, input),
    )
  }

  @Authorized('holidayCalendar.update')
  @Mutation(() => HolidayCalendar, {
    description:
      'Updates a calendar of holidays. Only the given keys change. Other days are a new version of the schedules that have it.',
  })
  updateHolidayCalendar(
    @Ctx() ctx: Context,
    @Arg('id', () => ID) id: string,
    @Arg('patch', () => UpdateHolidayCalendarInput) patch: UpdateHolidayCalendarInput,
  ): Promise<HolidayCalendar> {
    return updateHolidayCalendar(ctx, this.transact, { id, patch })
  }

  @Authorized('holidayCalendar.delete')
  @Mutation(() => ID, { description: 'Deletes a calendar of holidays. UNPROCESSABLE while a schedule has it.' })
  async deleteHolidayCalendar(@Ctx() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    await deleteHolidayCalendar(ctx, this.transact, id)
    return id.toLowerCase()
  }

  @FieldResolver(() => Organization, { nullable: true })
  organization(@Root() { organizationId }: HolidayCalendar, @Ctx() ctx: Context): Promise<Organization | null> {
    return ctx.loader(organizationLoader).load(organizationId)
  }
}
