import type { Sql } from '../db/database.js'
import { DEAD_AFTER_SECONDS, PRESENCE_COMPLETE_MS } from './presence-times.js'

/** Finds which of some channels are online. */
export interface OnlineChannels {
  online: ReadonlySet<string>
  /** False while some nodes may not have registered their subscribers again: see {@link PRESENCE_COMPLETE_MS}. */
  isComplete: boolean
}

const NONE: OnlineChannels = { online: new Set(), isComplete: true }

/**
 * Returns which of the channels have an active subscriber, and blocks new subscribers of the others until the end of the
 * transaction. Channels that have one are not locked: a further one changes nothing. Locks in the order of ids; take
 * conversations' locks first.
 */
export async function lockOnlineChannels(sql: Sql, channels: readonly string[]): Promise<OnlineChannels> {
  if (channels.length === 0) return NONE
  // Sent together: the second reads after the first has its locks.
  const [before, { online, isComplete }] = await Promise.all([
    sql.query<{ channel_id: string }>(LOCK_OFFLINE, [channels, DEAD_AFTER_SECONDS], 'lock-offline-channels'),
    readOnlineChannels(sql, channels),
  ])
  return { online: new Set([...before.map((row) => row.channel_id), ...online]), isComplete }
}

/** Returns which of the channels have an active subscriber now. */
export async function readOnlineChannels(sql: Sql, channels: readonly string[]): Promise<OnlineChannels> {
  if (channels.length === 0) return NONE
  const [rows, isComplete] = await Promise.all([
    sql.query<{ channel_id: string }>(ONLINE, [channels, DEAD_AFTER_SECONDS], 'online-channels'),
    isPresenceComplete(sql),
  ])
  return { online: new Set(rows.map((row) => row.channel_id)), isComplete }
}

/** Returns whether all nodes have had the time to register their subscribers again. */
export async function isPresenceComplete(sql: Sql): Promise<boolean> {
  const values = [DEAD_AFTER_SECONDS, PRESENCE_COMPLETE_MS]
  const [row] = await sql.query<{ isComplete: boolean }>(IS_COMPLETE, values, 'presence-is-complete')
  return row!.isComplete
}

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
select coalesce(bool_and(again_at is null
  or again_at <> 'infinity' and again_at not between now() - make_interval(secs => $2 / 1000.0) and now()), false) as "isComplete"
from node where seen_at > now() - make_interval(secs => $1)`
