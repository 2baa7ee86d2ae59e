import type { Sql } from '../../../platform/db/database.js'

/** An author that repeats itself is told for this time how its stream ended. */
const ENDED_MS = 86_400_000

/** Forgets streams that have ended. */
export async function pruneStreams(sql: Sql, now: Date): Promise<void> {
  await sql.query('delete from message_stream where ending is not null and touched_at < $1', [
    new Date(now.getTime() - ENDED_MS),
  ])
}
