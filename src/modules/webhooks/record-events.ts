import { CONVERSATION_COLUMNS } from '../conversations/state/conversation-columns.js'
import { shownRowSql } from '../../platform/db/columns.js'
import { reading, type ReadSql } from '../../platform/db/sql.js'
import type { OrganizationPath } from '../../platform/db/tenancy.js'
import type { Sql } from '../../platform/db/database.js'
import type { StoredEvent } from '../../platform/events/event.js'
import type { Outbox } from '../../platform/events/outbox.js'
import { namesEventSql } from './event-patterns.js'
import { asksForNoticesSql } from './webhook-format.js'
import { POSITION_SQL } from './feed/feed-position.js'
import { DELIVERY_COLUMNS } from '../messages/message-columns.js'
import { isPausedSql } from '../users/pause-bots.js'
import { USER_COLUMNS } from '../users/user-columns.js'
import { channelRowSql, contactRowSql, recordSql } from './record-resource.js'
import { outgoingEvents, type OutgoingEvent } from './outgoing-event.js'

/** Creates deliveries of events in the transaction that appends the events. */
export class WebhookOutbox implements Outbox {
  /** The services that were given something to take, by the first event of those recorded together. */
  readonly #recorded = new WeakMap<StoredEvent, readonly string[]>()
  #wake: (pulled: readonly string[]) => void = () => undefined

  /** @param options.now the product's clock */
  constructor(private readonly options: { epoch: number; now: () => Date }) {}

  /** Registers a callback for commits that may have created deliveries; `pulled` are services whose events are taken. */
  onCommitted(wake: (pulled: readonly string[]) => void): void {
    this.#wake = wake
  }

  async record(sql: Sql, stored: readonly StoredEvent[]): Promise<ReadonlyMap<string, number>> {
    const events = outgoingEvents(this.options.epoch, stored)
    if (events.length === 0) return new Map()
    const { made, pulled, byConversation } = await recordEvents(sql, events, this.options.now())
    if (made > 0) this.#recorded.set(stored[0]!, pulled)
    return byConversation
  }

  async isHeard(sql: ReadSql, event: string, path: OrganizationPath): Promise<boolean> {
    return (await sql.query(HEARD, [path.filter(Boolean), event], 'is-event-heard')).length > 0
  }

  committed(events: readonly StoredEvent[] | null): void {
    if (events === null) return this.#wake([])
    const recorded = events.flatMap((event) => this.#recorded.get(event) ?? [])
    if (events.some((event) => this.#recorded.has(event))) this.#wake([...new Set(recorded)])
  }
}

/**
 * Creates deliveries of events for the matching webhooks, and keeps them in the feeds. An event that was delivered to a webhook before is queued
 * again.
 * @param options.service only to this webhook, active or not: for a replay
 * @returns the number of queued deliveries and kept events, in all and by conversation, and the services whose consumers take or
 * read some of them
 */
export async function recordEvents(
  sql: Sql,
  events: readonly OutgoingEvent[],
  now: Date,
  options: { service?: string } = {},
): Promise<{ made: number; pulled: string[]; byConversation: ReadonlyMap<string, number> }> {
  const [row] = await sql.query<{ made: number; pulled: string[]; by_conversation: Record<string, number> | null }>(
    RECORD,
    [JSON.stringify(events), now, options.service ?? null],
    'record-webhook-events',
  )
  const { by_conversation: byConversation, ...recorded } = row!
  return { ...recorded, byConversation: new Map(Object.entries(byConversation ?? {})) }
}

/** A feed is a log that somebody may read some time, and notices are for people: they answer nobody. */
const HEARD = reading(`
select 1 from webhook w join service s on s.id = w.service_id left join app_user u on u.id = (s.params ->> 'bot')::uuid
where w.organization_id = any($1::uuid[]) and w.status = 'active' and w.feed_id is null and not ${asksForNoticesSql('s.params')}
  and ${namesEventSql('w', '$2::text')}
  and exists (select from event_listener l where l.listener_id = w.service_id)
  and (u.id is null or u.status <> 'archived' and not ${isPausedSql('u')}) limit 1`)

/**
 * Related records of an event, as of the end of its transaction. The conversation's `message_count` is not sent: it
 * determines which messages the envelope lists, and with `turn` the mark.
 */
const CONTEXT = `jsonb_build_object(
  'conversation', (select ${shownRowSql(CONVERSATION_COLUMNS, 'webhook', 'c')}
      || jsonb_build_object('message_count', c.message_count, 'turn', c.turn)
    from conversation c where c.id = p.conversation),
  'participants', (select jsonb_agg(to_jsonb(m) || jsonb_build_object('organization_id', u.organization_id)
    order by m.created_at, m.user_id) from participant m left join app_user u on u.id = m.user_id
    where m.conversation_id = p.conversation),
  'record', ${recordSql('p.resource', 'p."recordId"')},
  'mark', p.mark,
  'actor', p.actor,
  'contact', (select ${contactRowSql('k')} from conversation c join contact k on k.id = c.contact_id
    where c.id = p.conversation),
  'organization', (select to_jsonb(o) from organization o where p.conversation is not null and o.id = p.organization),
  'user', (select ${shownRowSql(USER_COLUMNS, 'webhook', 'u')} from app_user u where u.id = p.user),
  'deliveries', (select jsonb_agg(${shownRowSql(DELIVERY_COLUMNS, 'events', 'd')} order by d.id)
    from delivery d where d.message_id = p.message),
  'channel', (select ${channelRowSql('h')} from channel h where h.id = p.channel))`

/**
 * A writer holds the row lock of the conversation, or of the record's stream, so the events of one partition arrive in
 * order. Partitions are locked in the order of their keys, so that transactions cannot deadlock.
 */
const RECORD = `
with input as materialized (
  select row_number() over () as ord, x.* from jsonb_to_recordset($1::jsonb) as x(id uuid, stream text, number bigint, at timestamptz, event text,
    partition text, position bigint, place int, organization uuid, path uuid[], conversation uuid, "user" uuid, sender uuid, channel uuid, message uuid, resource text, "recordId" uuid, mark jsonb, actor jsonb,
    traceparent text)
), placed as materialized (
  select i.ord, i.id, i.stream, i.number, i.at, i.partition, i.place, i.conversation, i.user, i.sender, i.channel, i.message, i.resource, i."recordId", i.mark, i.actor, i.traceparent,
    replace(i.event, '{type}', coalesce(c.type, 'contact')) as event,
    coalesce(i.position, (select s.head from stream s where s.name = i.partition), 0) as position,
    coalesce(c.organization_id, i.organization) as organization,
    case when i.path is not null then i.path
      when c.id is not null then array[c.org1, c.org2, c.org3] else array[o.org1, o.org2, o.org3] end as path
  from input i left join conversation c on c.id = i.conversation left join organization o on o.id = i.organization
), subscribed as materialized (
  select p.id, p.partition, p.position, p.place, w.service_id, w.is_pulled, w.feed_id
  from placed p join webhook w on w.organization_id = any(p.path) and ${namesEventSql('w', 'p.event')}
    and (p.sender is null or p.sender is distinct from w.muted_user)
  where case when $3::uuid is null then exists (select 1 from event_listener l where l.listener_id = w.service_id)
    else w.service_id = $3 end
), events as (
  insert into webhook_event (id, stream, number, event, at, organization_id, conversation_id, partition, position, place,
    traceparent, context)
  select p.id, p.stream, p.number, p.event, p.at, p.organization, p.conversation, p.partition, p.position, p.place,
    p.traceparent, ${CONTEXT}
  from placed p where p.id in (select h.id from subscribed h)
  on conflict (id) do nothing
), deliveries as (
  insert into webhook_delivery as d (event_id, service_id, partition, position, place, pending_since)
  select id, service_id, partition, position, place, $2 from subscribed where feed_id is null
  on conflict (event_id, service_id) do update set status = 'pending', pending_since = $2, tried_since = null,
    finished_at = null, taken_until = null, partition = excluded.partition
  returning d.id
), partitions as (
  insert into webhook_partition as l (service_id, partition, due_at)
  select distinct service_id, partition, $2::timestamptz from subscribed where feed_id is null order by service_id, partition
  on conflict (service_id, partition) do update set version = l.version + 1,
    due_at = case when $3::uuid is null then l.due_at else least(l.due_at, $2) end
), kept as (
  insert into feed_event (feed_id, xid, event_id, event, at)
  select s.feed_id, ${POSITION_SQL}, p.id, p.event, p.at
  from subscribed s join placed p on p.id = s.id where s.feed_id is not null
  -- Numbers are given in this order.
  order by min(p.ord) over (partition by p.partition), p.position, p.place
  returning 1
)
select (select count(*) from deliveries) + (select count(*) from kept) as made,
  array(select distinct service_id from subscribed where is_pulled) as pulled,
  (select jsonb_object_agg(conversation, number) from (
    select p.conversation, count(*) as number from subscribed s join placed p on p.id = s.id
    where p.conversation is not null group by p.conversation) c) as by_conversation`
