import type { Logger } from 'pino'
import type { Sql } from '../db/database.js'
import { SEALED, type SealedPlace } from './sealed-places.js'
import { isSealedSql, keyIdSql, type Sealer } from './sealer.js'

/** In a round: a transaction that holds the rows until its end. */
const ROWS_MAX = 5_000

/** Returns the task that seals with the first key what is sealed with another, so that old keys can go. */
export function resealing(sealer: Sealer, log: Pick<Logger, 'info'>): { name: string; run(sql: Sql): Promise<void> } {
  return {
    name: 'sealed secrets',
    async run(sql) {
      let count = 0
      for (const place of Object.values(SEALED)) count += await reseal(sql, sealer, place)
      if (count > 0) log.info({ count, key: sealer.keyId }, 'sealed secrets anew with the first key of SECRETS_KEY')
    },
  }
}

async function reseal(sql: Sql, sealer: Sealer, place: SealedPlace): Promise<number> {
  const { table, column, id } = place
  const rows = await sql.query<{ id: string; sealed: string }>(
    `select ${id}::text as id, ${column} as sealed from ${table}
     where ${isSealedSql(column)} and ${keyIdSql(column)} <> $1 limit ${ROWS_MAX} for update skip locked`,
    [sealer.keyId],
  )
  for (const row of rows) {
    const sealed = sealer.seal(place, row.id, sealer.open(place, row.id, row.sealed))
    await sql.query(`update ${table} set ${column} = $2 where ${id} = $1`, [row.id, sealed])
  }
  return rows.length
}
