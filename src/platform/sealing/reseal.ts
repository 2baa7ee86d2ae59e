import type { Logger } from 'pino'
import type { Sql } from '../db/database.js'
import { Unavailable } from '../errors.js'
import { SEALED, type SealedPlace } from './sealed-places.js'
import { isSealedSql, keyIdSql, type Sealer } from './sealer.js'

/** In a round: a transaction that holds the rows until its end. */
const ROWS_MAX = 5_000

/** Values that cannot be opened here; all others are sealed anew. */
interface Shut {
  /** Ids of keys that this node lacks. */
  keys: Set<string>
  /** Ids of rows that were changed, or sealed for another row. */
  rows: Set<string>
}

/**
 * Returns the task that seals with the first key what is sealed with another, so that old keys can go. Names once what it cannot
 * open.
 */
export function resealing(
  sealer: Sealer,
  log: Pick<Logger, 'info' | 'warn'>,
): { name: string; run(sql: Sql): Promise<void> } {
  const shut: Shut = { keys: new Set(), rows: new Set() }
  return {
    name: 'sealed secrets',
    async run(sql) {
      let count = 0
      for (const place of Object.values(SEALED)) count += await reseal(sql, { sealer, place, shut, log })
      if (count > 0) log.info({ count, key: sealer.keyId }, 'sealed secrets anew with the first key of SECRETS_KEY')
    },
  }
}

async function reseal(
  sql: Sql,
  { sealer, place, shut, log }: { sealer: Sealer; place: SealedPlace; shut: Shut; log: Pick<Logger, 'warn'> },
): Promise<number> {
  const { table, column, id } = place
  const rows = await sql.query<{ id: string; key: string; sealed: string }>(
    `select ${id}::text as id, ${keyIdSql(column)} as key, ${column} as sealed from ${table}
     where ${isSealedSql(column)} and ${keyIdSql(column)} <> all($1) and ${id}::text <> all($2)
     limit ${ROWS_MAX} for update skip locked`,
    [[sealer.keyId, ...shut.keys], [...shut.rows]],
  )
  let count = 0
  for (const row of rows) {
    if (shut.keys.has(row.key)) continue
    const text = opened(sealer, place, row)
    if (text instanceof Error) {
      if (text instanceof Unavailable) shut.keys.add(row.key)
      else shut.rows.add(row.id)
      log.warn({ err: text }, 'a sealed secret cannot be sealed anew')
      continue
    }
    await sql.query(`update ${table} set ${column} = $2 where ${id} = $1`, [row.id, sealer.seal(place, row.id, text)])
    count += 1
  }
  return count
}

function opened(sealer: Sealer, place: SealedPlace, { id, sealed }: { id: string; sealed: string }): string | Error {
  try {
    return sealer.open(place, id, sealed)
  } catch (error) {
    return error as Error
  }
}
