import type { Database, Sql } from '../db/database.js'

/** How long writers may be made to wait for it at once; then it is tried again later. */
const LOCK_TIMEOUT = '200ms'
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * From its return on, no event of the organization or of those below is committed without a delivery to the webhook, by
 * any node. Whoever appends events holds the gate until the commit: to close it is to wait for all who may have read
 * that nobody listens, and those who come later see that someone does. The mode lets backups go on, which read every
 * table.
 * @returns false when writers are under way for long: try again later
 */
export async function activateWebhook(database: Database, service: string): Promise<boolean> {
  const known = await database.query('select 1 from event_listener where listener_id = $1', [service])
  if (known.length > 0) return true
  try {
    await database.sqlTransaction(async (sql) => {
      await sql.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
      // Before anything else: who holds another lock and waits for this one could be waited for.
      await sql.query('lock table event_gate in exclusive mode')
      await sql.query(
        `insert into event_listener (listener_id, organization_id)
         select service_id, organization_id from webhook where service_id = $1 on conflict do nothing`,
        [service],
      )
    })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false
    throw error
  }
}

/** No new deliveries are made for it from the commit on. */
export async function endListening(sql: Sql, service: string): Promise<void> {
  await sql.query('delete from event_listener where listener_id = $1', [service])
}
