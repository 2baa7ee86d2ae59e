import type { Sql } from '../../platform/db/database.js'
import { RETRY_WINDOW_MS } from '../../platform/outbound/retries.js'

const DAY_MS = 86_400_000

/**
 * Tells whether it has recently been tried without success, so that its next attempt is in the future, and the server
 * was running from $1 to $2.
 */
const IS_GIVEN_UP = `case w.status
  when 'active' then false
  when 'inactive' then true
  when 'unverified' then w.check_at is null or w.check_at > $1
  else w.failing_since < $2 and w.probe_at > $1 end`

const LEFT_BEHIND = [
  ['webhook_delivery', 'service_id'],
  ['webhook_partition', 'service_id'],
  ['event_listener', 'listener_id'],
] as const

/** An event that nobody acknowledges is given up after so long, or when it leaves the log. */
const UNATTENDED_DAYS_MAX = 7

/** Gives up events that no consumer has acknowledged in time. @returns their number */
export async function expireEvents(sql: Sql, now: Date, eventRetentionDays: number): Promise<number> {
  const days = Math.min(UNATTENDED_DAYS_MAX, eventRetentionDays)
  const rows = await sql.query(
    `update webhook_delivery d set status = 'failed', finished_at = $1, taken_until = null,
       error = 'not acknowledged within ' || $3 || ' days'
     from webhook w
     where w.service_id = d.service_id and w.is_pulled and d.finished_at is null and d.pending_since < $2
       and (d.taken_until is null or d.taken_until <= $1) returning 1`,
    [now, new Date(now.getTime() - days * DAY_MS), days],
  )
  return rows.length
}

/**
 * Gives up deliveries to an endpoint that has failed for 24 hours or must not be sent to. A server that was off tries
 * first, since the receiver did not fail meanwhile. Deletes deliveries and their attempts a day after their events have
 * left the log.
 */
export async function pruneWebhooks(sql: Sql, now: Date, eventRetentionDays: number): Promise<void> {
  await sql.query(
    `update webhook_delivery d set status = 'failed', finished_at = $1,
       error = coalesce(error, 'not delivered within 24 hours')
     from webhook w
     where w.service_id = d.service_id and not w.is_pulled and d.finished_at is null and d.pending_since < $2 and ${IS_GIVEN_UP} and not exists (
       select 1 from webhook_partition l where l.service_id = d.service_id and l.partition = d.partition and l.leased_until > $1)`,
    [now, new Date(now.getTime() - RETRY_WINDOW_MS)],
  )
  const kept = new Date(now.getTime() - (eventRetentionDays + 1) * DAY_MS)
  await sql.query('delete from webhook_event where at < $1', [kept])
  // Rows of an event that was committed while its webhook was being deleted.
  for (const [table, key] of LEFT_BEHIND) {
    await sql.query(`delete from ${table} where ${key} not in (select service_id from webhook)`)
  }
}
