import { tenantIndexes, UNCHECKED_TENANT } from './tenant-columns.js'

/** Settings of an organization, and numbers: they go with it. */
const TENANT = UNCHECKED_TENANT.replace(
  'organization_id uuid not null',
  'organization_id uuid not null references organization (id) on delete cascade',
)

/** Terms after which something is erased, one of a kind and organization. One that has ended stays, for what it has done. */
const RETENTION_POLICY = `
create table retention_policy (${TENANT},
  subject text not null check (subject in ('conversations', 'attachments', 'contacts')),
  days int not null check (days between 1 and 3650),
  -- Nothing is erased before.
  starts_at timestamptz not null,
  -- Until then it keeps those of organizations above away, but erases nothing; null while it holds.
  ends_at timestamptz,
  created_by_id uuid
);
${tenantIndexes('retention_policy')}
-- Of those that hold there is one, which whoever makes one sees to by the organization's lock.
create index retention_policy_subject on retention_policy (organization_id, subject) where ends_at is null`

/** Runs of the policies: ids and numbers. */
const RETENTION_RUN = `
create table retention_run (${TENANT},
  policy_id uuid not null references retention_policy (id) on delete cascade,
  -- A policy that was changed since erases nothing more by this run.
  policy_version int not null,
  subject text not null,
  days int not null,
  -- What ended before is erased.
  before timestamptz not null,
  status text not null check (status in ('running', 'done', 'stopped')),
  erased int not null default 0,
  held int not null default 0,
  failed int not null default 0,
  -- The first of what holds keep, with the holds.
  kept jsonb not null default '[]',
  -- The last record that was looked at; null before the first.
  cursor jsonb,
  finished_at timestamptz
);
${tenantIndexes('retention_run')}
create index retention_run_policy on retention_run (policy_id, id)`

/** The conversation `$1` and those that it was merged into. */
const LINE = `with recursive line as (
    select $1 as id union select m.target_id from line l join conversation_merge m on m.origin_id = l.id
  )`

/** Tells whether a conversation, and each that it was merged into, is over and was silent since before a time. */
const CASE_ENDED = `
create function case_ended(conversation uuid, before timestamptz) returns boolean language sql stable as $$
  ${LINE}
  select coalesce(bool_and(c.status in ('closed', 'archived') and coalesce(c.last_message_at, c.created_at) < $2), true)
  from line l join conversation c on c.id = l.id
$$`

/**
 * Tells whether nothing is to come in a conversation, in those that it was merged into, and in those merged into it: no message that waits,
 * no proposal, no stream; and no closing that can still be undone. What was given up does not come.
 */
const CASE_RESTS = `
create function case_rests(conversation uuid, at timestamptz) returns boolean language sql stable as $$
  ${LINE}, source as (
    select $1 as id union select m.origin_id from source s join conversation_merge m on m.target_id = s.id
  ), c as (select id from line union select id from source)
  select not exists (select from c join job j on j.payload ->> 'conversation' = c.id::text
      where j.kind = 'message.process' and j.run_at < 'infinity')
    and not exists (select from c join job j on j.key = 'conversation.closing:' || c.id
      where j.kind = 'conversation.closing' and j.run_at < 'infinity')
    and not exists (select from c join proposal p on p.conversation_id = c.id where p.status = 'pending' and p.expires_at > $2)
    and not exists (select from c join message_stream s on s.conversation_id = c.id
      where s.ending is null and s.created_at > $2 - interval '1 hour')
$$`

/**
 * Has the policies of a contact center, or one policy, or all for null, erase nothing for a day: holds may be missing that were made after
 * the time to which a restore went back, or could not be made while the contact center was archived.
 */
const DELAY = `
create function delay_retention(of_what uuid, since timestamptz) returns void language sql as $$
  update retention_policy set starts_at = greatest(starts_at, $2 + interval '1 day')
    where ends_at is null and ($1 is null or $1 in (org1, id));
  update retention_run set status = 'stopped', finished_at = $2, updated_at = $2, version = version + 1
    where status = 'running' and ($1 is null or $1 in (org1, policy_id))
$$`

export const RETENTION = [RETENTION_POLICY, RETENTION_RUN, CASE_ENDED, CASE_RESTS, DELAY]
