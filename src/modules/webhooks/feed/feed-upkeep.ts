import type { Sql } from '../../../platform/db/database.js'
import { SERVER_SQL } from './feed-store.js'

const DAY_MS = 86_400_000
/** Time for which events are kept, if the log goes back as far. */
const KEPT_DAYS_MAX = 7

/** Returns the time from which on events are kept. */
export function keptFrom(now: Date, eventRetentionDays: number): Date {
  return new Date(now.getTime() - Math.min(KEPT_DAYS_MAX, eventRetentionDays) * DAY_MS)
}

/**
 * Removes events that are no longer kept, and notes up to where: a cursor from before is refused. Removes the feeds that no
 * service has any more.
 */
export async function pruneFeeds(sql: Sql, now: Date, eventRetentionDays: number): Promise<void> {
  await adoptFeeds(sql)
  await sql.query(EXPIRE, [keptFrom(now, eventRetentionDays)])
  await sql.query(`
    with ended as (
      delete from event_feed f where not exists (select from webhook w where w.feed_id = f.id) returning f.id)
    delete from feed_event e using ended where e.feed_id = ended.id`)
}

const EXPIRE = `
with gone as (
  delete from feed_event e using event_feed f where e.feed_id = f.id and e.at < $1
  returning e.feed_id, e.xid, e.number, e.event_id
), last as (
  select distinct on (feed_id) * from gone order by feed_id, xid desc, number desc
)
update event_feed f set expired_xid = l.xid, expired_number = l.number, expired_event = l.event_id
from last l where f.id = l.feed_id and (f.expired_xid is null or (l.xid, l.number) > (f.expired_xid, f.expired_number))`

/**
 * Places the events of a database that was filled from another server before all that this one adds: its transaction ids mean
 * nothing here. Their numbers keep the order within conversations, and cursors from before are refused. Until then nothing
 * is read. What a transaction adds meanwhile has a greater number, and an id that is not less than zero.
 */
async function adoptFeeds(sql: Sql): Promise<void> {
  const others = await sql.query<{ id: string }>(`select id from event_feed where database_id <> ${SERVER_SQL}`)
  if (others.length === 0) return
  const ids = others.map(({ id }) => id)
  await sql.query('update feed_event set xid = 0 where feed_id = any($1::uuid[])', [ids])
  await sql.query(
    `update event_feed set database_id = ${SERVER_SQL}, expired_xid = case when expired_xid is not null then 0 end
     where id = any($1::uuid[])`,
    [ids],
  )
}
