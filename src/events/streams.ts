import { randomInt } from 'node:crypto'
import type { Sql } from '../db/database.js'
import type { NewEvent, StoredEvent, StreamPosition } from './event.js'

/**
 * Appends events; must be the last statement before the commit. A stream's counter row is taken in the order of stream
 * names and held until then, so that numbers are gap-free, in commit order, and no two writers deadlock.
 */
export async function appendEvents(sql: Sql, events: readonly NewEvent[], at: Date): Promise<StoredEvent[]> {
  if (events.length === 0) return []
  const input = events.map(({ stream, type, data }, ord) => ({ stream, type, data, ord }))
  const tag = newTag()
  const values = [JSON.stringify(input), at, tag]
  const rows = await sql.query<{ ord: number; number: number; previous: number }>(APPEND, values, 'append-events')
  const stored = new Array<StoredEvent>(events.length)
  for (const { ord, number, previous } of rows) stored[ord] = { ...events[ord]!, number, at, tag, previous }
  return stored
}

/** Of this process's own generator: one restored with the database would give the same tags again. */
const newTag = (): number => randomInt(1, 2 ** 31)

const APPEND = `
with input as materialized (
  select x.ord, x.stream, x.type, x.data, row_number() over (partition by x.stream order by x.ord) as nth
  from jsonb_to_recordset($1::jsonb) as x(ord int, stream text, type text, data jsonb)
), counted as (
  select stream, count(*) as added from input group by stream order by stream
), heads as (
  insert into stream as s (name, head, tag) select stream, added, $3 from counted order by stream
  on conflict (name) do update set head = s.head + excluded.head, previous = s.tag, tag = excluded.tag
  returning s.name, s.head, s.previous
), numbered as (
  select i.ord, i.stream, i.type, i.data, h.head - c.added + i.nth as number,
    case when i.nth = 1 then h.previous else $3::int end as previous
  from input i join counted c on c.stream = i.stream join heads h on h.name = i.stream
), appended as (
  insert into event (stream, number, type, at, data, tag, previous)
  select stream, number, type, $2, data, $3, previous from numbered
)
select ord, number, previous from numbered`

export interface StreamHead {
  name: string
  /** A short number for cursors. */
  key: number
  /** The newest event. */
  head: StreamPosition
}

/** Makes the streams that do not exist yet, so that each has a key. Its own transaction; cheap when they exist. */
export async function ensureStreams(sql: Sql, names: readonly string[]): Promise<void> {
  await sql.query(
    `insert into stream (name, head, tag) select wanted, 0, $2 from unnest($1::text[]) as wanted
     where not exists (select 1 from stream s where s.name = wanted) order by wanted on conflict do nothing`,
    [names, newTag()],
  )
}

/** Of those streams that exist. */
export async function readHeads(sql: Sql, names: readonly string[]): Promise<Map<string, StreamHead>> {
  const rows = await sql.query<{ name: string; key: number; head: number; tag: number }>(
    'select name, key, head, tag from stream where name = any($1::text[])',
    [names],
  )
  return new Map(rows.map(({ name, key, head, tag }) => [name, { name, key, head: { number: head, tag } }]))
}

const EVENT = 'e.number, e.type, e.at, e.data, e.tag, e.previous'
const PAST = `from event e where e.stream = $1 and e.number > $2 order by e.number limit $3`

/** Events of one stream past `after`, oldest first. The first one tells whether events have expired. */
export function readEvents(sql: Sql, stream: string, after: number, limit: number): Promise<StoredEvent[]> {
  return sql.query<StoredEvent>(`select e.stream, ${EVENT} ${PAST}`, [stream, after, limit], 'read-events')
}

/** The same, with the stream's newest event as of the same moment; null for a stream that does not exist. */
export async function readOn(
  sql: Sql,
  stream: string,
  after: number,
  limit: number,
): Promise<{ head: StreamPosition; events: StoredEvent[] } | null> {
  const rows = await sql.query<StoredEvent & { head: number; headTag: number }>(
    `select s.name as stream, s.head, s.tag as "headTag", x.*
     from stream s left join lateral (select ${EVENT} ${PAST}) x on true where s.name = $1 order by x.number`,
    [stream, after, limit],
    'read-stream-on',
  )
  const [first] = rows
  if (!first) return null
  const events = rows
    .filter(({ number }) => number !== null)
    .map(({ head: _head, headTag: _headTag, ...event }) => event)
  return { head: { number: first.head, tag: first.headTag }, events }
}

/** Names the installation: two that share a Redis do not hear each other. */
export async function readEpoch(sql: Sql): Promise<number> {
  const rows = await sql.query<{ epoch: number }>('select epoch from installation')
  return rows[0]!.epoch
}
