import type { Sql } from '../../../platform/db/database.js'
import { eventDataSql } from '../../../platform/events/streams.js'
import type { JsonObject } from '../../../platform/json.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { EventContext } from '../resources.js'
import { SETTLED_SQL, type FeedCursor, type FeedPosition } from './feed-position.js'

/** A feed, as of a read. */
export interface StoredFeed {
  id: string
  begunAt: Date | null
  /** True while its positions are those of the server from which the database was restored. */
  isOther: boolean
  /** The greatest position that has expired. */
  expired: FeedCursor | null
  /** The transaction below which everything is there to be read. */
  settled: number
}

/** SQL: what tells servers of PostgreSQL apart, of which each has transaction ids of its own. */
export const SERVER_SQL = '(select system_identifier from pg_control_system())'

/** Reads the feed of a service; null for a service without one. */
export async function readFeed(sql: Sql, service: string): Promise<StoredFeed | null> {
  const [row] = await sql.query<Record<string, unknown>>(
    `select f.id, f.begun_at, f.database_id <> ${SERVER_SQL} as is_other, ${SETTLED_SQL} as settled,
       f.expired_xid, f.expired_number, f.expired_event
     from webhook w join event_feed f on f.id = w.feed_id where w.service_id = $1`,
    [service],
    'read-event-feed',
  )
  if (!row) return null
  const { id, begunAt, isOther, settled, expiredXid, expiredNumber, expiredEvent } = camelRow<
    Omit<StoredFeed, 'expired'> & {
      expiredXid: number | null
      expiredNumber: number | null
      expiredEvent: string | null
    }
  >(row)
  const expired =
    expiredXid === null ? null : { feed: id, xid: expiredXid, number: expiredNumber!, event: expiredEvent }
  return { id, begunAt, isOther, settled, expired }
}

/** Tells whether the event of a cursor stands where the cursor says. */
export async function hasEventAt(sql: Sql, { feed, xid, number, event }: FeedCursor): Promise<boolean> {
  const rows = await sql.query(
    'select 1 from feed_event where feed_id = $1 and xid = $2 and number = $3 and event_id = $4',
    [feed, xid, number, event],
    'has-feed-event-at',
  )
  return rows.length > 0
}

/** A transaction that lasted longer could place an event of its beginning before those of an earlier time. */
const TRANSACTION_HOURS_MAX = 1

/**
 * Returns the position after which all events of a time and later ones follow; some earlier ones may be among them. Null if
 * nothing stands before it.
 */
export async function positionBefore(sql: Sql, feed: StoredFeed, since: Date): Promise<FeedCursor | null> {
  const [row] = await sql.query<Omit<FeedCursor, 'feed'>>(
    `with first as (
       select at from feed_event where feed_id = $1 and at >= $2 and xid < $3 order by at limit 1
     ), start as (
       select f.xid, f.number from feed_event f, first
       where f.feed_id = $1 and f.at >= first.at and f.at < first.at + interval '${TRANSACTION_HOURS_MAX} hours' and f.xid < $3
       order by f.xid, f.number limit 1)
     select f.xid, f.number, f.event_id as event from feed_event f
     where f.feed_id = $1
       and (f.xid, f.number) < (coalesce((select xid from start), $3), coalesce((select number from start), 0))
     order by f.xid desc, f.number desc limit 1`,
    [feed.id, since, feed.settled],
    'feed-position-before',
  )
  return row ? { feed: feed.id, ...row } : null
}

/** A kept event without what is told of it. */
export interface KeptEvent {
  xid: number
  number: number
  event: string
}

export interface ScanRequest {
  after: FeedPosition
  settled: number
  /** Events to look at, and to return. */
  scan: number
  limit: number
  /** Names of the events to return; null for all. */
  names: readonly string[] | null
}

/** The events that follow a position, of those that are looked at. */
export interface Scanned {
  found: KeptEvent[]
  /** The last one that was looked at; null if none follows. */
  last: KeptEvent | null
  count: number
  /** True if something follows that cannot be read yet, since a transaction runs that is older. */
  isHeld: boolean
}

/** Looks at the events that follow a position, in their order. */
export async function scanEvents(sql: Sql, request: ScanRequest): Promise<Scanned> {
  const { after, settled, scan, limit, names } = request
  const [row] = await sql.query<Scanned & { found: KeptEvent[] | null }>(
    `with scanned as materialized (
       select xid, number, event_id, event from feed_event
       where feed_id = $1 and (xid, number) > ($2, $3) and xid < $4 order by xid, number limit $5)
     select (select count(*) from scanned) as count,
       (select json_build_object('xid', xid, 'number', number, 'event', event_id) from scanned
         order by xid desc, number desc limit 1) as last,
       (select json_agg(json_build_object('xid', xid, 'number', number, 'event', event_id) order by xid, number) from (
         select * from scanned where $6::text[] is null or event = any($6) order by xid, number limit $7) f) as found,
       exists (select from feed_event where feed_id = $1 and (xid, number) > ($2, $3) and xid >= $4) as "isHeld"`,
    [after.feed, after.xid, after.number, settled, scan, names, limit],
    'scan-feed-events',
  )
  return { ...row!, found: row!.found ?? [] }
}

/** A kept event with what its body is made of. */
export interface EventSource {
  id: string
  event: string
  at: Date
  organizationId: string
  conversationId: string | null
  /** As a webhook was sent it; null if none was, or after a redaction. */
  body: string | null
  context: EventContext | null
  /** Null once it has left the log. */
  data: JsonObject | null
}

/** Reads what events say, by id. */
export async function readEventSources(sql: Sql, ids: readonly string[]): Promise<Map<string, EventSource>> {
  const rows = await sql.query<Record<string, unknown>>(
    `select e.id, e.event, e.at, e.organization_id, e.conversation_id, e.body, e.context, ${eventDataSql('v')} as data
     from webhook_event e left join event v on e.body is null and v.stream = e.stream and v.number = e.number
     where e.id = any($1::uuid[])`,
    [ids],
    'read-feed-events',
  )
  return new Map(rows.map((row) => [row.id as string, camelRow<EventSource>(row)]))
}

/** Selects whether anything follows one of the positions, which are given by columns. */
export const followsSql = (feeds: string, xids: string, numbers: string): string => `exists (
  select from unnest(${feeds}::uuid[], ${xids}::int8[], ${numbers}::int8[]) as w(feed, xid, number) where exists (
    select from feed_event f where f.feed_id = w.feed and (f.xid, f.number) > (w.xid, w.number)))`
