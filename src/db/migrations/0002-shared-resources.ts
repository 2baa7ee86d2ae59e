import { Migration } from '@mikro-orm/migrations'

/** Columns of every tenant-owned table, see `db/tenancy.ts`. */
const TENANT = `
  id uuid primary key,
  organization_id uuid not null references organization (id),
  org1 uuid not null,
  org2 uuid,
  org3 uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null`

/** Index each level's ids in time order, and the tags by which rows are shared within a contact center (4.3). */
const indexes = (table: string): string => `
create index ${table}_org1 on ${table} (org1, id);
create index ${table}_org2 on ${table} (org2, id) where org2 is not null;
create index ${table}_org3 on ${table} (org3, id) where org3 is not null;
create index ${table}_organization on ${table} (organization_id);
-- Rows are written seldom, and a pending list would be read through at every look.
create index ${table}_tags on ${table} using gin (tags) with (fastupdate = off);
`

export class SharedResources extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const FORMS = `
create table form (${TENANT},
  name text not null,
  is_static boolean not null default false,
  fields jsonb not null default '[]',
  email text[] not null default '{}',
  tags text[] not null default '{}',
  meta jsonb
);
${indexes('form')}
create unique index form_name on form (organization_id, name);
`

const ARTICLES = `
create table article (${TENANT},
  title text not null,
  summary text,
  body text not null default '',
  language text, category text,
  status text not null default 'draft',
  tags text[] not null default '{}',
  meta jsonb
);
${indexes('article')}
`

const ATTACHMENTS = `
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
${indexes('attachment')}
create index attachment_contact on attachment (contact_id) where contact_id is not null;

create table file (${TENANT},
  name text not null,
  url text,
  attachment_id uuid references attachment (id),
  file_type text,
  size bigint,
  tags text[] not null default '{}',
  check ((url is null) <> (attachment_id is null))
);
${indexes('file')}
create index file_attachment on file (attachment_id) where attachment_id is not null;
`

const LOCATIONS = `
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
${indexes('location')}
`

const STATEMENTS = [FORMS, ARTICLES, ATTACHMENTS, LOCATIONS]
