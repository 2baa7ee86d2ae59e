import { isOrganizationInUseSql } from '../../platform/db/archived-centers.js'
import type { MaskedKind } from '../../platform/masking/masker.js'
import type { Sql } from '../../platform/db/database.js'
import { eventDataSql } from '../../platform/events/streams.js'
import { isDeadSql } from '../../platform/jobs/runner-session.js'
import type { JsonObject } from '../../platform/json.js'
import { camelRow } from '../../platform/lists/rows.js'
import { SEALED } from '../../platform/sealing/sealed-places.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { openParams } from '../services/stored-params.js'
import { asksForNoticesSql } from './webhook-format.js'
import { fairPlacesSql, heldBy, type PlaceHolder } from './fair-places.js'
import type { EventContext } from './resources.js'
import type { WebhookParams } from './webhook-params.js'
import type { WebhookStatus } from './webhook-status.js'

/** A partition of a webhook's deliveries, which keep their order: those of one conversation, or of one record. */
export interface PartitionLease {
  serviceId: string
  /** Key of the partition: the stream of its conversation, or its record. */
  partition: string
}

export type LeasedPartition = PartitionLease & PlaceHolder

/** Key of a webhook's partition among those being delivered. */
export const partitionKey = ({ serviceId, partition }: PartitionLease): string => `${serviceId}/${partition}`

export interface LeaseRequest {
  runner: number
  now: Date
  until: Date
  /** Partitions of one webhook being delivered at once, on all nodes together; races between nodes can exceed it. */
  perEndpoint: number
  limit: number
  /** The runner's own partitions: the clock may have jumped past their leases. */
  running: readonly LeasedPartition[]
}

/** Leases due partitions of webhooks that may be sent to now, by fair places. */
export async function leasePartitions(sql: Sql, request: LeaseRequest): Promise<LeasedPartition[]> {
  const { runner, now, until, perEndpoint, limit, running } = request
  const rows = await sql.query<Record<string, unknown>>(
    LEASE,
    [runner, now, until, perEndpoint, limit, running.map(partitionKey), ...heldBy(running)],
    'lease-webhook-partitions',
  )
  return rows.map((row) => camelRow<LeasedPartition>(row))
}

const IS_FREE = `l.due_at <= $2 and (l.leased_until is null or l.leased_until <= $2)
  and not (l.service_id || '/' || l.partition) = any($6::text[])`

/** SQL: whether a webhook at `w` may be sent something, but for what its receiver asks to wait for. */
const isReadySql = (now: string): string =>
  `(w.status = 'active' or (w.status in ('failing', 'paused') and w.probe_at <= ${now})) and not w.is_pulled`

/** A failing endpoint gets one delivery when its probe is due; one of notices gets one at a time: who takes them is slow. */
const LEASE = `
with ready as materialized (
  select w.service_id, s.organization_id, s.org1,
    case when w.status = 'active' and not ${asksForNoticesSql('s.params')} then $4::int else 1 end - (select count(*)::int from (
    -- Limited, so that the index is read entry by entry: what has ended leaves entries there, which are then read once more only.
    select from webhook_partition b
    where b.service_id = w.service_id and b.leased_by is not null and b.leased_until > $2 limit $4) leased) as room
  from webhook w join service s on s.id = w.service_id
  where ${isReadySql('$2')} and (w.held_until is null or w.held_until <= $2)
    and exists (select 1 from webhook_partition l where l.service_id = w.service_id and ${IS_FREE})
    and ${isOrganizationInUseSql('w')}
), due as materialized (
  select d.*, r.organization_id, r.org1
  from ready r cross join lateral (
    select l.service_id, l.partition, row_number() over () as turn from (
      select l.service_id, l.partition from webhook_partition l where l.service_id = r.service_id and ${IS_FREE}
      order by l.due_at limit greatest(r.room, 0) for update skip locked) l) d
), ${fairPlacesSql({ free: '$5', organizations: '$7', centers: '$8' })}
update webhook_partition l set leased_by = $1, leased_until = $3
from chosen c where l.service_id = c.service_id and l.partition = c.partition
returning l.service_id, l.partition, c.organization_id, c.org1`

export async function renewLeases(
  sql: Sql,
  runner: number,
  held: readonly PartitionLease[],
  until: Date,
): Promise<void> {
  await sql.query(
    `update webhook_partition l set leased_until = $4 from unnest($2::uuid[], $3::text[]) as x(service_id, partition)
     where l.service_id = x.service_id and l.partition = x.partition and l.leased_by = $1`,
    [runner, held.map(({ serviceId }) => serviceId), held.map(({ partition }) => partition), until],
    'renew-webhook-partitions',
  )
}

/** Selects when there is a delivery, a handshake or a dead runner's lease to look after, up to `until`. */
export const dueDeliveriesSql = (now: string, until: string): string => `
select least(
  (select min(greatest(d.due_at, w.held_until)) from webhook w cross join lateral (
     select l.due_at from webhook_partition l where l.service_id = w.service_id and l.due_at <= ${until}
       and (l.leased_until is null or l.leased_until <= ${now}) order by l.due_at limit 1) d
   where ${isReadySql(now)} and (w.held_until is null or w.held_until <= ${until}) and ${isOrganizationInUseSql('w')}),
  (select min(w.check_at) from webhook w where w.check_at <= ${until}),
  case when exists (select from webhook_partition l where ${isDeadSql('l.leased_by')}) then ${now} end)`

/** Releases leases of dead runners. */
export async function releaseDeadRunnerLeases(sql: Sql): Promise<void> {
  const release = `update webhook_partition l set leased_by = null, leased_until = null where ${isDeadSql('l.leased_by')}`
  await sql.query(release, [], 'release-dead-webhook-partitions')
}

/** The next delivery of a partition, with the data needed to send it. */
export interface DueDelivery {
  id: string
  attempts: number
  redactions: number
  eventRedactions: number
  /** Time at which it was asked for, last. */
  pendingSince: Date
  /** First of the current series of attempts. */
  triedSince: Date | null
  reply: string | null
  eventId: string
  event: string
  at: Date
  organizationId: string
  conversationId: string | null
  /** Body of the event; null before its first attempt, and after a redaction. */
  body: string | null
  /** Body selected by the webhook's query; null before its first attempt. */
  selectedBody: string | null
  context: EventContext | null
  /** The place in a trace that caused the event. */
  traceparent: string | null
  /** The event's data in the log, for the body and for notices; null once it has expired, or where neither is made of it. */
  data: JsonObject | null
}

export interface PartitionHead {
  /** Version of the partition as of this read. */
  version: number
  status: WebhookStatus
  /** Until when its receiver asked to be sent nothing. */
  heldUntil: Date | null
  params: WebhookParams
  /** The address as it is shown, without a password. */
  shownUrl: string
  /** The webhook's organization. */
  owner: string
  previousSecret: string | null
  previousUntil: Date | null
  /** Kinds that are masked for the webhook's bot; null for none. */
  mask: MaskedKind[] | null
  delivery: DueDelivery | null
}

type StoredHead = Omit<PartitionHead, 'delivery' | 'shownUrl'> & { sealedParams: string | null }

/** Reads the next delivery of a leased partition. Null when another runner has the lease. */
export async function readPartitionHead(
  sql: Sql,
  sealer: Sealer,
  { serviceId, partition }: PartitionLease,
  runner: number,
): Promise<PartitionHead | null> {
  // One statement, hence one snapshot: nothing is added to the partition between its version and its first delivery.
  const [row] = await sql.query<Record<string, unknown>>(
    `select l.version, w.status, w.held_until, s.params, s.sealed_params, s.organization_id as owner, w.previous_secret, w.previous_until, b.mask,
       d.id, d.attempts, d.redactions, e.redactions as event_redactions, d.pending_since, d.tried_since, d.reply, d.event_id, e.event, e.at, e.organization_id, e.conversation_id,
       e.body, e.context, e.traceparent, d.selected_body, ${eventDataSql('v')} as data
     from webhook_partition l join webhook w on w.service_id = l.service_id join service s on s.id = l.service_id
     left join app_user b on b.id = (s.params ->> 'bot')::uuid
     left join lateral (
       select d.id, d.attempts, d.redactions, d.pending_since, d.tried_since, d.reply, d.event_id, d.selected_body
       from webhook_delivery d where d.service_id = l.service_id and d.partition = l.partition and d.status = 'pending'
       order by d.position, d.place limit 1) d on true
     left join webhook_event e on e.id = d.event_id
     left join event v on (e.body is null or ${asksForNoticesSql('s.params')}) and v.stream = e.stream and v.number = e.number
     where l.service_id = $1 and l.partition = $2 and l.leased_by = $3`,
    [serviceId, partition, runner],
    'read-webhook-partition',
  )
  if (!row) return null
  const { params, sealedParams, previousSecret: replaced, ...head } = camelRow<StoredHead & DueDelivery>(row)
  const { version, status, heldUntil, owner, previousUntil, mask, ...due } = head
  return {
    version,
    status,
    heldUntil,
    params: openParams(sealer, { id: serviceId, params, sealedParams }) as WebhookParams,
    shownUrl: params.url,
    owner,
    previousSecret: replaced === null ? null : sealer.open(SEALED.replacedSecret, serviceId, replaced),
    previousUntil,
    mask,
    delivery: due.id ? (due as DueDelivery) : null,
  }
}

/** Removes an empty partition, or releases it if something has been added since it was read. */
export async function removePartition(
  sql: Sql,
  { serviceId, partition }: PartitionLease,
  runner: number,
  version: number,
): Promise<boolean> {
  const rows = await sql.query(
    'delete from webhook_partition where service_id = $1 and partition = $2 and leased_by = $3 and version = $4 returning 1',
    [serviceId, partition, runner, version],
    'remove-webhook-partition',
  )
  return rows.length > 0
}

/** Releases a partition until it is due again. */
export async function releasePartition(
  sql: Sql,
  { serviceId, partition }: PartitionLease,
  runner: number,
  dueAt: Date,
): Promise<void> {
  await sql.query(
    `update webhook_partition set leased_by = null, leased_until = null, due_at = $4
     where service_id = $1 and partition = $2 and leased_by = $3`,
    [serviceId, partition, runner, dueAt],
    'release-webhook-partition',
  )
}

/** The event was redacted, or deleted, since the delivery was read. */
export class RedactedMeanwhile extends Error {}

/**
 * Stores the bytes of an event's body, once for all its deliveries. The context stays: a redaction removes the body, and
 * later deliveries need another.
 * @returns the stored ones
 * @throws RedactedMeanwhile
 */
export async function keepBody(
  sql: Sql,
  { eventId, eventRedactions }: Pick<DueDelivery, 'eventId' | 'eventRedactions'>,
  body: string,
): Promise<string> {
  const [row] = await sql.query<{ body: string }>(
    `update webhook_event set body = coalesce(body, $2) where id = $1 and redactions = $3 returning body`,
    [eventId, body, eventRedactions],
    'keep-webhook-body',
  )
  if (!row) throw new RedactedMeanwhile()
  return row.body
}

/**
 * Stores the bytes selected by one webhook, unless others were stored since the delivery was read.
 * @returns the stored ones
 * @throws RedactedMeanwhile
 */
export async function keepSelectedBody(
  sql: Sql,
  { id, redactions, selectedBody }: Pick<DueDelivery, 'id' | 'redactions' | 'selectedBody'>,
  body: string,
): Promise<string> {
  const [row] = await sql.query<{ body: string }>(
    `update webhook_delivery set selected_body = case when selected_body is not distinct from $4 then $2 else selected_body end
     where id = $1 and redactions = $3 returning selected_body as body`,
    [id, body, redactions, selectedBody],
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
       update webhook_delivery set partition = $3 where id = $1 and status = 'pending' returning partition)
     insert into webhook_partition as l (service_id, partition, due_at) select $2, partition, $4 from moved
     on conflict (service_id, partition) do update set version = l.version + 1, due_at = $4`,
    [delivery, serviceId, `delivery:${delivery}`, retryAt],
    'set-webhook-delivery-aside',
  )
}
