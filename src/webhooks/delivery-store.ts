import type { Sql } from '../db/database.js'
import { eventDataSql } from '../events/streams.js'
import { isDeadSql } from '../jobs/runner-session.js'
import type { JsonObject } from '../json.js'
import { camelRow } from '../lists/rows.js'
import type { EventContext } from './resources.js'
import type { WebhookParams } from './webhook-params.js'
import type { WebhookStatus } from './webhook-status.js'

/** A partition of a webhook's deliveries, which keep their order: those of one conversation, or of one record. */
export interface PartitionLease {
  serviceId: string
  /** Key of the partition, named `lane` in the database. */
  lane: string
}

/** Key of a webhook's partition among those being delivered. */
export const partitionKey = ({ serviceId, lane }: PartitionLease): string => `${serviceId}/${lane}`

export interface LeaseRequest {
  runner: number
  now: Date
  until: Date
  /** Partitions of one webhook being delivered at once, on all nodes together; races between nodes can exceed it. */
  perEndpoint: number
  limit: number
  /** Keys of the runner's own partitions: the clock may have jumped past their leases. */
  running: readonly string[]
}

/** Leases due partitions of webhooks that may be sent to now. */
export async function leasePartitions(sql: Sql, request: LeaseRequest): Promise<PartitionLease[]> {
  const { runner, now, until, perEndpoint, limit, running } = request
  const rows = await sql.query<Record<string, unknown>>(
    LEASE,
    [runner, now, until, perEndpoint, limit, running],
    'lease-webhook-partitions',
  )
  return rows.map((row) => camelRow<PartitionLease>(row))
}

const IS_FREE = `l.due_at <= $2 and (l.leased_until is null or l.leased_until <= $2)
  and not (l.service_id || '/' || l.lane) = any($6::text[])`

/** A failing endpoint gets one delivery when its probe is due. */
const LEASE = `
with ready as materialized (
  select w.service_id, case when w.status = 'active' then $4::int else 1 end - (
    select count(*)::int from webhook_lane b
    where b.service_id = w.service_id and b.leased_by is not null and b.leased_until > $2) as room
  from webhook w
  where (w.status = 'active' or (w.status in ('failing', 'paused') and w.probe_at <= $2))
    and exists (select 1 from webhook_lane l where l.service_id = w.service_id and ${IS_FREE})
), chosen as materialized (
  select d.service_id, d.lane from ready r cross join lateral (
    select l.service_id, l.lane, row_number() over () as turn from (
      select l.service_id, l.lane from webhook_lane l where l.service_id = r.service_id and ${IS_FREE}
      order by l.due_at limit greatest(r.room, 0) for update skip locked) l) d
  order by d.turn limit $5
)
update webhook_lane l set leased_by = $1, leased_until = $3
from chosen c where l.service_id = c.service_id and l.lane = c.lane
returning l.service_id, l.lane`

export async function renewLeases(
  sql: Sql,
  runner: number,
  held: readonly PartitionLease[],
  until: Date,
): Promise<void> {
  await sql.query(
    `update webhook_lane l set leased_until = $4 from unnest($2::uuid[], $3::text[]) as x(service_id, lane)
     where l.service_id = x.service_id and l.lane = x.lane and l.leased_by = $1`,
    [runner, held.map(({ serviceId }) => serviceId), held.map(({ lane }) => lane), until],
    'renew-webhook-partitions',
  )
}

/** Releases leases of dead runners. */
export async function releaseDeadRunnerLeases(sql: Sql): Promise<void> {
  const release = `update webhook_lane l set leased_by = null, leased_until = null where ${isDeadSql('l.leased_by')}`
  await sql.query(release, [], 'release-dead-webhook-partitions')
}

/** The next delivery of a partition, with the data needed to send it. */
export interface DueDelivery {
  id: string
  attempts: number
  redactions: number
  eventRedactions: number
  /** First of the current series of attempts. */
  triedSince: Date | null
  reply: string | null
  eventId: string
  event: string
  at: Date
  organizationId: string
  conversationId: string | null
  /** Body of the event; null before its first attempt. */
  body: string | null
  /** Body selected by the webhook's query; null before its first attempt. */
  selectedBody: string | null
  context: EventContext | null
  /** The place in a trace that caused the event. */
  traceparent: string | null
  /** The event's data in the log, for the body; null once it has expired. */
  data: JsonObject | null
}

export interface PartitionHead {
  /** Version of the partition as of this read. */
  version: number
  status: WebhookStatus
  params: WebhookParams
  /** The webhook's organization. */
  owner: string
  previousSecret: string | null
  previousUntil: Date | null
  delivery: DueDelivery | null
}

/** Reads the next delivery of a leased partition. Null when another runner has the lease. */
export async function readPartitionHead(
  sql: Sql,
  { serviceId, lane }: PartitionLease,
  runner: number,
): Promise<PartitionHead | null> {
  // One statement, hence one snapshot: nothing is added to the partition between its version and its first delivery.
  const [row] = await sql.query<Record<string, unknown>>(
    `select l.version, w.status, s.params, s.organization_id as owner, w.previous_secret, w.previous_until,
       d.id, d.attempts, d.redactions, e.redactions as event_redactions, d.tried_since, d.reply, d.event_id, e.event, e.at, e.organization_id, e.conversation_id,
       e.body, e.context, e.traceparent, d.selected_body, ${eventDataSql('v')} as data
     from webhook_lane l join webhook w on w.service_id = l.service_id join service s on s.id = l.service_id
     left join lateral (
       select * from webhook_delivery d where d.service_id = l.service_id and d.lane = l.lane and d.status = 'pending'
       order by d.position, d.place limit 1) d on true
     left join webhook_event e on e.id = d.event_id
     left join event v on e.body is null and v.stream = e.stream and v.number = e.number
     where l.service_id = $1 and l.lane = $2 and l.leased_by = $3`,
    [serviceId, lane, runner],
    'read-webhook-partition',
  )
  if (!row) return null
  const { version, status, params, owner, previousSecret, previousUntil, ...due } = camelRow<
    PartitionHead & DueDelivery
  >(row)
  const delivery = due.id ? (due as DueDelivery) : null
  return { version, status, params, owner, previousSecret, previousUntil, delivery }
}

/** Removes an empty partition, or releases it if something has been added since it was read. */
export async function removePartition(
  sql: Sql,
  { serviceId, lane }: PartitionLease,
  runner: number,
  version: number,
): Promise<boolean> {
  const rows = await sql.query(
    'delete from webhook_lane where service_id = $1 and lane = $2 and leased_by = $3 and version = $4 returning 1',
    [serviceId, lane, runner, version],
    'remove-webhook-partition',
  )
  return rows.length > 0
}

/** Releases a partition until it is due again. */
export async function releasePartition(
  sql: Sql,
  { serviceId, lane }: PartitionLease,
  runner: number,
  dueAt: Date,
): Promise<void> {
  await sql.query(
    `update webhook_lane set leased_by = null, leased_until = null, due_at = $4
     where service_id = $1 and lane = $2 and leased_by = $3`,
    [serviceId, lane, runner, dueAt],
    'release-webhook-partition',
  )
}

/** The event was redacted, or deleted, since the delivery was read. */
export class RedactedMeanwhile extends Error {}

/**
 * Stores the bytes of an event's body, once for all its deliveries.
 * @returns the stored ones
 * @throws RedactedMeanwhile
 */
export async function keepBody(sql: Sql, { eventId, eventRedactions }: DueDelivery, body: string): Promise<string> {
  const [row] = await sql.query<{ body: string }>(
    `update webhook_event set body = coalesce(body, $2), context = null where id = $1 and redactions = $3
     returning body`,
    [eventId, body, eventRedactions],
    'keep-webhook-body',
  )
  if (!row) throw new RedactedMeanwhile()
  return row.body
}

/**
 * Stores the bytes selected by one webhook.
 * @returns the stored ones
 * @throws RedactedMeanwhile
 */
export async function keepSelectedBody(sql: Sql, { id, redactions }: DueDelivery, body: string): Promise<string> {
  const [row] = await sql.query<{ body: string }>(
    `update webhook_delivery set selected_body = coalesce(selected_body, $2) where id = $1 and redactions = $3
     returning selected_body as body`,
    [id, body, redactions],
    'keep-selected-webhook-body',
  )
  if (!row) throw new RedactedMeanwhile()
  return row.body
}

const MESSAGE_IDS_MAX = 200

/**
 * Returns the ids of the newest messages that the conversation had at the event, in order. @param row the
 * conversation's row at the event
 */
export async function newestMessageIds(sql: Sql, row: JsonObject | null): Promise<string[]> {
  if (!row) return []
  const messages = await sql.query<{ id: string }>(
    `select id from (select id, position from message where conversation_id = $1 and position <= $2
       order by position desc limit ${MESSAGE_IDS_MAX}) newest order by position`,
    [row.id, row.message_count],
    'newest-message-ids',
  )
  return messages.map(({ id }) => id)
}

/** Moves a delivery to a partition of its own, in which it is retried without blocking others. */
export async function setAside(
  sql: Sql,
  { delivery, serviceId, retryAt }: { delivery: string; serviceId: string; retryAt: Date },
): Promise<void> {
  await sql.query(
    `with moved as (
       update webhook_delivery set lane = $3 where id = $1 and status = 'pending' returning lane)
     insert into webhook_lane as l (service_id, lane, due_at) select $2, lane, $4 from moved
     on conflict (service_id, lane) do update set version = l.version + 1, due_at = $4`,
    [delivery, serviceId, `delivery:${delivery}`, retryAt],
    'set-webhook-delivery-aside',
  )
}
