import { randomInt } from 'node:crypto'
import type { Sql } from '../db/database.js'
import type { JsonObject } from '../json.js'
import type { NewEvent, StoredEvent, StreamPosition } from './event.js'

/**
 * Appends events; must be the last statement before the commit. Stream counters are locked in the order of stream names
 * and held until then, so that numbers are gap-free, in commit order, and writers do not deadlock.
 */
export async function appendEvents(sql: Sql, events: readonly NewEvent[], at: Date): Promise<StoredEvent[]> {
  if (events.length === 0) return []
  const input = inputOf(events)
  const [text, name] = input.some(({ of }) => of !== undefined)
    ? [APPEND_SHARED, 'append-shared-events']
    : [APPEND, 'append-events']
  const tag = newTag()
  const values = [JSON.stringify(input), at, tag]
  sql.prove?.({ text: APPENDED, values: [events[0]!.stream, at, tag] })
  const [{ ords, numbers, previous }] = (await sql.query<Appended>(text, values, name)) as [Appended]
  const stored = new Array<StoredEvent>(events.length)
  for (const [row, ord] of ords.entries()) {
    const { stream, type, data, actor, traceparent } = events[ord]!
    stored[ord] = { stream, type, data, actor, number: numbers[row]!, at, tag, previous: previous[row]! }
    if (traceparent !== undefined) stored[ord].traceparent = traceparent
  }
  return stored
}

/** Columns of the appended events: one row, since `pg` takes longer for a row than for the event in it. */
interface Appended {
  ords: number[]
  numbers: number[]
  previous: number[]
}

interface InputEvent {
  ord: number
  stream: string
  type: string
  /** Absent if the event named by `of` has it. */
  data?: JsonObject
  /** For events that share data, the index of the first one, which stores it. */
  of?: number
}

function inputOf(events: readonly NewEvent[]): InputEvent[] {
  const first = new Map<JsonObject, number>()
  return events.map(({ stream, type, data, shared }, ord) => {
    if (!shared) return { stream, type, data, ord }
    const of = first.get(shared)
    if (of !== undefined) return { stream, type, ord, of }
    first.set(shared, ord)
    return { stream, type, data: shared, ord, of: ord }
  })
}

/** No other transaction appends to the stream with this tag. */
const APPENDED = 'select from event where stream = $1 and at = $2 and tag = $3 limit 1'

/** From this process's generator: one restored with the database would repeat tags. */
const newTag = (): number => randomInt(1, 2 ** 31)

/** @param own further columns to read of each event; @param appended the columns of its row */
const appendSql = (own: string, appended: string): string => `
with input as materialized (
  select x.*, row_number() over (partition by x.stream order by x.ord) as nth
  from jsonb_to_recordset($1::jsonb) as x(ord int, stream text, type text, data jsonb${own})
), counted as (
  select stream, count(*) as added from input group by stream order by stream
), heads as (
  insert into stream as s (name, head, tag) select stream, added, $3 from counted order by stream
  on conflict (name) do update set head = s.head + excluded.head, previous = s.tag, tag = excluded.tag
  returning s.name, s.head, s.previous
), numbered as (
  select i.*, h.head - c.added + i.nth as number, case when i.nth = 1 then h.previous else $3::int end as previous
  from input i join counted c on c.stream = i.stream join heads h on h.name = i.stream
), appended as (
  insert into event (stream, number, type, at, tag, previous, ${appended}
)
select json_agg(ord) as ords, json_agg(number) as numbers, json_agg(previous) as previous from numbered`

const APPEND = appendSql(
  '',
  `data)
  select stream, number, type, $2, $3, previous, data from numbered`,
)

const APPEND_SHARED = appendSql(
  ', "of" int',
  `data, of_stream, of_number)
  select n.stream, n.number, n.type, $2, $3, n.previous,
    case when n."of" is null then n.data
      when n."of" = n.ord then n.data else '{}' end,
    case when n."of" <> n.ord then o.stream end,
    case when n."of" <> n.ord then o.number end
  from numbered n left join numbered o on o.ord = n."of"`,
)

/**
 * SQL: the data of the event at `alias`. Shared data has the time of the event that stores it, so that they expire
 * together.
 */
export const eventDataSql = (alias: string): string => `case when ${alias}.of_stream is null then ${alias}.data else (
  select o.data from event o where o.stream = ${alias}.of_stream and o.number = ${alias}.of_number and o.at = ${alias}.at) end`

export interface StreamHead {
  name: string
  /** A short number for cursors. */
  key: number
  /** The newest event. */
  head: StreamPosition
}

/** Creates missing streams, so that each has a key. Runs in its own transaction; cheap when they exist. */
export async function ensureStreams(sql: Sql, names: readonly string[]): Promise<void> {
  await sql.query(
    `insert into stream (name, head, tag) select wanted, 0, $2 from unnest($1::text[]) as wanted
     where not exists (select 1 from stream s where s.name = wanted) order by wanted on conflict do nothing`,
    [names, newTag()],
  )
}

/** Reads the heads of the streams that exist. */
export async function readHeads(sql: Sql, names: readonly string[]): Promise<Map<string, StreamHead>> {
  const rows = await sql.query<{ name: string; key: number; head: number; tag: number }>(
    'select name, key, head, tag from stream where name = any($1::text[])',
    [names],
  )
  return new Map(rows.map(({ name, key, head, tag }) => [name, { name, key, head: { number: head, tag } }]))
}

const EVENT = `e.number, e.type, e.at, ${eventDataSql('e')} as data, e.tag, e.previous`
const PAST = `from event e where e.stream = $1 and e.number > $2 order by e.number limit $3`

/** Reads events of one stream after `after`, oldest first. The first one shows whether events have expired. */
export function readEvents(sql: Sql, stream: string, after: number, limit: number): Promise<StoredEvent[]> {
  return sql.query<StoredEvent>(`select e.stream, ${EVENT} ${PAST}`, [stream, after, limit], 'read-events')
}

/** Reads the same, with the stream's newest event as of the same moment; null for a missing stream. */
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

/** Reads the installation's epoch, a part of the ids of its events: a copy keeps it, so that a replay names them as before. */
export async function readEpoch(sql: Sql): Promise<number> {
  const rows = await sql.query<{ epoch: number }>('select epoch from installation')
  return rows[0]!.epoch
}
