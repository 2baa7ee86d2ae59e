import type { StepOf } from '../../macros/macro-step.js'
import type { SnoozeUntil } from '../../macros/macro-step.js'
import { reading, type ReadSql } from '../../../platform/db/sql.js'

const MINUTE_MS = 60_000

/** As the console offers them: the morning begins at 8, the afternoon ends at 17. */
const UNTIL: Readonly<Record<SnoozeUntil, string>> = {
  afternoon: `today + case when local > today + interval '16 hours' then interval '41 hours' else interval '17 hours' end`,
  tomorrow: `today + interval '32 hours'`,
  nextWeek: `date_trunc('week', local) + interval '7 days 8 hours'`,
}

/**
 * Returns until when a step snoozes: a time of the day is one of the user's zone, else of the zone of its contact center, else UTC.
 */
export async function snoozeEnd(
  sql: ReadSql,
  { user, now }: { user: string; now: Date },
  { minutes, until }: StepOf<'snooze'>,
): Promise<Date> {
  if (until === null) return new Date(now.getTime() + minutes! * MINUTE_MS)
  const rows = await sql.query<{ at: Date }>(
    reading(`select (${UNTIL[until]}) at time zone zone as at from (
      select zone, $2::timestamptz at time zone zone as local, date_trunc('day', $2::timestamptz at time zone zone) as today
      from (select coalesce(u.settings ->> 'timezone', o.timezone, 'UTC') as zone
        from app_user u left join organization o on o.id = u.org1 where u.id = $1) z) t`),
    [user, now],
    `snooze-${until}`,
  )
  return rows[0]!.at
}
