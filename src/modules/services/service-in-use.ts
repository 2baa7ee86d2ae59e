import type { Sql } from '../../platform/db/sql.js'

/**
 * SQL: whether a service is switched on. One that is failing is: what its provider refuses waits for an administrator, and consumers
 * can write.
 */
export const isServiceInUseSql = (service = ''): string =>
  `${service === '' ? '' : `${service}.`}status in ('active', 'failing')`

/**
 * Finds services that are in use and have no job of a kind coming: it was given up, or a restored database has none.
 * @param more a condition on services, in SQL
 */
export async function servicesWithoutJob(
  sql: Pick<Sql, 'query'>,
  kind: string,
  types: readonly string[],
  more: string,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from service s where type = any($1::text[]) and ${isServiceInUseSql('s')} and ${more}
       and not exists (select from job where kind = $2 and payload ->> 'service' = s.id::text and run_at < 'infinity')`,
    [types, kind],
  )
  return rows.map(({ id }) => id)
}
