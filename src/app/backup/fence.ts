import type pg from 'pg'
import { describeAddress } from '../../platform/database-address.js'
import { MIGRATION_LOCK } from '../../platform/db/database.js'
import { Fenced } from '../../platform/db/fence.js'
import { quoted, readDataTables } from './data-tables.js'
import { connect } from './source.js'

const REFUSAL = 'refuse_fenced_write'

/**
 * Closes a database for writes, before its contents are copied to the target. Triggers refuse every write, also of a node
 * that was quiet for hours or is of another release: creating them waits for the transactions that write, so that what was
 * acknowledged is in the copy. A node that starts reads the row and refuses; one that runs finds it at its next heartbeat
 * and ends. Replaces an earlier fence.
 */
export function fence(url: string, target: string): Promise<void> {
  return inTransaction(url, async (client) => {
    await client.query(`drop function if exists ${REFUSAL} cascade`)
    const { rows } = await client.query<{ target: string; since: Date }>(
      `insert into fence (target) values ($1)
       on conflict (only_one) do update set target = excluded.target, since = excluded.since returning target, since`,
      [describeAddress(target)],
    )
    const reason = client.escapeLiteral(new Fenced(rows[0]!).message)
    // A server without writes, as far as a node is concerned: requests are UNAVAILABLE.
    await client.query(
      `create function ${REFUSAL}() returns trigger language plpgsql as $body$
       begin raise read_only_sql_transaction using message = ${reason}; end $body$`,
    )
    for (const { name } of await readDataTables(client)) {
      await client.query(
        `create trigger a_fence before insert or update or delete or truncate on ${quoted(name)}
         for each statement execute function ${REFUSAL}()`,
      )
    }
  })
}

/** Opens a database again that was fenced. @returns false when it was not */
export function unfence(url: string): Promise<boolean> {
  return inTransaction(url, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('public.fence') is not null as exists`)
    if (!rows[0]!.exists) return false
    await client.query(`drop function if exists ${REFUSAL} cascade`)
    const { rowCount } = await client.query('delete from fence')
    return rowCount === 1
  })
}

/** Takes the lock under which nodes that start migrate: they look for the fence under it. */
async function inTransaction<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(url)
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    const result = await work(client)
    await client.query('commit')
    return result
  } finally {
    await client.end()
  }
}
