import type { Sql } from '../db/database.js'
import { DEAD_AFTER_SECONDS, HEARTBEAT_MS } from './presence-times.js'

/** Which of some channels are online. */
export interface OnlineChannels {
  online: Set<string>
  /** False while some nodes may not have registered their subscribers again: see {@link PRESENCE_COMPLETE_MS}. */
  isComplete: boolean
}

/**
 * Returns which of the channels have an active subscriber, and blocks new subscribers of the others until the end of the
 * transaction. Channels that have one are not locked: a further one changes nothing. Locks in the order of ids; take
 * conversations' locks first.
 */
export async function lockOnlineChannels(sql: Sql, channels: readonly string[]): Promise<OnlineChannels> {
  if (channels.length === 0) return { online: new Set(), isComplete: true }
  const values = [channels, DEAD_AFTER_SECONDS]
  // Sent together: the second reads after the first has its locks.
  const [before, after, isComplete] = await Promise.all([
    sql.query<{ channel_id: string }>(LOCK_OFFLINE, values, 'lock-offline-channels'),
    sql.query<{ channel_id: string }>(ONLINE, values, 'online-channels'),
    isPresenceComplete(sql),
  ])
  return { online: new Set([...before, ...after].map((row) => row.channel_id)), isComplete }
}

/** Returns which of the channels have an active subscriber now. */
export async function onlineAmong(sql: Sql, channels: readonly string[]): Promise<Set<string>> {
  if (channels.length === 0) return new Set()
  const rows = await sql.query<{ channel_id: string }>(ONLINE, [channels, DEAD_AFTER_SECONDS], 'online-channels')
  return new Set(rows.map((row) => row.channel_id))
}

/** Returns whether all nodes have had the time to register their subscribers again. */
export async function isPresenceComplete(sql: Sql): Promise<boolean> {
  const values = [DEAD_AFTER_SECONDS, PRESENCE_COMPLETE_MS]
  const [row] = await sql.query<{ isComplete: boolean }>(IS_COMPLETE, values, 'presence-is-complete')
  return row!.isComplete
}

/**
 * After a failover or a crash of PostgreSQL, which empties the unlogged tables of the presence, each node registers again
 * by its next heartbeat: nobody is believed to be offline until this long after a node has done so.
 */
export const PRESENCE_COMPLETE_MS = HEARTBEAT_MS + 500

const ONLINE = `
select distinct q.channel_id from queue_subscriber q join node n on n.id = q.node_id
where q.channel_id = any($1::uuid[]) and n.seen_at > now() - make_interval(secs => $2)`

const LOCK_OFFLINE = `
with online as materialized (${ONLINE}
), locked as materialized (
  select id from channel where id = any($1::uuid[]) and id not in (select channel_id from online) order by id for share
)
select channel_id from online where (select count(*) from locked) >= 0`

// The node that asks is alive: without any row, its own is lost too.
const IS_COMPLETE = `
select coalesce(bool_and(again_at is null or again_at not between now() - make_interval(secs => $2 / 1000.0) and now()), false) as "isComplete"
from node where seen_at > now() - make_interval(secs => $1)`
