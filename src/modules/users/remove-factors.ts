import type { Sql } from '../../platform/db/database.js'

/** Removes a user's second factor with its recovery codes. Needs the lock of the user. @returns whether there was one */
export async function removeFactors(sql: Pick<Sql, 'query'>, user: string): Promise<boolean> {
  await sql.query('delete from recovery_code where user_id = $1', [user])
  const removed = await sql.query<{ confirmed_at: Date | null }>(
    'delete from user_factor where user_id = $1 returning confirmed_at',
    [user],
  )
  return removed.some(({ confirmed_at: confirmedAt }) => confirmedAt !== null)
}
