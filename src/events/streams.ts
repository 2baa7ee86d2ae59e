import type { Sql } from '../db/database.js'
import type { NewEvent, StoredEvent } from './event.js'

/**
 * Appends events; must be the last statement before the commit. A stream's counter row is taken in the order of stream
 * names and held until then, so that numbers are gap-free, in commit order, and no two writers deadlock.
 */
export async function appendEvents(sql: Sql, events: readonly NewEvent[], at: Date): Promise<StoredEvent[]> {
  if (events.length === 0) return []
  const input = events.map(({ stream, type, data }, ord) => ({ stream, type, data, ord }))
  const rows = await sql.query<{ ord: number; number: number }>(APPEND, [JSON.stringify(input), at], 'append-events')
  const stored = new Array<StoredEvent>(events.length)
  for (const { ord, number } of rows) stored[ord] = { ...events[ord]!, number, at }
  return stored
}

const APPEND = `
with input as materialized (
  select x.ord, x.stream, x.type, x.data, row_number() over (partition by x.stream order by x.ord) as nth
  from jsonb_to_recordset($1::jsonb) as x(ord int, stream text, type text, data jsonb)
), counted as (
  select stream, count(*) as added from input group by stream order by stream
), heads as (
  insert into stream as s (name, head) select stream, added from counted order by stream
  on conflict (name) do update set head = s.head + excluded.head
  returning s.name, s.head
), appended as (
  insert into event (stream, number, type, at, data)
  select i.stream, h.head - c.added + i.nth, i.type, $2, i.data
  from input i join counted c on c.stream = i.stream join heads h on h.name = i.stream
)
select i.ord, h.head - c.added + i.nth as number
from input i join counted c on c.stream = i.stream join heads h on h.name = i.stream`

export interface StreamHead {
  name: string
  /** A short number for cursors. */
  key: number
  /** The number of the newest event; 0 when there is none. */
  head: number
}

/** Makes the streams that do not exist yet, so that each has a key. Its own transaction; cheap when they exist. */
export async function ensureStreams(sql: Sql, names: readonly string[]): Promise<void> {
  await sql.query(
    `insert into stream (name, head) select wanted, 0 from unnest($1::text[]) as wanted
     where not exists (select 1 from stream s where s.name = wanted) order by wanted on conflict do nothing`,
    [names],
  )
}

export async function readHeads(sql: Sql, names: readonly string[]): Promise<Map<string, StreamHead>> {
  const rows = await sql.query<StreamHead>('select name, key, head from stream where name = any($1::text[])', [names])
  return new Map(rows.map((row) => [row.name, row]))
}

/** Events of one stream past `after`, oldest first. The first one's number tells whether events have expired. */
export function readEvents(sql: Sql, stream: string, after: number, limit: number): Promise<StoredEvent[]> {
  return sql.query<StoredEvent>(
    'select stream, number, type, at, data from event where stream = $1 and number > $2 order by number limit $3',
    [stream, after, limit],
    'read-events',
  )
}

/** Names this database's history: a cursor of another epoch (a restored backup, another server) is not honoured. */
export async function readEpoch(sql: Sql): Promise<number> {
  const rows = await sql.query<{ epoch: number }>('select epoch from installation')
  return rows[0]!.epoch
}
