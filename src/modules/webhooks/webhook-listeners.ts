import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Sql } from '../../platform/db/database.js'
import { isLockTimeout } from '../../platform/db/sql-errors.js'

/** Each attempt may block writers for a tenth of a second (`begin_listening`); the pauses do not block them. */
const TRIES = 10
const TRY_AGAIN_MS = 200

/**
 * Starts deliveries for a webhook: once it returns, no node commits an event of the organization or its descendants
 * without a delivery to the webhook. Transactions that append events hold the gate until the commit, so locking it waits
 * for all that may have seen no listener, and later ones see it. The lock mode is compatible with backups, which read
 * every table. The gate is locked for one statement, so that a node that stops in between blocks nobody.
 * @returns false if writers take too long: try again later
 */
export async function activateWebhook(database: Database, service: string): Promise<boolean> {
  const known = await database.query('select 1 from event_listener where listener_id = $1', [service])
  return known.length > 0 || letWritersPass(database, service)
}

/**
 * Waits for all transactions that may have seen no listener, and begins to listen unless that was done. It closes the gate.
 * @returns false if writers take too long
 */
export async function letWritersPass(database: Database, service: string): Promise<boolean> {
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

/** Stops deliveries: none are created for events committed later. */
export async function endListening(sql: Sql, service: string): Promise<void> {
  await sql.query('delete from event_listener where listener_id = $1', [service])
}
