/** Outbound deliveries (4.7). A message is delivered once per touchpoint. The tenant columns are those of the message. */
const OUTBOUND = `
create table delivery (
  id uuid primary key,
  organization_id uuid not null,
  org1 uuid not null,
  org2 uuid,
  org3 uuid,
  conversation_id uuid not null,
  message_id uuid not null references message (id) on delete cascade,
  touchpoint text not null check (touchpoint in ('web', 'email', 'sms', 'messenger')),
  -- No reference: what became of a message outlives the service.
  service_id uuid,
  recipient text,
  -- Further recipients of a mail: address, status, reason.
  copies jsonb not null default '[]',
  status text not null
    check (status in ('queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'maybeSent')),
  reason text,
  -- What a client may do about a failure.
  code text check (code in ('windowClosed', 'blocked')),
  -- HTML below the text of a mail, as it was at the first attempt, for those that follow; null: none.
  signature text,
  provider_id text,
  segments int,
  attempts int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (message_id, touchpoint)
) with (fillfactor = 85);
create index delivery_provider on delivery (service_id, provider_id) where provider_id is not null;
create index delivery_service on delivery (service_id, status, created_at) where touchpoint <> 'web';
create index delivery_unread on delivery (conversation_id, touchpoint) where status in ('sent', 'delivered');

-- How many of several calls for one delivery have been made.
create table delivery_part (
  delivery_id uuid not null references delivery (id) on delete cascade,
  -- From 0.
  part int not null,
  provider_id text not null,
  primary key (delivery_id, part)
);
create index delivery_part_provider on delivery_part (provider_id)`

const INBOUND = `
-- Inbound messages that were received, to drop those that the provider sends again.
create table inbound_message (
  service_id uuid not null references service (id) on delete cascade,
  provider_id text not null,
  message_id uuid,
  -- What else was made of it: messages of its further files, and of what a button stood for.
  further_ids uuid[] not null default '{}',
  conversation_id uuid,
  contact_id uuid,
  -- Why no message was made of it.
  ignored text,
  received_at timestamptz not null,
  -- When the provider took it, where it says so: how late it came.
  sent_at timestamptz,
  -- The consumer said it: neither the organization elsewhere, nor whom a message was forwarded to.
  is_by_contact boolean not null default false,
  primary key (service_id, provider_id)
);
create index inbound_message_said on inbound_message (service_id, received_at) where is_by_contact;
create index inbound_message_timed on inbound_message (service_id, received_at) where is_by_contact and sent_at is not null;
create index inbound_message_received on inbound_message using brin (received_at);
create index inbound_message_contact on inbound_message (contact_id) where contact_id is not null;

-- The conversation that collects a contact's messages of a touchpoint.
create table touchpoint_thread (
  contact_id uuid not null references contact (id) on delete cascade,
  touchpoint text not null,
  conversation_id uuid not null references conversation (id) on delete cascade,
  -- The one used last: replies come from the number that the consumer wrote to.
  service_id uuid references service (id) on delete set null,
  -- It collects what somebody else may have written.
  is_apart boolean not null default false,
  primary key (contact_id, touchpoint, is_apart)
);
create index touchpoint_thread_conversation on touchpoint_thread (conversation_id)`

export const DELIVERIES = [OUTBOUND, INBOUND]
