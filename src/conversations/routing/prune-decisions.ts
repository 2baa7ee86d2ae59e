import type { Sql } from '../../db/database.js'

const DAY_MS = 86_400_000
/** A round; what is left is pruned in the next one. */
const PRUNED_MAX = 20_000

/** Forgets why conversations were routed as they were, but for those that are queued still and may be routed on by it. */
export async function pruneRoutingDecisions(sql: Sql, now: Date, days: number): Promise<void> {
  await sql.query(
    `delete from routing_decision where id in (
       select d.id from routing_decision d join conversation c on c.id = d.conversation_id
       where d.id < $1 and c.status <> 'queued' order by d.id limit $2)`,
    [firstIdOf(now.getTime() - days * DAY_MS), PRUNED_MAX],
  )
}

/** The least UUIDv7 of a time: ids are in the order of their creation, and have an index. */
function firstIdOf(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
