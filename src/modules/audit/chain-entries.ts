import type { Sql } from '../../platform/db/database.js'
import type { JsonObject } from '../../platform/json.js'
import { CHAIN_START, hashEntry } from '../../platform/audit/entry-hash.js'

/** Entries of one contact center that are chained by one statement. */
const CHUNK = 1_000
/** Chunks of one center in a round: others' entries wait for no more than these. */
const CHUNKS_MAX = 20
/** Contact centers that one round takes; those that are left are taken in the next. */
const CENTERS_MAX = 100

interface Unchained {
  id: string
  at: Date
  action: string
  actor: JsonObject
  object: JsonObject | null
  commitment: string
}

/** SQL: whether any entry waits for its place in a chain. Costs one look into an index that is empty at rest. */
export const UNCHAINED_SQL = 'exists (select from audit_entry where number is null)'

/**
 * Gives new entries their numbers and hashes, in the order of their ids, each contact center in a chain of its own. One node at a time
 * does this (a lock of the maintenance), so that no sign-in and no change waits for another's entry. An entry that is
 * committed later gets a later number.
 */
export async function chainEntries(sql: Sql): Promise<void> {
  const centers = await sql.query<{ org1: string }>(
    'select distinct org1 from (select org1 from audit_entry where number is null limit 10000) t limit $1',
    [CENTERS_MAX],
  )
  for (const { org1 } of centers) {
    for (let chunks = 0; chunks < CHUNKS_MAX && (await chainCenter(sql, org1)) === CHUNK; chunks++);
  }
}

/** @returns how many entries were chained */
async function chainCenter(sql: Sql, org1: string): Promise<number> {
  await sql.query('insert into audit_chain (org1, hash) values ($1, $2) on conflict do nothing', [org1, CHAIN_START])
  const [head] = await sql.query<{ number: number; hash: string }>(
    'select number, hash from audit_chain where org1 = $1 for update',
    [org1],
  )
  const entries = await sql.query<Unchained>(
    `select id, at, action, actor, object, commitment from audit_entry
     where org1 = $1 and number is null order by id limit $2`,
    [org1, CHUNK],
  )
  let { number, hash } = head!
  const chained = entries.map(({ id, at, commitment, ...entry }) => {
    number += 1
    hash = hashEntry(hash, { ...entry, org: org1, number, at: at.toISOString(), commit: commitment })
    return { id, number, hash }
  })
  await sql.query(
    `update audit_entry e set number = x.number, hash = x.hash
     from jsonb_to_recordset($1::jsonb) as x(id uuid, number bigint, hash text) where e.id = x.id`,
    [JSON.stringify(chained)],
  )
  await sql.query('update audit_chain set number = $2, hash = $3 where org1 = $1', [org1, number, hash])
  return entries.length
}
