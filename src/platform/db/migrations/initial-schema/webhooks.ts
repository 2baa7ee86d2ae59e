/**
 * Organizations that have a webhook for their events and those of the organizations below. Every transaction that
 * appends events reads it first and so holds its relation lock until the commit; a listener is added under a lock that
 * waits for them (`webhooks/listening.ts`). There is no foreign key to the service, since its row lock would have to be
 * waited for.
 */
const LISTENERS = [
  `create table event_listener (
    listener_id uuid primary key,
    organization_id uuid not null
  )`,
  'create index event_listener_organization on event_listener (organization_id)',
  // Always empty: only its locks are used. Every transaction that appends events holds one until its commit.
  'create table event_gate ()',
]

/**
 * Events that are kept for consumers who read them by cursor, see `webhooks/feed/feed-store.ts`. A feed that is switched off and
 * on again is another one; that which no service has any more is removed.
 */
const FEED = `
create table event_feed (
  id uuid primary key default gen_random_uuid(),
  -- Since when nothing is missing; null until then.
  begun_at timestamptz,
  -- The server whose transaction ids its positions are.
  database_id bigint not null,
  -- The greatest position that has expired, with its event.
  expired_xid bigint,
  expired_number bigint,
  expired_event uuid
);
create table feed_event (
  feed_id uuid not null,
  -- All transactions from which an event with a smaller one could come have ended once those below it have.
  xid bigint not null,
  number bigint generated always as identity,
  event_id uuid not null,
  event text not null,
  at timestamptz not null,
  primary key (feed_id, xid, number)
);
create index feed_event_at on feed_event (feed_id, at)`

/** Columns of a webhook besides the service's params, which hold the address and the secret. */
const WEBHOOK = `
create table webhook (
  service_id uuid primary key references service (id) on delete cascade,
  organization_id uuid not null,
  -- Patterns of event names; null for all.
  events text[],
  -- The bot of which it does not hear the messages: \`params.bot\`, unless \`params.ownMessages\` asks for them.
  muted_user uuid,
  -- As the service's.
  status text not null,
  -- Of a service of type \`events\`: consumers take what is due, and nothing is sent.
  is_pulled boolean not null default false,
  -- Of a service of type \`feed\`: where its events are kept. Consumers read them, and nothing is due.
  feed_id uuid references event_feed (id),
  -- The address that answered the handshake, as it is shown.
  verified_url text,
  -- Sealed. Signed with as well until then.
  previous_secret text,
  previous_until timestamptz,
  -- Failed attempts since the last one that succeeded, of any delivery.
  failures int not null default 0,
  failing_since timestamptz,
  -- While it is failing: when one delivery is tried.
  probe_at timestamptz,
  -- Until when its receiver asked to be sent nothing.
  held_until timestamptz,
  -- When the handshake is due; null when none is.
  check_at timestamptz,
  checks int not null default 0,
  last_error text,
  -- The last delivery of which a part of the receiver's answer was ignored or refused.
  ignored_at timestamptz,
  ignored_delivery uuid
);
create index webhook_organization on webhook (organization_id);
create unique index webhook_feed on webhook (organization_id) where feed_id is not null;
create index webhook_check on webhook (check_at) where check_at is not null`

/**
 * Closes the gate, begins to listen and opens it again in one statement: see `webhooks/webhook-listeners.ts`. A node that
 * is stopped between statements of its own would keep the gate closed to the writers of all nodes.
 */
const BEGIN_LISTENING = `create function begin_listening(service uuid) returns void language plpgsql
      set lock_timeout = '100ms' as $$
      begin
        -- Before anything else: who holds another lock and waits for this one could be waited for.
        lock table event_gate in exclusive mode;
        insert into event_listener (listener_id, organization_id)
          select service_id, organization_id from webhook where service_id = service on conflict do nothing;
      end $$`

/** UUIDv7: the time in front, so that deliveries list in their order. */
const DELIVERY_ID = `
create function webhook_delivery_id() returns uuid language sql volatile parallel safe return
  encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing
    substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1),
  'hex')::uuid`

const EVENT = `
create table webhook_event (
  id uuid primary key,
  stream text not null,
  number bigint not null,
  event text not null,
  at timestamptz not null,
  organization_id uuid not null,
  conversation_id uuid,
  partition text not null,
  position bigint not null,
  place int not null,
  -- The records around the event, as they were at its commit: the body is made of them, anew after a redaction.
  context jsonb,
  -- The exact bytes that are sent and signed.
  body text,
  -- Counts redactions, so that nothing that was read or sent before one is stored after it.
  redactions int not null default 0,
  traceparent text
);
create index webhook_event_at on webhook_event (at);
create index webhook_event_partition on webhook_event (partition)`

/**
 * Deliveries of one partition (a conversation, or one other record) are made one after the other, by position. A
 * partition has a row while it has deliveries that are due or waiting.
 */
const DELIVERY = `
create table webhook_delivery (
  id uuid primary key default webhook_delivery_id(),
  event_id uuid not null references webhook_event (id) on delete cascade,
  service_id uuid not null,
  partition text not null,
  position bigint not null,
  place int not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  -- Since when it has been waiting to be delivered, the first time or again by hand.
  pending_since timestamptz not null,
  -- Its 24 hours begin with its first attempt, not with its event.
  tried_since timestamptz,
  attempts int not null default 0,
  attempted_at timestamptz,
  finished_at timestamptz,
  status_code int,
  error text,
  -- What became of the messages in the answer.
  reply text,
  -- While a consumer has it: it comes again after that.
  taken_until timestamptz,
  -- The bytes sent, where the webhook selects the payload.
  selected_body text,
  -- As those of the event.
  redactions int not null default 0,
  unique (event_id, service_id),
  check ((status = 'pending') = (finished_at is null))
) with (fillfactor = 85);
create index webhook_delivery_service on webhook_delivery (service_id, id);
create index webhook_delivery_next on webhook_delivery (service_id, partition, position, place) where status = 'pending';
-- Of the same rows, said in other words: to a planner whose statistics say that nothing is pending both are as good for the
-- next one of a partition, and with this one it would read all that is pending.
create index webhook_delivery_waiting on webhook_delivery (pending_since) where finished_at is null;

create table webhook_attempt (
  delivery_id uuid not null references webhook_delivery (id) on delete cascade,
  number int not null,
  at timestamptz not null,
  duration_ms int not null,
  status_code int,
  error text,
  response text,
  primary key (delivery_id, number)
);

create table webhook_partition (
  service_id uuid not null,
  partition text not null,
  due_at timestamptz not null,
  -- Counts the transactions that added to it: a partition is removed only as it was when it was found empty.
  version bigint not null default 1,
  -- See webhooks/runner-session.ts.
  leased_by int,
  leased_until timestamptz,
  primary key (service_id, partition)
) with (fillfactor = 70);
create index webhook_partition_due on webhook_partition (service_id, due_at);
-- Leases are counted per webhook.
create index webhook_partition_leased on webhook_partition (service_id) where leased_by is not null`

export const WEBHOOKS = [...LISTENERS, FEED, WEBHOOK, BEGIN_LISTENING, DELIVERY_ID, EVENT, DELIVERY]
