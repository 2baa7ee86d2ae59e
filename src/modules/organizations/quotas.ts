import type { Sql } from '../../platform/db/database.js'
import { Unprocessable } from '../../platform/errors.js'

/** Records of a contact center that its operator bounds. */
export type Counted = 'users' | 'organizations'

/** Bots count as users, archived users do not; organizations are those of level 2 and 3. */
const COUNTS: Readonly<Record<Counted, string>> = {
  users: `select count(*)::int as count from app_user where org1 = $1 and status <> 'archived'`,
  organizations: 'select count(*)::int as count from organization where org1 = $1 and level > 1',
}

/**
 * Refuses what is beyond the contact center's quota. To be called before one is added, in its transaction: those of one
 * contact center wait for each other where there is a quota.
 * @throws Unprocessable naming the quota
 */
export async function requireRoom(sql: Sql, center: string, counted: Counted): Promise<void> {
  const [quota] = await sql.query<{ max: number }>(
    `select ${counted}_max as max from contact_center where org1 = $1 and ${counted}_max is not null for update`,
    [center],
  )
  if (!quota) return
  const [found] = await sql.query<{ count: number }>(COUNTS[counted], [center])
  if (found!.count < quota.max) return
  throw new Unprocessable(`the contact center has its quota of ${quota.max} ${counted}`, {
    quota: counted,
    max: quota.max,
  })
}

/** Counts what quotas bound, of several contact centers. */
export async function countUsedOf(sql: Sql, centers: readonly string[]): Promise<Map<string, Record<Counted, number>>> {
  const rows = await sql.query<Record<Counted, number> & { center: string }>(
    `select c.center, users.count as users, organizations.count as organizations
     from unnest($1::uuid[]) as c(center)
     cross join lateral (${COUNTS.users.replace('$1', 'c.center')}) users
     cross join lateral (${COUNTS.organizations.replace('$1', 'c.center')}) organizations`,
    [centers],
    'count-used',
  )
  return new Map(rows.map(({ center, ...used }) => [center, used]))
}
