import { TENANT, tenantIndexes } from './tenant-columns.js'

/** Indexes of records that are shared within a contact center by their tags (4.3). */
const sharedIndexes = (table: string): string => `
${tenantIndexes(table)}
create index ${table}_organization on ${table} (organization_id);
-- Rows are written seldom, and a pending list would be read through at every look.
create index ${table}_tags on ${table} using gin (tags) with (fastupdate = off)`

const FORM = `
create table form (${TENANT},
  name text not null,
  is_static boolean not null default false,
  fields jsonb not null default '[]',
  email text[] not null default '{}',
  tags text[] not null default '{}',
  meta jsonb
);
${sharedIndexes('form')};
create unique index form_name on form (organization_id, name)`

const ARTICLE = `
create table article (${TENANT},
  title text not null,
  summary text,
  body text not null default '',
  language text, category text,
  status text not null default 'draft',
  tags text[] not null default '{}',
  meta jsonb
);
${sharedIndexes('article')}`

const ATTACHMENT = `
create table attachment (${TENANT},
  file_name text not null,
  file_type text not null,
  size bigint not null,
  sha256 text not null,
  tags text[] not null default '{}',
  -- Who uploaded it. No references: what a deleted user sent stays.
  user_id uuid,
  contact_id uuid
);
${sharedIndexes('attachment')};
create index attachment_contact on attachment (contact_id) where contact_id is not null`

const FILE = `
create table file (${TENANT},
  name text not null,
  url text,
  attachment_id uuid references attachment (id),
  file_type text,
  size bigint,
  tags text[] not null default '{}',
  check ((url is null) <> (attachment_id is null))
);
${sharedIndexes('file')};
create index file_attachment on file (attachment_id) where attachment_id is not null`

const LOCATION = `
create table location (${TENANT},
  name text not null,
  address jsonb,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  telephone text, email text, url text,
  timezone text,
  opening_hours jsonb not null default '[]',
  tags text[] not null default '{}',
  check ((latitude is null) = (longitude is null))
);
${sharedIndexes('location')}`

/** Texts of an organization that its agents insert. */
const CANNED_RESPONSE = `
create table canned_response (${TENANT},
  shortcut text not null,
  text text not null
);
${tenantIndexes('canned_response')}
create unique index canned_response_shortcut on canned_response (organization_id, shortcut)`

/** Labels that agents put on conversations. Archived ones keep their rows: conversations and milestones name them. */
const LABEL = `
create table label (${TENANT},
  name text not null,
  hue int not null,
  archived_at timestamptz
);
${tenantIndexes('label')}
create unique index label_name on label (organization_id, lower(name)) where archived_at is null`

/** Steps that an agent does at once; without an owner, of all agents of the organization. Archived ones keep their rows. */
const MACRO = `
create table macro (${TENANT},
  owner_id uuid references app_user (id) on delete cascade,
  name text not null,
  shortcut text,
  -- Only for conversations of these; empty: for all.
  channels uuid[] not null default '{}',
  steps jsonb not null,
  archived_at timestamptz
);
${tenantIndexes('macro')}
create index macro_owner on macro (owner_id) where owner_id is not null;
create unique index macro_name on macro (organization_id, owner_id, lower(name)) nulls not distinct
  where archived_at is null;
create unique index macro_shortcut on macro (organization_id, owner_id, shortcut) nulls not distinct
  where archived_at is null and shortcut is not null`

/** Conversations that an agent looks at again and again; without an owner, of all agents of the organization. */
const VIEW = `
create table view (${TENANT},
  owner_id uuid references app_user (id) on delete cascade,
  name text not null,
  filter jsonb not null,
  order_by jsonb not null,
  -- Of the labels, channels and organizations that the filter names, by id: what they were called when one is gone.
  names jsonb not null
);
${tenantIndexes('view')}
create index view_owner on view (owner_id) where owner_id is not null;
create unique index view_name on view (organization_id, owner_id, lower(name)) nulls not distinct`

/** One act with many conversations, for some days; of those that it goes on with, an organization has few. */
const BULK_RUN = `
create table bulk_run (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  org1 uuid not null,
  -- The caller's organization of level 2, or the contact center: whose runs take turns.
  customer_id uuid not null,
  -- Those of the caller when it asked: a restricted token gets no more.
  scopes text[] not null,
  request_hash text not null,
  -- Without their texts once it has ended.
  steps jsonb not null,
  macro jsonb,
  state text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  undo_until timestamptz
);
create index bulk_run_user on bulk_run (user_id, created_at);
create index bulk_run_age on bulk_run (created_at);
create index bulk_run_under_way on bulk_run (customer_id) where state in ('running', 'undoing')`

/** Its conversations: ids, and what became of each. */
const BULK_ITEM = `
create table bulk_item (
  run_id uuid not null references bulk_run (id) on delete cascade,
  conversation_id uuid not null,
  -- The last message when the run was asked for: what came since was not seen by whoever asked.
  last_message_id uuid,
  attempts int not null default 0,
  outcome text,
  refusal jsonb,
  -- What an undoing needs.
  before jsonb,
  undone text,
  primary key (run_id, conversation_id)
)`

export const RESOURCES = [
  ...[FORM, ARTICLE, ATTACHMENT, FILE, LOCATION, CANNED_RESPONSE, LABEL, MACRO, VIEW],
  ...[BULK_RUN, BULK_ITEM],
]
