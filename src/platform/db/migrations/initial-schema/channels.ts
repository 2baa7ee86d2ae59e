import { TENANT, tenantIndexes } from './tenant-columns.js'

const CHANNEL = `
create table channel (${TENANT},
  name text not null,
  status text not null default 'active',
  -- Null: agents pull from the queue.
  assignment jsonb,
  -- Null: the defaults.
  service_level jsonb,
  -- Null: nobody is asked.
  survey jsonb,
  -- HTML below answers by mail; null: that of the agent.
  signature text
);
${tenantIndexes('channel')}
create index channel_organization on channel (organization_id);

create table channel_member (
  channel_id uuid not null references channel (id) on delete cascade,
  user_id uuid not null references app_user (id) on delete cascade,
  supervisor boolean not null default false,
  created_at timestamptz not null,
  primary key (channel_id, user_id)
);
create index channel_member_user on channel_member (user_id)`

/** A decision stores its input instead of a trace of every rule: the rules of the versions that ran are kept. */
const WORKFLOW = `
create table workflow (${TENANT},
  -- Of an export, else the id itself: unique in a contact center, so that two may import the same.
  external_id text not null,
  name text,
  organizations uuid[],
  organization_tags text[],
  rules jsonb not null default '[]'
);
${tenantIndexes('workflow')}
create unique index workflow_external_id on workflow (org1, external_id);
create index workflow_organization on workflow (organization_id);

-- No reference to the workflow: what it decided outlives it.
create table workflow_version (
  workflow_id uuid not null,
  version text not null,
  organization_id uuid not null references organization (id) on delete cascade,
  name text not null,
  -- Hashes of its rules, in their order.
  rules text[] not null,
  created_at timestamptz not null,
  -- When it decided last, to the day: versions that explain nothing any more are removed.
  used_at timestamptz not null default now(),
  primary key (workflow_id, version)
);
create index workflow_version_organization on workflow_version (organization_id);
create index workflow_version_used on workflow_version (used_at);

create table workflow_version_rule (
  workflow_id uuid not null,
  hash text not null,
  organization_id uuid not null references organization (id) on delete cascade,
  rule jsonb not null,
  primary key (workflow_id, hash)
);
create index workflow_version_rule_organization on workflow_version_rule (organization_id)`

/** Its rules are in workflow_version_rule. */
const WORKFLOW_CHANGE = `
create table workflow_change (
  workflow_id uuid not null references workflow (id) on delete cascade,
  -- The version of the workflow after it.
  number int not null,
  organization_id uuid not null references organization (id) on delete cascade,
  at timestamptz not null,
  -- Without a reference: null for the system, and for a state that was found later.
  user_id uuid,
  kind text,
  comment text,
  restored_from int,
  name text,
  organizations uuid[],
  organization_tags text[],
  rules text[] not null,
  -- Of channels and skills that the rules name, which may be deleted later.
  names jsonb not null,
  primary key (workflow_id, number)
);
create index workflow_change_organization on workflow_change (organization_id);

create table workflow_draft (${TENANT},
  workflow_id uuid not null references workflow (id) on delete cascade,
  user_id uuid not null references app_user (id) on delete cascade,
  -- The version of the workflow with which it began, and the hash of its rules then.
  base_version int not null,
  base_hash text not null,
  rules jsonb not null,
  names jsonb not null,
  publish_at timestamptz,
  comment text,
  refusal jsonb,
  unique (workflow_id, user_id)
);
${tenantIndexes('workflow_draft')}
create index workflow_draft_user on workflow_draft (user_id)`

export const CHANNELS = [CHANNEL, WORKFLOW, WORKFLOW_CHANGE]
