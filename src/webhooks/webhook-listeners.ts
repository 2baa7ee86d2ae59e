import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Sql } from '../db/database.js'
import { isLockTimeout } from '../db/sql-errors.js'

/** Each time writers may be made to wait for a tenth of a second (`begin_listening`), and in between not at all. */
const TRIES = 10
const TRY_AGAIN_MS = 200

/**
 * From its return on, no event of the organization or of those below is committed without a delivery to the webhook, by
 * any node. Whoever appends events holds the gate until the commit: to close it is to wait for all who may have read
 * that nobody listens, and those who come later see that someone does. The mode lets backups go on, which read every
 * table. The gate is closed for one statement, so that a node which stops meanwhile keeps nobody out.
 * @returns false when writers are under way for long: try again later
 */
export async function activateWebhook(database: Database, service: string): Promise<boolean> {
  const known = await database.query('select 1 from event_listener where listener_id = $1', [service])
  if (known.length > 0) return true
  for (let tries = 1; ; tries++) {
    try {
      await database.query('select begin_listening($1)', [service])
      return true
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (tries === TRIES) return false
    }
    await sleep(TRY_AGAIN_MS)
  }
}

/** No new deliveries are made for it from the commit on. */
export async function endListening(sql: Sql, service: string): Promise<void> {
  await sql.query('delete from event_listener where listener_id = $1', [service])
}
