import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../context.js'
import { quoteValue, Unprocessable } from '../errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../events/event.js'
import type { Transact, WriteTx } from '../events/transact.js'
import { isAbsent, parseText, refuseCleared } from '../input.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { parseName } from '../organizations/organization-input.js'
import { checkNumber, insertOwned, owningPath } from '../organizations/owned-record.js'
import { parseTimezone } from '../users/user-settings.js'
import { Schedule, type CreateScheduleInput, type UpdateScheduleInput } from './schedule.js'
import { parseExceptions, parseSpans, requireOpenMinute } from './schedule-input.js'

/** Maximum number per organization: administrators choose from all of them. */
const SCHEDULES_MAX = 200
const TEXT_CHARS_MAX = 1_000

/** @throws NotFound naming `organization`; Unprocessable at the limit; BadUserInput */
export function createSchedule(ctx: Context, transact: Transact, input: CreateScheduleInput): Promise<Schedule> {
  const values = { spans: [], exceptions: [], text: null, ...readFields(input), version: 1 } as Values & { version: 1 }
  requireOpenMinute(values, ctx.now())
  return transact(ctx, async (tx) => {
    const path = await owningPath(ctx, tx, input.organization)
    await checkNumber(tx, Schedule, { organization: path.at(-1)!, max: SCHEDULES_MAX, noun: 'schedules' })
    const schedule = await insertOwned(ctx, tx, Schedule, { path, ...values })
    await recordVersion(tx, schedule)
    emitSchedule(tx, schedule, 'created')
    return schedule
  })
}

/** Changes the given fields; other hours are a new version. @throws NotFound; BadUserInput */
export function updateSchedule(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateScheduleInput },
): Promise<Schedule> {
  refuseCleared(patch, 'name', 'timezone')
  const values = readFields(patch)
  return transact(ctx, async (tx) => {
    const schedule = await fetchRecord(ctx, Schedule, id, { em: tx.em, lock: true })
    const hoursOf = ({ timezone, spans, exceptions }: Values) => ({ timezone, spans, exceptions })
    const earlier = hoursOf(schedule)
    Object.assign(schedule, values)
    schedule.updatedAt = ctx.now()
    const isOther = !isDeepStrictEqual(earlier, hoursOf(schedule))
    if (isOther) {
      requireOpenMinute(schedule, ctx.now())
      schedule.version++
    }
    await tx.em.flush()
    if (isOther) await recordVersion(tx, schedule)
    emitSchedule(tx, schedule, 'updated')
    return schedule
  })
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
        {
          slaPolicy: used.id,
        },
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
  const { id, version, organizationId, timezone, spans, exceptions, updatedAt } = schedule
  await tx.query(
    `insert into schedule_version (schedule_id, version, organization_id, hours, created_at) values ($1, $2, $3, $4, $5)`,
    [id, version, organizationId, JSON.stringify({ timezone, spans, exceptions }), updatedAt],
  )
}

declare module '../events/event.js' {
  interface EventTypes extends ResourceEvents<'schedule', Values & Pick<Schedule, 'version'>> {}
}

function emitSchedule(tx: WriteTx, schedule: Schedule, what: RecordChange): void {
  const { id, organizationId: organization, name, version, timezone, spans, exceptions, text } = schedule
  const data = { id, organization, name, version, timezone, spans, exceptions, text }
  tx.emit(organizationStream(organization), `schedule.${what}`, data)
}
