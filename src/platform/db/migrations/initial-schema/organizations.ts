import { TENANT, UNCHECKED_TENANT, tenantIndexes } from './tenant-columns.js'

const ORGANIZATION = `
create table organization (${UNCHECKED_TENANT},
  name text not null,
  display_name text, url text, email text, industry text, logo text, country text, locale text, timezone text,
  parent_id uuid references organization (id),
  level smallint not null check (level between 1 and 3),
  status text not null default 'active',
  stopwords text[], categories jsonb, commands text[], profile_fields jsonb, tags text[], meta jsonb
);
create index organization_parent on organization (parent_id);
${tenantIndexes('organization')}`

const GROUP = `
create table organization_group (${TENANT},
  name text not null,
  members uuid[] not null default '{}'
);
${tenantIndexes('organization_group')}
create index organization_group_members on organization_group using gin (members)`

export const ORGANIZATIONS = [ORGANIZATION, GROUP]
