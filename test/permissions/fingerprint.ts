import type { Sql } from '../../src/platform/db/database.js'

/**
 * Tables that work in the background changes by itself; and a stream's counter, which subscribing makes: its events
 * tell all.
 */
const RESTLESS = [
  ...['job', 'job_partition', 'node', 'queue_subscriber', 'conversation_viewer', 'webhook_partition', 'stream'],
  // Sums of milestones, which are compared themselves.
  ...['report_fold', 'report_group', 'report_slot'],
]

export type Rows =
  | 'all'
  /** Rows that name one of the ids, wherever: records, references, events, answers kept. */
  | { naming: readonly string[] }
  /** The records themselves. */
  | { being: readonly string[] }

/** Summarizes what the database holds. @returns table to the number and hash of its rows */
export async function fingerprint(sql: Sql, rows: Rows): Promise<Record<string, string>> {
  const tables = await sql.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and not relname = any($1) order by relname`,
    [RESTLESS],
  )
  const hashes: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await sql.query<{ hash: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as hash
       from ${name} t where ${conditionOf(rows)}`,
    )
    hashes[name] = row!.hash
  }
  return hashes
}

/** Ids are the test's own. */
function conditionOf(rows: Rows): string {
  if (rows === 'all') return 'true'
  if ('naming' in rows) return `t::text ~ '${rows.naming.join('|')}'`
  return `to_jsonb(t) ->> 'id' in ('${rows.being.join("', '")}')`
}
