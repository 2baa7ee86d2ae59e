import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../platform/context.js'
import { isWithin, TENANT } from '../../platform/db/tenancy.js'
import { BadUserInput, quoteValue, Unprocessable } from '../../platform/errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { refuseCleared } from '../../platform/input.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { parseName } from '../organizations/organization-input.js'
import { checkNumber, insertOwned, owningPath } from '../organizations/owned-record.js'
import {
  HolidayCalendar,
  type CreateHolidayCalendarInput,
  type UpdateHolidayCalendarInput,
} from './holiday-calendar.js'
import { applyCalendars, lockHours } from './schedule-writes.js'
import { parseExceptions } from './schedule-input.js'
import { Schedule } from './schedule.js'

/** Maximum number per organization: administrators choose from all of them. */
const CALENDARS_MAX = 100

/** @throws NotFound naming `organization`; Unprocessable at the limit; BadUserInput */
export function createHolidayCalendar(
  ctx: Context,
  transact: Transact,
  input: CreateHolidayCalendarInput,
): Promise<HolidayCalendar> {
  const name = parseName(input.name, 'name')
  const days = parseExceptions(input.days, 'days')
  return transact(ctx, async (tx) => {
    const path = await owningPath(ctx, tx, input.organization)
    const limit = { organization: path.at(-1)!, max: CALENDARS_MAX, noun: 'holiday calendars' }
    await checkNumber(tx, HolidayCalendar, limit)
    const calendar = await insertOwned(ctx, tx, HolidayCalendar, { path, name, days })
    emitCalendar(tx, calendar, 'created')
    return calendar
  })
}

/**
 * Changes the given fields. Other days are a new version of each schedule that has the calendar, in the same transaction: what
 * reads a schedule's hours, on whichever node, reads the new ones.
 * @throws NotFound; BadUserInput; Unprocessable naming a schedule that would never open
 */
export function updateHolidayCalendar(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateHolidayCalendarInput },
): Promise<HolidayCalendar> {
  refuseCleared(patch, 'name')
  const name = patch.name === undefined ? undefined : parseName(patch.name, 'name')
  const days = patch.days === undefined ? undefined : parseExceptions(patch.days, 'days')
  return transact(ctx, async (tx) => {
    await lockHours(ctx, tx)
    const calendar = await fetchRecord(ctx, HolidayCalendar, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
    const isOther = days !== undefined && !isDeepStrictEqual(days, calendar.days)
    if (name !== undefined) calendar.name = name
    if (days !== undefined) calendar.days = days
    markChanged(calendar, ctx.now())
    await tx.em.flush()
    if (isOther) for (const schedule of await schedulesOf(tx, calendar.id)) await refresh(ctx, tx, schedule)
    emitCalendar(tx, calendar, 'updated')
    return calendar
  })
}

async function refresh(ctx: Context, tx: WriteTx, schedule: Schedule): Promise<void> {
  try {
    await applyCalendars(ctx, tx, schedule)
  } catch (error) {
    if (!(error instanceof BadUserInput)) throw error
    const which = shown(ctx, schedule)
    throw new Unprocessable(`days: ${which.text} would have no open minute within a year`, {
      field: 'days',
      ...which.details,
    })
  }
}

/** @throws NotFound; Unprocessable naming a schedule that has it */
export function deleteHolidayCalendar(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    await lockHours(ctx, tx)
    const calendar = await fetchRecord(ctx, HolidayCalendar, id, { em: tx.em, lock: true })
    const [used] = await schedulesOf(tx, calendar.id)
    if (used) {
      const { text, details } = shown(ctx, used)
      throw new Unprocessable(`holiday calendar ${calendar.id} is in use: ${text} has it`, details)
    }
    emitCalendar(tx, calendar, 'deleted')
    tx.em.remove(calendar)
    return true
  })
}

/** Names a schedule only to callers who see it: one of an organization above may have the calendar. */
function shown(ctx: Context, schedule: Schedule): { text: string; details: { schedule?: string } } {
  if (!isWithin(ctx.tenant, schedule)) return { text: 'a schedule of an organization above', details: {} }
  return { text: `the schedule ${quoteValue(schedule.name)}`, details: { schedule: schedule.id } }
}

/** All that have it, of organizations above and below it too. */
function schedulesOf(tx: WriteTx, calendar: string): Promise<Schedule[]> {
  const where = { calendarIds: { $contains: [calendar] } }
  return tx.em.find(Schedule, where, { orderBy: { id: 'asc' }, filters: { [TENANT]: false } })
}

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'holidayCalendar', Pick<HolidayCalendar, 'name' | 'days'>> {}
}

function emitCalendar(tx: WriteTx, { id, organizationId, name, days }: HolidayCalendar, what: RecordChange): void {
  const data = { id, organization: organizationId, name, days }
  tx.emit(organizationStream(organizationId), `holidayCalendar.${what}`, data)
}
