import { Migration } from '@mikro-orm/migrations'

/** Outbound deliveries and inbound messages of touchpoints (4.7). */
export class Touchpoints extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  // A separate column: the conversation's `touchpoint` does not tell whether a user chose it (4.7, delivery rule 4).
  'alter table conversation add column touchpoint_chosen boolean not null default false',
  // A message is delivered once per touchpoint. The tenant columns are those of the message.
  `create table delivery (
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
    status text not null
      check (status in ('queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'maybeSent')),
    reason text,
    provider_id text,
    segments int,
    attempts int not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (message_id, touchpoint)
  ) with (fillfactor = 85)`,
  'create index delivery_provider on delivery (service_id, provider_id) where provider_id is not null',
  `create index delivery_unread on delivery (conversation_id, touchpoint)
    where status in ('sent', 'delivered')`,
  // Inbound messages that were received, to drop those that the provider sends again.
  `create table inbound_message (
    service_id uuid not null references service (id) on delete cascade,
    provider_id text not null,
    message_id uuid,
    conversation_id uuid,
    contact_id uuid,
    -- Why no message was made of it.
    ignored text,
    received_at timestamptz not null,
    primary key (service_id, provider_id)
  )`,
  'create index inbound_message_received on inbound_message using brin (received_at)',
  // How a contact is identified at a service, besides its email address and phone number.
  `create table contact_handle (
    service_id uuid not null references service (id) on delete cascade,
    address text not null,
    contact_id uuid not null references contact (id) on delete cascade,
    created_at timestamptz not null,
    primary key (service_id, address)
  )`,
  'create index contact_handle_contact on contact_handle (contact_id)',
  // The conversation that collects a contact's messages of a touchpoint.
  `create table touchpoint_thread (
    contact_id uuid not null references contact (id) on delete cascade,
    touchpoint text not null,
    conversation_id uuid not null references conversation (id) on delete cascade,
    primary key (contact_id, touchpoint)
  )`,
  'create index touchpoint_thread_conversation on touchpoint_thread (conversation_id)',
  `create table contact_presence (
    contact_id uuid not null references contact (id) on delete cascade,
    touchpoint text not null,
    last_seen_at timestamptz not null,
    primary key (contact_id, touchpoint)
  ) with (fillfactor = 70)`,
  'create index conversation_viewer_contact on conversation_viewer (contact_id) where contact_id is not null',
  `create index service_touchpoint on service (organization_id)
    where type in ('web', 'email', 'sms', 'messenger')`,
]
