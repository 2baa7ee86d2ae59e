import type { Sql } from '../db/database.js'

const DAY_MS = 86_400_000
/** Days that partitions are created in advance, so that a day without maintenance does no harm. */
const DAYS_AHEAD = 3

/**
 * Creates partitions for the coming days, and drops those whose last event is past the retention, which makes removing
 * old events cheap. Rows in the default partition, whose day had none, move to their day's. Blocks writers of `event`
 * while creating one, and also readers while removing one: set a `lock_timeout`.
 */
export async function maintainEventPartitions(sql: Sql, now: Date, retentionDays: number): Promise<void> {
  const days = await readDays(sql)
  const today = Math.floor(now.getTime() / DAY_MS)
  for (let day = today; day <= today + DAYS_AHEAD; day++) if (!days.has(day)) await createPartition(sql, day)
  const kept = new Date(now.getTime() - retentionDays * DAY_MS)
  for (const day of days) {
    if (startOf(day + 1).getTime() <= kept.getTime()) await sql.query(`drop table ${partitionOf(day)}`)
  }
  await sql.query('delete from event_default where at < $1', [kept])
}

/** Returns the days that have a partition, counted from 1970-01-01 UTC. */
async function readDays(sql: Sql): Promise<Set<number>> {
  const rows = await sql.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'event'::regclass`,
  )
  const days = rows.map(({ name }) => /^event_(\d{4})(\d{2})(\d{2})$/.exec(name)).filter((match) => match !== null)
  return new Set(days.map(([, year, month, day]) => Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS))
}

async function createPartition(sql: Sql, day: number): Promise<void> {
  const name = partitionOf(day)
  const [from, to] = [startOf(day), startOf(day + 1)]
  await sql.query(`create table ${name} (like event including defaults including indexes)`)
  // No event may be written to the default partition meanwhile: it would conflict with the new partition.
  await sql.query('lock table event in share row exclusive mode')
  await sql.query(
    `with moved as (delete from event_default where at >= $1 and at < $2 returning *)
     insert into ${name} select * from moved`,
    [from, to],
  )
  // DDL takes no parameters; the dates are computed here.
  await sql.query(
    `alter table event attach partition ${name} for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
  )
}

function partitionOf(day: number): string {
  return `event_${startOf(day).toISOString().slice(0, 10).replaceAll('-', '')}`
}

function startOf(day: number): Date {
  return new Date(day * DAY_MS)
}
