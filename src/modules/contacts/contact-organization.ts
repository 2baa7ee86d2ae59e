import { reading, type ReadSql } from '../../platform/db/sql.js'
import type { OrganizationPath } from '../../platform/db/tenancy.js'

/**
 * Returns the country (two letters) of the organization, else of the nearest ancestor: for national telephone numbers.
 */
export async function countryOf(sql: ReadSql, path: OrganizationPath): Promise<string | null> {
  const rows = await sql.query<{ country: string }>(
    reading(
      'select country from organization where id = any($1::uuid[]) and country is not null order by level desc limit 1',
    ),
    [path.filter(Boolean)],
    'country-of',
  )
  return rows[0]?.country ?? null
}
