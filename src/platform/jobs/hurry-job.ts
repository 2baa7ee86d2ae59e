import type { Sql } from '../db/sql.js'

/** Has the waiting job of a key run at a time at the latest. @returns true if there is one; one that runs counts, and one that was given up does not */
export async function hurryJob(sql: Pick<Sql, 'query'>, key: string, at: Date): Promise<boolean> {
  const pending = await sql.query(HURRY, [key, at])
  return pending.length > 0
}

const HURRY = `
with pending as (
  update job set run_at = case when leased_by is null then least(run_at, $2) else run_at end
  where key = $1 and run_at < 'infinity' returning key
), hurried as (
  update job_partition set due_at = $2, version = version + 1
  where key in (select key from pending) and leased_by is null and due_at > $2 returning 1
) select key from pending limit 1`
