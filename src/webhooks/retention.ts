import type { Sql } from '../db/database.js'
import { RETRY_WINDOW_MS } from '../outbound/retries.js'

const DAY_MS = 86_400_000

const LEFT_BEHIND = [
  ['webhook_delivery', 'service_id'],
  ['webhook_lane', 'service_id'],
  ['event_listener', 'listener_id'],
] as const

/**
 * Gives up what could not be delivered for 24 hours, also where nothing is tried, and forgets deliveries with their
 * attempts a day after their events have left the log.
 */
export async function pruneWebhooks(sql: Sql, now: Date, eventRetentionDays: number): Promise<void> {
  await sql.query(
    `update webhook_delivery d set status = 'failed', finished_at = $1,
       error = coalesce(error, 'not delivered within 24 hours')
     where d.status = 'pending' and d.pending_since < $2 and not exists (
       select 1 from webhook_lane l where l.service_id = d.service_id and l.lane = d.lane and l.leased_until > $1)`,
    [now, new Date(now.getTime() - RETRY_WINDOW_MS)],
  )
  const kept = new Date(now.getTime() - (eventRetentionDays + 1) * DAY_MS)
  await sql.query('delete from webhook_event where at < $1', [kept])
  // What an event committed while its webhook was being deleted has left.
  for (const [table, key] of LEFT_BEHIND) {
    await sql.query(`delete from ${table} where ${key} not in (select service_id from webhook)`)
  }
}
