import { leastIdAt } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import { pruneVersions } from '../../workflows/workflow-versions.js'

const DAY_MS = 86_400_000
/** Maximum per run; the next run prunes the rest. */
const PRUNED_MAX = 20_000

/**
 * Deletes old routing decisions, except those of queued conversations, which routing may still need, with the offers of
 * their queueings, and versions of workflows that no remaining decision refers to. Of each conversation, the last offer
 * that was accepted stays: its agent is preferred when the consumer returns. Reports count milestones, not offers.
 */
export async function pruneRoutingDecisions(sql: Sql, now: Date, days: number): Promise<void> {
  const before = new Date(now.getTime() - days * DAY_MS)
  const first = leastIdAt(before)
  await sql.query(
    `with gone as (
       delete from routing_decision where id in (
         select d.id from routing_decision d join conversation c on c.id = d.conversation_id
         where d.id < $1 and c.status <> 'queued' order by d.id limit $2)
       returning conversation_id, queueing
     ), last as (
       select conversation_id, max(queueing) as queueing from gone group by conversation_id
     )
     delete from offer o using last
     where o.conversation_id = last.conversation_id and o.queueing <= last.queueing and o.outcome is not null
       and (o.outcome <> 'accepted' or exists (
         select from offer l where l.conversation_id = o.conversation_id and l.outcome = 'accepted'
           and l.made_at > o.made_at))`,
    [first, PRUNED_MAX],
  )
  const kept = await sql.query<{ id: string; version: string }>(
    `select distinct w ->> 'id' as id, w ->> 'version' as version
     from routing_decision d cross join lateral jsonb_array_elements(d.workflows) as w where d.id < $1`,
    [first],
  )
  await pruneVersions(sql, before, kept)
}
