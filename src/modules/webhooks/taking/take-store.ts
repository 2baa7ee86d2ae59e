import { isOrganizationInUseSql } from '../../../platform/db/archived-centers.js'
import type { Sql } from '../../../platform/db/database.js'
import { eventDataSql } from '../../../platform/events/streams.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { BodySource } from '../delivery-body.js'

/** The most that can be taken at once, and so of one partition. */
export const TAKE_MAX = 500

export interface TakeRequest {
  service: string
  now: Date
  until: Date
  max: number
}

/**
 * Leases due events for a consumer: of each partition the next ones in order, of all partitions that have some equally many.
 * Must run in a transaction. @returns the ids of the deliveries
 */
export async function leaseEvents(sql: Sql, { service, now, until, max }: TakeRequest): Promise<string[]> {
  const free = await sql.query<{ partition: string }>(FREE, [service, now, max], 'lock-free-event-partitions')
  if (free.length === 0) return []
  const partitions = free.map(({ partition }) => partition)
  // By a later statement, which sees what was acknowledged or added before the partitions were locked.
  const values = [service, partitions, now, until, max, Math.ceil(max / partitions.length)]
  const taken = await sql.query<{ id: string }>(TAKE, values, 'take-events')
  return taken.map(({ id }) => id)
}

/** The condition that something of a partition may be taken now. @param now placeholder of the time */
const isFreeSql = (now: string): string => `l.due_at <= ${now} and (l.leased_until is null or l.leased_until <= ${now})`

const FREE = `
select l.partition from webhook_partition l join webhook w on w.service_id = l.service_id
where l.service_id = $1 and ${isFreeSql('$2')} and w.is_pulled and w.status = 'active' and ${isOrganizationInUseSql('w')}
order by l.due_at limit $3 for update of l skip locked`

/** Takes events of locked partitions. What else is added to these waits until they are unlocked, so that one without events may be removed. */
const TAKE = `
with next as materialized (
  select f.partition, f.nth, d.id, row_number() over (partition by f.partition order by d.position, d.place) as turn
  from unnest($2::text[]) with ordinality as f(partition, nth) cross join lateral (
    select d.id, d.position, d.place from webhook_delivery d
    where d.service_id = $1 and d.partition = f.partition and d.status = 'pending'
    order by d.position, d.place limit $6) d
), chosen as materialized (
  select partition, id from next order by turn, nth limit $5
), leased as (
  update webhook_partition l set leased_until = $4
  where l.service_id = $1 and l.partition in (select partition from chosen)
), emptied as (
  delete from webhook_partition l
  where l.service_id = $1 and l.partition = any($2) and l.partition not in (select partition from next)
)
update webhook_delivery d set taken_until = $4, attempts = d.attempts + 1, attempted_at = $3
from chosen c where d.id = c.id and d.status = 'pending' returning d.id`

/** Selects when something may be taken from one of the services, up to `until`. */
export const dueEventsSql = (services: string, now: string, until: string): string => `
(select min(d.due_at) from unnest(${services}::uuid[]) as s(id) cross join lateral (
   select l.due_at from webhook_partition l where l.service_id = s.id and l.due_at <= ${until}
     and (l.leased_until is null or l.leased_until <= ${now}) order by l.due_at limit 1) d)`

/** Returns those of the services from which something may be taken now. */
export async function servicesWithEvents(sql: Sql, services: readonly string[], now: Date): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select s.id from unnest($1::uuid[]) as s(id)
     where exists (select 1 from webhook_partition l where l.service_id = s.id and ${isFreeSql('$2')})`,
    [services, now],
    'services-with-events',
  )
  return rows.map(({ id }) => id)
}

/** A leased event, with what its body is made of. */
export type TakenEvent = BodySource & NamedEvent

/** Reads leased deliveries, those of each partition in order. */
export async function readTaken(sql: Sql, deliveries: readonly string[]): Promise<TakenEvent[]> {
  const rows = await sql.query<Record<string, unknown>>(
    `select d.id, d.partition, d.attempts, d.redactions, e.redactions as event_redactions, d.event_id, e.event, e.at, e.organization_id,
       e.conversation_id, e.body, e.context, d.selected_body, ${eventDataSql('v')} as data
     from webhook_delivery d join webhook_event e on e.id = d.event_id
     left join event v on e.body is null and v.stream = e.stream and v.number = e.number
     where d.id = any($1::uuid[]) order by d.partition, d.position, d.place`,
    [deliveries],
    'read-taken-events',
  )
  return rows.map((row) => camelRow<TakenEvent>(row))
}

/** A delivery of one of the events that a consumer names. */
export interface NamedEvent {
  id: string
  eventId: string
  partition: string
  attempts: number
}

/** Returns the deliveries of these events to the service, of those that there are. */
export async function findEvents(sql: Sql, service: string, events: readonly string[]): Promise<NamedEvent[]> {
  const rows = await sql.query<Record<string, unknown>>(
    `select d.id, d.event_id, d.partition, d.attempts from webhook_delivery d
     where d.service_id = $1 and d.event_id = any($2::uuid[])`,
    [service, events],
    'find-events',
  )
  return rows.map((row) => camelRow<NamedEvent>(row))
}

/** Locks partitions, in the order in which events are recorded in them. */
async function lockPartitions(sql: Sql, service: string, partitions: readonly string[]): Promise<void> {
  await sql.query(
    `select 1 from webhook_partition where service_id = $1 and partition = any($2) order by partition for update`,
    [service, partitions],
    'lock-event-partitions',
  )
}

export interface EventsHeld {
  service: string
  events: readonly NamedEvent[]
  now: Date
}

/**
 * Marks events as delivered. A partition of which nobody holds any event then is free, or removed if it is empty. Must run in
 * a transaction. @returns how many were waiting, and whether more may be taken
 */
export async function recordAcknowledged(sql: Sql, held: EventsHeld): Promise<{ count: number; hasMore: boolean }> {
  return end(sql, held, held.now, { set: `status = 'delivered', finished_at = $2, error = null`, isAnybodys: true })
}

/** Gives events back, which may be taken again at a time; not those that were taken again since. Must run in a transaction. @returns as {@link recordAcknowledged} */
export async function recordGivenBack(
  sql: Sql,
  held: EventsHeld,
  dueAt: Date,
): Promise<{ count: number; hasMore: boolean }> {
  return end(sql, held, dueAt, { set: 'attempted_at = $2', isAnybodys: false })
}

const REMOVE_EMPTY = `delete from webhook_partition l
where l.service_id = $1 and l.partition = any($2) and not exists (select 1 from webhook_delivery d
  where d.service_id = l.service_id and d.partition = l.partition and d.status = 'pending')`

async function end(
  sql: Sql,
  { service, events, now }: EventsHeld,
  dueAt: Date,
  { set, isAnybodys }: { set: string; isAnybodys: boolean },
): Promise<{ count: number; hasMore: boolean }> {
  const partitions = [...new Set(events.map(({ partition }) => partition))]
  await lockPartitions(sql, service, partitions)
  const changed = await sql.query(
    `update webhook_delivery d set ${set}, taken_until = null
     from unnest($1::uuid[], $3::int[]) as e(id, attempts)
     where d.id = e.id and d.status = 'pending' ${isAnybodys ? '' : 'and d.attempts = e.attempts'} returning 1`,
    [events.map(({ id }) => id), now, events.map(({ attempts }) => attempts)],
  )
  await sql.query(REMOVE_EMPTY, [service, partitions], 'remove-empty-event-partitions')
  const freed = await sql.query(
    `update webhook_partition l set leased_until = null, due_at = $3
     where l.service_id = $1 and l.partition = any($2) and l.leased_until is not null and not ${IS_HELD} returning 1`,
    [service, partitions, dueAt, now],
    'free-event-partitions',
  )
  return { count: changed.length, hasMore: freed.length > 0 }
}

/** The condition that a consumer still has an event of the partition: one of the first, since they are taken in order. */
const IS_HELD = `coalesce((select bool_or(f.taken_until > $4) from (
  select d.taken_until from webhook_delivery d
  where d.service_id = l.service_id and d.partition = l.partition and d.status = 'pending'
  order by d.position, d.place limit ${TAKE_MAX}) f), false)`
