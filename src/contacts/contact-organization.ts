import type { Sql } from '../db/database.js'
import type { OrganizationPath } from '../db/tenancy.js'

/**
 * Returns the country (two letters) of the organization, else of the nearest ancestor: for national telephone numbers.
 */
export async function countryOf(sql: Sql, path: OrganizationPath): Promise<string | null> {
  const rows = await sql.query<{ country: string }>(
    'select country from organization where id = any($1::uuid[]) and country is not null order by level desc limit 1',
    [path.filter(Boolean)],
    'country-of',
  )
  return rows[0]?.country ?? null
}
