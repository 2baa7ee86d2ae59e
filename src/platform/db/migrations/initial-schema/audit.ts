import { tenantIndexes } from './tenant-columns.js'

/**
 * Deeds of administrators and the operator, and sign-ins. There are no foreign keys: entries outlive what they name. An entry
 * is written by the action's transaction without a number, and gets its place in the contact center's chain, with a hash of
 * itself and of the one before it, within a second or two (`modules/audit/chain-entries.ts`).
 */
const ENTRY = `
create table audit_entry (
  id uuid primary key,
  organization_id uuid not null,
  org1 uuid not null,
  org2 uuid,
  org3 uuid,
  number bigint,
  at timestamptz(3) not null,
  action text not null,
  actor jsonb not null,
  object jsonb,
  -- Of the details, by their salt: both are dropped after a time, and the chain still verifies.
  commitment text not null,
  salt text,
  details jsonb,
  hash text,
  check ((number is null) = (hash is null)),
  check ((salt is null) = (details is null))
);
create unique index audit_entry_number on audit_entry (org1, number);
create index audit_entry_unchained on audit_entry (org1, id) where number is null;
create index audit_entry_details on audit_entry (at) where details is not null;
-- What is rare, or not there, is found without reading all that the contact center has.
create index audit_entry_action on audit_entry (org1, action, at, id);
create index audit_entry_actor on audit_entry (org1, (actor ->> 'id'), at, id);
create index audit_entry_type on audit_entry (org1, (object ->> 'type'), at, id);
create index audit_entry_object on audit_entry ((object ->> 'id'), id);
${tenantIndexes('audit_entry', 'audit_entry_org', 'at, id')}

-- The last entry of each chain.
create table audit_chain (
  org1 uuid primary key,
  number bigint not null default 0,
  hash text not null
);

-- Signed statements of a chain's end, which are also kept elsewhere: they show what a writer of the database could hide.
create table audit_seal (
  org1 uuid not null,
  number bigint not null,
  at timestamptz(3) not null,
  hash text not null,
  seal text not null,
  primary key (org1, number)
)`

/** Refuses what no statement of the server does: it is a guard against mistakes, not against who may drop it. */
const UNCHANGED = `
create function audit_entry_unchanged() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then raise exception 'an audit entry is never deleted'; end if;
  if (new.id, new.organization_id, new.org1, new.org2, new.org3, new.at, new.action, new.actor, new.object, new.commitment)
    is distinct from
     (old.id, old.organization_id, old.org1, old.org2, old.org3, old.at, old.action, old.actor, old.object, old.commitment)
    or (old.number is not null and (new.number, new.hash) is distinct from (old.number, old.hash))
    or (new.details is not null and new.details is distinct from old.details)
  then raise exception 'an audit entry is never changed'; end if;
  return new;
end $$;
create trigger audit_entry_unchanged before update or delete on audit_entry
  for each row execute function audit_entry_unchanged()`

export const AUDIT = [ENTRY, UNCHANGED]
