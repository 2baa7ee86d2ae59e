import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Sql } from '../db/database.js'
import { SEALED } from './sealed-places.js'
import { isSealedSql, KEY_BYTES, keyIdOf, keyIdSql, Sealer } from './sealer.js'

type Reads = Pick<Sql, 'query'>

/** The `server_secret` that is the key where the operator gives none. */
const OWN_KEY = 'sealing'

/**
 * Builds the sealer of this installation: by the keys of `SECRETS_KEY`, else by one that the database itself holds, which
 * stays readable when the operator gives keys later.
 * @param keys of `SECRETS_KEY`
 * @throws Error when something is sealed with a key that is missing: the server must not run without what it needs
 */
export async function openSealer(sql: Sql, keys: readonly Buffer[], log: Pick<Logger, 'info'>): Promise<Sealer> {
  if (keys.length === 0) await makeOwnKey(sql)
  const own = await findOwnKey(sql)
  const sealer = new Sealer([...keys, ...(own ? [own] : [])])
  const used = await readKeyIds(sql)
  requireKeys(used, sealer.keyIds, 'secrets in the database are')
  if (keys.length === 0) {
    log.info({}, 'secrets are sealed with a key in the database: set SECRETS_KEY to keep it apart from backups')
  } else if (keys.length > 1 && used.every((id) => id === sealer.keyId)) {
    log.info({ key: sealer.keyId }, 'all secrets are sealed with the first key of SECRETS_KEY: the others can go')
  }
  return sealer
}

/**
 * Returns the ids of the keys that the operator must give to open what a database holds: all with which something is
 * sealed, except the database's own.
 */
export async function readNeededKeys(sql: Reads): Promise<string[]> {
  const own = await findOwnKey(sql)
  const ownId = own && keyIdOf(own)
  return (await readKeyIds(sql)).filter((id) => id !== ownId)
}

/** @throws Error when one is missing @param what is sealed: `the backup in … is` */
export function requireKeys(needed: readonly string[], given: readonly string[], what: string): void {
  const missing = needed.filter((id) => !given.includes(id))
  if (missing.length === 0) return
  throw new Error(
    `${what} sealed with the key ${missing.join(', ')}, which SECRETS_KEY lacks: ` +
      'give the key with which that installation was run',
  )
}

/** Returns the ids of the keys with which something is sealed. */
async function readKeyIds(sql: Reads): Promise<string[]> {
  const ids = Object.values(SEALED).map(
    ({ table, column }) => `select ${keyIdSql(column)} as id from ${table} where ${isSealedSql(column)}`,
  )
  const rows = await sql.query<{ id: string }>(`${ids.join(' union ')} order by id`)
  return rows.map(({ id }) => id)
}

async function makeOwnKey(sql: Sql): Promise<void> {
  // Another node may have made it: the stored one counts.
  await sql.query('insert into server_secret (name, value) values ($1, $2) on conflict do nothing', [
    OWN_KEY,
    randomBytes(KEY_BYTES).toString('base64url'),
  ])
}

async function findOwnKey(sql: Reads): Promise<Buffer | null> {
  const [found] = await sql.query<{ value: string }>('select value from server_secret where name = $1', [OWN_KEY])
  return found ? Buffer.from(found.value, 'base64url') : null
}
