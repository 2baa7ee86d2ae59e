import type { Sql } from '../../platform/db/sql.js'

/** Tells whether a user supervises a channel of this organization itself. */
export async function supervisesIn(sql: Sql, user: string, organization: string): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from channel_member m join channel c on c.id = m.channel_id
     where m.user_id = $1 and m.supervisor and c.organization_id = $2 limit 1`,
    [user, organization],
  )
  return rows.length > 0
}
