import { Migration } from '@mikro-orm/migrations'

/** Columns of every tenant-owned table, see `db/tenancy.ts`. */
const tenant = (organization: string): string => `
  id uuid primary key,
  organization_id uuid not null${organization},
  org1 uuid not null,
  org2 uuid,
  org3 uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null`
const TENANT = tenant(' references organization (id)')

/** Index each level's ids in time order: ids are UUIDv7. */
const tenantIndexes = (table: string): string =>
  [1, 2, 3]
    .map(
      (level) =>
        `create index ${table}_org${level} on ${table} (org${level}, id)${level > 1 ? ` where org${level} is not null` : ''};`,
    )
    .join('\n')

export class InitialSchema extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const ORGANIZATIONS = `
create table organization (
  id uuid primary key,
  organization_id uuid not null,
  org1 uuid not null,
  org2 uuid,
  org3 uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  display_name text, url text, email text, industry text, logo text, country text, locale text,
  parent_id uuid references organization (id),
  level smallint not null check (level between 1 and 3),
  status text not null default 'active',
  stopwords text[], categories jsonb, commands text[], profile_fields jsonb, tags text[], meta jsonb
);
create index organization_parent on organization (parent_id);
${tenantIndexes('organization')}

create table organization_group (${TENANT},
  name text not null,
  members uuid[] not null default '{}'
);
${tenantIndexes('organization_group')}
create index organization_group_members on organization_group using gin (members);
`

const USERS = `
create table app_user (${TENANT},
  family_name text, given_name text, additional_name text, display_name text,
  email text not null,
  phone text, password_hash text, avatar text,
  role text not null default 'agent',
  status text not null default 'queued',
  settings jsonb not null default '{}',
  meta jsonb,
  provider text,
  last_login timestamptz,
  api_scopes text[],
  api_token_hash text,
  api_token_id uuid
);
create unique index app_user_email on app_user (lower(email));
${tenantIndexes('app_user')}

-- One family of tokens for each sign-in: its refresh tokens replace each other; revoking it ends them all.
create table token_family (
  id uuid primary key,
  user_id uuid references app_user (id) on delete cascade,
  contact_id uuid,
  conversation_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index token_family_user on token_family (user_id);
create index token_family_expiry on token_family (expires_at);
create table refresh_token (
  id uuid primary key,
  family_id uuid not null references token_family (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  spent_at timestamptz
);
create index refresh_token_family on refresh_token (family_id);
create table server_secret (name text primary key, value text not null, created_at timestamptz not null default now());
`

const ROUTING = `
create table channel (${TENANT},
  name text not null,
  status text not null default 'active'
);
${tenantIndexes('channel')}
create index channel_organization on channel (organization_id);
create table channel_member (
  channel_id uuid not null references channel (id) on delete cascade,
  user_id uuid not null references app_user (id) on delete cascade,
  created_at timestamptz not null,
  primary key (channel_id, user_id)
);
create index channel_member_user on channel_member (user_id);

create table workflow (${TENANT},
  name text,
  organizations uuid[],
  organization_tags text[],
  rules jsonb not null default '[]',
  version int not null default 1
);
${tenantIndexes('workflow')}
create index workflow_organization on workflow (organization_id);
`

const CONVERSATIONS = `
create table service (${TENANT},
  name text, type text not null,
  params jsonb not null default '{}',
  meta jsonb,
  status text not null default 'active'
);
${tenantIndexes('service')}

create table contact (${TENANT},
  profile jsonb not null default '{}',
  email text, telephone text,
  meta jsonb,
  status text not null default 'active',
  address text
);
${tenantIndexes('contact')}
-- The identifier first: a filter by it finds the contact in any of the caller's organizations.
create unique index contact_email on contact (email, organization_id) where email is not null;
create unique index contact_telephone on contact (telephone, organization_id) where telephone is not null;
create table blocked_address (
  organization_id uuid not null references organization (id) on delete cascade,
  address text not null,
  contact_id uuid,
  created_at timestamptz not null,
  primary key (organization_id, address)
);

create table conversation (${TENANT},
  type text not null,
  name text not null,
  slug text not null unique,
  status text not null check (status in ('queued', 'active', 'closed', 'archived')),
  contact_id uuid references contact (id) on delete cascade,
  touchpoint text,
  touchpoints jsonb not null default '{}',
  category text, category_index int, language text,
  channels uuid[] not null default '{}',
  channels_offline uuid[] not null default '{}',
  forms jsonb not null default '[]',
  results jsonb not null default '[]',
  meta jsonb not null default '{}',
  created_by_id uuid,
  queued_at timestamptz,
  queueing int not null default 0,
  routing_remainder jsonb,
  awaiting_reply boolean not null default false,
  message_count int not null default 0,
  last_message_id uuid,
  last_message_at timestamptz,
  last_message_role text,
  preview text,
  version bigint not null default 1
) with (fillfactor = 85);
${tenantIndexes('conversation')}
-- Few are open, and they are what consoles list. No index holds what a message changes, such as its time: with one
-- each message would write to every index of the conversation.
${[1, 2, 3]
  .map(
    (level) =>
      `create index conversation_open${level} on conversation (org${level}, id) where status in ('queued', 'active')` +
      (level > 1 ? ` and org${level} is not null;` : ';'),
  )
  .join('\n')}
create index conversation_contact on conversation (contact_id);
create index conversation_queued_channels on conversation using gin (channels) where status = 'queued';
create index conversation_queued_offline on conversation using gin (channels_offline) where status = 'queued';

create table participant (
  conversation_id uuid not null references conversation (id) on delete cascade,
  -- No reference: a deleted user's part stays in the history.
  user_id uuid not null,
  name text, avatar text, role text not null,
  unread_count int not null default 0,
  inbox boolean not null default false,
  accepted boolean not null default false,
  active boolean not null default false,
  follow boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (conversation_id, user_id)
) with (fillfactor = 85);
create index participant_user on participant (user_id, conversation_id);
create index participant_inbox on participant (user_id) where inbox;

-- The conversation vouches for the organization: to ask for it with every message costs a quarter of the insert.
create table message (${tenant('')},
  conversation_id uuid not null references conversation (id) on delete cascade,
  position int not null,
  type text not null, role text not null,
  is_backchannel boolean not null default false,
  user_id uuid,
  content_type text not null default 'text/plain',
  text text,
  service_id uuid, touchpoint text,
  actions jsonb, items jsonb, meta jsonb,
  likes uuid[] not null default '{}',
  comments jsonb not null default '[]',
  version int not null default 1
);
${tenantIndexes('message')}
create unique index message_position on message (conversation_id, position);

-- What a queueing decided and why, one row a run of the rules.
create table routing_decision (
  id uuid primary key,
  conversation_id uuid not null references conversation (id) on delete cascade,
  queueing int not null,
  trigger text not null,
  entries jsonb not null,
  created_at timestamptz not null
);
create index routing_decision_conversation on routing_decision (conversation_id, id);
`

const STREAMS = `
create table installation (
  only_one boolean primary key default true check (only_one),
  epoch int not null default floor(random() * 2147483647)::int,
  created_at timestamptz not null default now()
);
insert into installation default values;

create table stream (
  name text primary key,
  key bigint generated always as identity,
  head bigint not null
) with (fillfactor = 50);

-- By day, so that old events leave by dropping a partition. The counter row in \`stream\` keeps numbers unique.
create table event (
  stream text not null,
  number bigint not null,
  type text not null,
  at timestamptz not null,
  data jsonb not null
) partition by range (at);
create index event_stream on event (stream, number);
create table event_default partition of event default;

create table job (
  id uuid primary key,
  kind text not null,
  key text,
  run_at timestamptz not null,
  payload jsonb not null,
  attempts int not null default 0,
  leased_by uuid,
  leased_until timestamptz,
  last_error text,
  created_at timestamptz not null
);
create index job_run_at on job (run_at);
create index job_key on job (key) where key is not null;

create table idempotency_key (
  caller text not null,
  key text not null,
  request_hash text not null,
  response jsonb,
  created_at timestamptz not null,
  primary key (caller, key)
);
create index idempotency_key_age on idempotency_key (created_at);
`

/** Presence of users and contacts by node. A node that does not renew `seen_at` is dead, and its rows are ignored. */
const PRESENCE = `
create unlogged table node (id uuid primary key, seen_at timestamptz not null, started_at timestamptz not null);
create unlogged table queue_subscriber (
  node_id uuid not null references node (id) on delete cascade,
  subscription_id uuid not null,
  channel_id uuid not null,
  user_id uuid not null,
  primary key (channel_id, subscription_id)
);
create index queue_subscriber_node on queue_subscriber (node_id);
create unlogged table conversation_viewer (
  node_id uuid not null references node (id) on delete cascade,
  subscription_id uuid not null,
  conversation_id uuid not null,
  user_id uuid,
  contact_id uuid,
  primary key (conversation_id, subscription_id)
);
create index conversation_viewer_node on conversation_viewer (node_id);
`

const STATEMENTS = [ORGANIZATIONS, USERS, ROUTING, CONVERSATIONS, STREAMS, PRESENCE]
