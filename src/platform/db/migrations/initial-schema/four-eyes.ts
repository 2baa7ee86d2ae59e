import { tenantIndexes, UNCHECKED_TENANT } from './tenant-columns.js'

/** Settings of an organization, and what was proposed in it: they go with it. */
const TENANT = UNCHECKED_TENANT.replace(
  'organization_id uuid not null',
  'organization_id uuid not null references organization (id) on delete cascade',
)

/** The areas in which a contact center needs two administrators. */
const AREAS = `
create table four_eyes (${TENANT},
  erasure boolean not null,
  hold boolean not null,
  retention boolean not null,
  sign_in boolean not null,
  unique (organization_id)
)`

/** Changes that wait for a second administrator, or did. */
const CHANGES = `
create table pending_change (${TENANT},
  area text not null check (area in ('erasure', 'hold', 'retention', 'signIn', 'fourEyes')),
  operation text not null,
  object_type text,
  object_id uuid,
  -- Never of a consumer.
  object_name text,
  -- The change is void if the record has another one by then.
  object_version int,
  -- As it is shown: without secrets.
  input jsonb not null,
  sealed_input text not null,
  digest text not null,
  proposed_by_id uuid not null,
  scopes text[] not null,
  family_id uuid,
  status text not null check (status in ('pending', 'approved', 'refused', 'withdrawn', 'expired', 'void')),
  expires_at timestamptz not null,
  decided_by_id uuid,
  decided_at timestamptz,
  comment text,
  check ((status = 'pending') = (decided_at is null)),
  -- Nobody decides on their own.
  check (status not in ('approved', 'refused') or decided_by_id <> proposed_by_id)
);
${tenantIndexes('pending_change')}
create index pending_change_waiting on pending_change (organization_id) where status = 'pending'`

export const FOUR_EYES = [AREAS, CHANGES]
