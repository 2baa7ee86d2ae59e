import type { Sql } from '../../platform/db/database.js'

/**
 * Ends a user's sign-ins. `AccessChanges` must be told after the commit.
 * @param except the caller's own, which goes on
 */
export async function endSignIns(
  sql: Pick<Sql, 'query'>,
  { user, now, except = null }: { user: string; now: Date; except?: string | null },
): Promise<void> {
  await sql.query(
    `update token_family set revoked_at = $2
     where user_id = $1 and revoked_at is null and id is distinct from $3::uuid`,
    [user, now, except],
  )
}
