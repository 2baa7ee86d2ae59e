import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { defineJob } from '../jobs/job-type.js'
import { addJobs } from '../jobs/job.js'
import type { QueueRegistration } from './lost-subscribers.js'
import { DEAD_AFTER_SECONDS, HEARTBEAT_MS, PRESENCE_COMPLETE_MS } from './presence-times.js'

/** Delay of a statement that ends the grace period. */
const MARGIN_MS = 3_000

/**
 * Job: the subscribers of these `channels` did not come back, or were on a dead node, so that the channels wrongly counted
 * as online since `since`.
 */
export const SUBSCRIBERS_LOST = defineJob<{ channels: string[]; since: string }>('presence.lost', {
  channels: 'array',
  since: 'string',
})
/** Job: the subscribers of these `channels` were ignored for a while. */
export const SUBSCRIBERS_BACK = defineJob<{ channels: string[] }>('presence.back', { channels: 'array' })

/** Removes lost subscribers, with the job for the conversations that only they could see. */
export async function removeLost(
  sql: Sql,
  clock: Clock,
  ended: readonly QueueRegistration[],
  graceMs: number,
): Promise<void> {
  const lost = await sql.query<{ channel_id: string; since: Date }>(REMOVE_LOST, [
    ended.map(({ subscription }) => subscription),
    ended.flatMap(({ channels }) => channels),
    DEAD_AFTER_SECONDS,
    graceMs + MARGIN_MS,
  ])
  await addLost(sql, lost, clock)
}

/** Removes dead nodes, with the job for the conversations that only their subscribers could see. */
export async function reapDeadNodes(sql: Sql, clock: Clock, graceMs: number): Promise<void> {
  const values = [DEAD_AFTER_SECONDS, HEARTBEAT_MS + graceMs, PRESENCE_COMPLETE_MS]
  await addLost(sql, await sql.query<{ channel_id: string; since: Date }>(REAP_DEAD_NODES, values), clock)
}

async function addLost(sql: Sql, lost: readonly { channel_id: string; since: Date }[], clock: Clock): Promise<void> {
  if (lost.length === 0) return
  const since = new Date(Math.min(...lost.map((row) => row.since.getTime()))).toISOString()
  const payload = { channels: lost.map((row) => row.channel_id), since }
  await addJobs(sql, [SUBSCRIBERS_LOST.create(payload)], clock)
}

const REMOVE_LOST = `
with gone as (
  delete from queue_subscriber where subscription_id = any($1::uuid[]) and channel_id = any($2::uuid[])
  returning channel_id
)
select distinct g.channel_id, now() - make_interval(secs => $4 / 1000.0) as since from gone g
where not exists (
  select 1 from queue_subscriber other join node n on n.id = other.node_id
  where other.channel_id = g.channel_id and other.subscription_id <> all($1::uuid[])
    and n.seen_at > now() - make_interval(secs => $3))
order by g.channel_id`

/**
 * Deletes their subscribers too, unless all were away: then those that are not back yet may be. `since` is one heartbeat and the grace period early: it may have lost subscribers just
 * before.
 */
const REAP_DEAD_NODES = `
with dead as (
  select id, seen_at from node where seen_at < now() - make_interval(secs => $1)
    and not exists (select 1 from node n where n.seen_at >= now() - make_interval(secs => $1)
      and n.again_at > now() - make_interval(secs => $3 / 1000.0))
  for update skip locked
), buried as (
  delete from node where id in (select id from dead)
)
select q.channel_id, min(d.seen_at) - make_interval(secs => $2 / 1000.0) as since
from queue_subscriber q join dead d on d.id = q.node_id
where not exists (
  select 1 from queue_subscriber other join node n on n.id = other.node_id
  where other.channel_id = q.channel_id and n.seen_at >= now() - make_interval(secs => $1))
group by q.channel_id order by q.channel_id`
