import pg from 'pg'
import type { Random } from './random.js'
import { sleep } from './victim.js'

/**
 * Rows that are written to all the time: conversations, the channels that rules notify, and the counters of busy
 * streams.
 */
const HOT_ROWS = [
  { share: 0.7, select: 'select 1 from conversation where id = any($1::uuid[])' },
  { share: 0.15, select: 'select 1 from channel' },
  { share: 0.15, select: `select 1 from stream where name = any($1::text[])` },
] as const
const LOCKED_MAX = 6
/** Past the 5 s that a statement of the server waits for a lock, too. */
const HELD_MS = [300, 6_000] as const

/**
 * Holds rows from a connection of its own, as an administrator's open transaction does. Resolves when they are free
 * again, and when the database went away meanwhile.
 */
export async function lockHotRows(databaseUrl: string, random: Random): Promise<void> {
  let left = random.next()
  const { select } = HOT_ROWS.find(({ share }) => (left -= share) < 0) ?? HOT_ROWS[0]
  const [count, heldMs] = [Math.ceil(random.between(0, LOCKED_MAX)), random.between(...HELD_MS)]
  const sql = new pg.Client({ connectionString: databaseUrl })
  sql.on('error', () => undefined)
  try {
    await sql.connect()
    const { rows } = await sql.query<{ id: string }>('select id from conversation order by created_at, id limit 24')
    const ids = Array.from({ length: Math.min(count, rows.length) }, () => random.pick(rows).id)
    const names = select.includes('stream') ? ids.map((id) => `conversation:${id}`) : ids
    await sql.query('begin')
    await sql.query(`${select} for update`, select.includes('$1') ? [names] : [])
    await sleep(heldMs)
    await sql.query('rollback')
  } catch {
    // PostgreSQL was restarted: that has freed them.
  } finally {
    await sql.end().catch(() => undefined)
  }
}
