import { LRUCache } from 'lru-cache'
import { reading, type ReadSql } from '../../platform/db/sql.js'
import { CompiledSchedule, type ScheduleHours } from './compiled-schedule.js'

/** Compiled hours by schedule and version, which never change. One instance serves a whole process. */
export class CompiledSchedules {
  readonly #known = new LRUCache<string, CompiledSchedule>({ max: 2_000 })

  known(schedule: string, version: number): CompiledSchedule | null {
    return this.#known.get(`${schedule} ${version}`) ?? null
  }

  compile(schedule: string, version: number, hours: ScheduleHours): CompiledSchedule {
    const compiled = this.known(schedule, version) ?? new CompiledSchedule(hours)
    this.#known.set(`${schedule} ${version}`, compiled)
    return compiled
  }
}

/** A schedule as it is now. */
export interface CurrentSchedule {
  id: string
  version: number
  text: string | null
  timezone: string
  hours: CompiledSchedule
}

/** Reads schedules as they are now, by id; those that were deleted are missing. */
export async function readSchedules(
  sql: ReadSql,
  ids: readonly string[],
  compiled: CompiledSchedules,
): Promise<Map<string, CurrentSchedule>> {
  if (ids.length === 0) return new Map()
  const rows = await sql.query<Omit<CurrentSchedule, 'hours'> & ScheduleHours>(
    reading(
      'select id, version, text, timezone, spans, special_days as exceptions from schedule where id = any($1::uuid[])',
    ),
    [ids],
    'current-schedules',
  )
  return new Map(
    rows.map(({ id, version, text, ...hours }) => {
      const { timezone } = hours
      return [id, { id, version, text, timezone, hours: compiled.compile(id, version, hours) }]
    }),
  )
}
