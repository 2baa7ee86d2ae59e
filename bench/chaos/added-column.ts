import pg from 'pg'
import type { Random } from './random.js'
import { sleep } from './victim.js'

/** Tables that nodes write to and read all the time. */
const HOT_TABLES = [
  'conversation',
  'participant',
  'message',
  'event',
  'stream',
  'job',
  'routing_decision',
  'milestone',
  'channel',
  'channel_member',
  'clock',
  'offer',
  'staff',
  'app_user',
  'contact',
  'idempotency_key',
] as const
const TRIES_MAX = 40
const RETRY_MS = 250

/** Adds a column to a hot table as a migration of the next release does: it waits for its lock for half a second at a time. */
export async function addColumn(databaseUrl: string, random: Random): Promise<void> {
  const table = random.pick(HOT_TABLES)
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const sql = new pg.Client({ connectionString: databaseUrl })
    sql.on('error', () => undefined)
    try {
      await sql.connect()
      await sql.query(`set lock_timeout = '500ms'`)
      return void (await sql.query(
        `alter table ${table} add column chaos_${crypto.randomUUID().replaceAll('-', '')} int not null default 0`,
      ))
    } catch {
      // Behind rows that are locked, or PostgreSQL is away.
      await sleep(RETRY_MS)
    } finally {
      await sql.end().catch(() => undefined)
    }
  }
  throw new Error(`no column could be added to ${table}`)
}
