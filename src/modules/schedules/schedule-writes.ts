import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../platform/context.js'
import { quoteValue, Unprocessable } from '../../platform/errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { isAbsent, parseList, parseText, refuseCleared } from '../../platform/input.js'
import { requireVisible, type NamedId } from '../../platform/lists/visible-ids.js'
import { pathOf, TENANT, type OrganizationPath } from '../../platform/db/tenancy.js'
import type { ScheduleException, ScheduleHours } from './compiled-schedule.js'
import { HolidayCalendar } from './holiday-calendar.js'
import { joinDays } from './shared-days.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { parseName } from '../organizations/organization-input.js'
import { checkNumber, insertOwned, owningPath } from '../organizations/owned-record.js'
import { parseTimezone } from '../../platform/timezone.js'
import { Schedule, type CreateScheduleInput, type UpdateScheduleInput } from './schedule.js'
import { parseExceptions, parseSpans, requireOpenMinute } from './schedule-input.js'

/** Maximum number per organization: administrators choose from all of them. */
const SCHEDULES_MAX = 200
const CALENDARS_MAX = 10
const TEXT_CHARS_MAX = 1_000

/** @throws NotFound naming `organization`; Unprocessable at the limit; BadUserInput */
export function createSchedule(ctx: Context, transact: Transact, input: CreateScheduleInput): Promise<Schedule> {
  const values = { spans: [], exceptions: [], text: null, ...readFields(input) } as Values
  const given = parseCalendars(input.calendars)
  return transact(ctx, async (tx) => {
    const path = await owningPath(ctx, tx, input.organization)
    await lockHours(ctx, tx)
    const calendarIds = await requireCalendars(ctx, tx, given, path)
    const specialDays = await daysWith(tx, values.exceptions, calendarIds)
    requireOpenMinute({ ...values, exceptions: specialDays }, ctx.now())
    await checkNumber(tx, Schedule, { organization: path.at(-1)!, max: SCHEDULES_MAX, noun: 'schedules' })
    const schedule = await insertOwned(ctx, tx, Schedule, { path, ...values, calendarIds, specialDays })
    await recordVersion(tx, schedule)
    emitSchedule(tx, schedule, 'created')
    return schedule
  })
}

/** Changes the given fields, which is a new version. @throws NotFound; ChangedMeanwhile; BadUserInput */
export function updateSchedule(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateScheduleInput },
): Promise<Schedule> {
  refuseCleared(patch, 'name', 'timezone')
  const values = readFields(patch)
  const given = patch.calendars === undefined ? undefined : parseCalendars(patch.calendars)
  return transact(ctx, async (tx) => {
    await lockHours(ctx, tx)
    const schedule = await fetchRecord(ctx, Schedule, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
    const earlier = hoursOf(schedule)
    Object.assign(schedule, values)
    if (given !== undefined) schedule.calendarIds = await requireCalendars(ctx, tx, given, pathOf(schedule))
    await applyCalendars(ctx, tx, schedule, earlier)
    return schedule
  })
}

/** The hours of which each version is recorded. */
function hoursOf({ timezone, spans, specialDays }: Schedule): ScheduleHours {
  return { timezone, spans, exceptions: specialDays }
}

/**
 * Makes schedules and calendars of a contact center change one after the other: a calendar that changes finds every
 * schedule that has it, and they cannot wait for each other's rows.
 */
export async function lockHours(ctx: Context, tx: WriteTx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('hours ' || $1::text, 0))`, [ctx.caller.path[0]])
}

/**
 * Writes a changed schedule with the days that its calendars have now, as a new version. Needs
 * {@link lockHours}. @throws BadUserInput if it never opens
 */
export async function applyCalendars(
  ctx: Context,
  tx: WriteTx,
  schedule: Schedule,
  earlier: ScheduleHours = hoursOf(schedule),
): Promise<void> {
  schedule.specialDays = await daysWith(tx, schedule.exceptions, schedule.calendarIds)
  markChanged(schedule, ctx.now())
  if (!isDeepStrictEqual(earlier, hoursOf(schedule))) requireOpenMinute(hoursOf(schedule), ctx.now())
  await tx.em.flush()
  await recordVersion(tx, schedule)
  emitSchedule(tx, schedule, 'updated')
}

async function daysWith(
  tx: WriteTx,
  own: readonly ScheduleException[],
  calendars: readonly string[],
): Promise<ScheduleException[]> {
  // Those of organizations above count too, which the caller may not see.
  const found = await tx.em.find(HolidayCalendar, { id: { $in: [...calendars] } }, { filters: { [TENANT]: false } })
  const daysOf = new Map(found.map(({ id, days }) => [id, days]))
  return joinDays(
    own,
    calendars.map((id) => daysOf.get(id) ?? []),
  )
}

function parseCalendars(value: unknown): NamedId[] {
  const ids = isAbsent(value) ? [] : parseList(value, 'calendars', CALENDARS_MAX)
  return ids.map((id, index) => ({ id: String(id), field: `calendars[${index}]` }))
}

/** Checks that the caller sees the calendars, and that they are on the schedule's path or below it. @throws NotFound */
async function requireCalendars(
  ctx: Context,
  tx: WriteTx,
  wanted: readonly NamedId[],
  path: OrganizationPath,
): Promise<string[]> {
  return [
    ...new Set(await requireVisible(ctx, tx, wanted, { name: 'HolidayCalendar', table: 'holiday_calendar', path })),
  ]
}

/** @throws NotFound; Unprocessable naming an SLA policy that counts its hours */
export function deleteSchedule(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const schedule = await fetchRecord(ctx, Schedule, id, { em: tx.em, lock: true })
    const [used] = await tx.query<{ id: string; name: string }>(
      'select id, name from sla_policy where schedule_id = $1 order by id limit 1',
      [schedule.id],
    )
    if (used) {
      throw new Unprocessable(
        `schedule ${schedule.id} is in use: the SLA policy ${quoteValue(used.name)} counts its hours`,
        { reason: 'IN_USE', slaPolicy: used.id },
      )
    }
    emitSchedule(tx, schedule, 'deleted')
    tx.em.remove(schedule)
    return true
  })
}

type Values = Pick<Schedule, 'name' | 'timezone' | 'spans' | 'exceptions' | 'text'>

const PARSERS: { [K in keyof Values]: (value: unknown, field: string) => Values[K] } = {
  name: parseName,
  timezone: parseTimezone,
  spans: parseSpans,
  exceptions: parseExceptions,
  text: (value, field) => (isAbsent(value) ? null : parseText(value, field, { max: TEXT_CHARS_MAX }).trim() || null),
}

/** Parses the given fields; omits those that are `undefined`. */
function readFields(input: UpdateScheduleInput): Partial<Values> {
  const given = (Object.keys(PARSERS) as (keyof Values)[]).filter((key) => input[key] !== undefined)
  return Object.fromEntries(given.map((key) => [key, PARSERS[key](input[key], key)]))
}

/** Versions are never changed: clocks that count one of them may be read at any time. */
async function recordVersion(tx: WriteTx, schedule: Schedule): Promise<void> {
  const { id, version, organizationId, updatedAt } = schedule
  await tx.query(
    `insert into schedule_version (schedule_id, version, organization_id, hours, created_at) values ($1, $2, $3, $4, $5)`,
    [id, version, organizationId, JSON.stringify(hoursOf(schedule)), updatedAt],
  )
}

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'schedule', Values & Pick<Schedule, 'version' | 'calendarIds'>> {}
}

function emitSchedule(tx: WriteTx, schedule: Schedule, what: RecordChange): void {
  const { id, organizationId: organization, name, version, timezone, spans, exceptions, calendarIds, text } = schedule
  const data = { id, organization, name, version, timezone, spans, exceptions, calendarIds, text }
  tx.emit(organizationStream(organization), `schedule.${what}`, data)
}
