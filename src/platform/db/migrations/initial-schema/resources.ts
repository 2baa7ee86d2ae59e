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

export const RESOURCES = [FORM, ARTICLE, ATTACHMENT, FILE, LOCATION, CANNED_RESPONSE, LABEL]
