import { TENANT, tenantIndexes } from './tenant-columns.js'

const CONTACT = `
create table contact (${TENANT},
  profile jsonb not null default '{}',
  email text, telephone text,
  meta jsonb,
  status text not null default 'active',
  address text,
  -- Since when it is being erased: emptied, and gone once its conversations are.
  erasing_at timestamptz
);
${tenantIndexes('contact')}
${tenantIndexes('contact', 'contact_created', 'created_at, id')}
${tenantIndexes('contact', 'contact_name', `(profile ->> 'name'), id`)}
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

-- How a contact is identified at a service, besides its email address and phone number; and of these, those that are blocked.
create table contact_handle (
  service_id uuid not null references service (id) on delete cascade,
  address text not null,
  contact_id uuid not null references contact (id) on delete cascade,
  created_at timestamptz not null,
  -- When the contact last wrote from there; null for an address that is here only because it is blocked.
  last_inbound_at timestamptz,
  -- Until when people may answer there, and until when machines may; null where nothing closes.
  open_until timestamptz,
  machines_until timestamptz,
  -- Since when nothing may be sent there: the contact blocked the service, or the address is gone.
  blocked_at timestamptz,
  primary key (service_id, address)
);
create index contact_handle_contact on contact_handle (contact_id);

create table contact_presence (
  contact_id uuid not null references contact (id) on delete cascade,
  touchpoint text not null,
  last_seen_at timestamptz not null,
  primary key (contact_id, touchpoint)
) with (fillfactor = 70)`

/**
 * A pseudonym of an address that reveals nothing but can be compared with a given address, for erased contacts. Hashed
 * twice with the secret, as HMAC does. PostgreSQL takes \`pseudonym\` for its expression; \`erased_name\` it calls and plans each time.
 */
const ERASED_NAME = `
create function pseudonym(secret text, known text) returns text language sql immutable parallel safe return
  'erased:' || encode(sha256(convert_to(secret, 'utf8') ||
    sha256(convert_to(secret, 'utf8') || convert_to(known, 'utf8'))), 'hex');
create function erased_name(known text) returns text language sql stable parallel safe return
  (select pseudonym(value, known) from server_secret where name = 'erasure')`

/** Notes of agents about a contact, beside its conversations. */
const NOTE = `
create table contact_note (${TENANT},
  contact_id uuid not null references contact (id) on delete cascade,
  -- No reference: a note stays when its author is deleted, with the name that the author had.
  author_id uuid not null,
  author_name text not null,
  text text not null
);
create index contact_note_contact on contact_note (contact_id, created_at, id)`

/** History of a contact that nothing else keeps: which fields were changed, without their values, and what was merged. */
const HISTORY = `
create table contact_change (
  id uuid primary key default gen_random_uuid(),
  contact_id uuid not null references contact (id) on delete cascade,
  -- Nobody for the service itself, and for the contact.
  user_id uuid,
  is_by_contact boolean not null default false,
  fields text[] not null,
  created_at timestamptz not null
);
create index contact_change_contact on contact_change (contact_id, created_at, id);

-- Conversations that were merged, and so their contacts, which are one person: each one's history is the other's too.
create table contact_merge (
  id uuid primary key default gen_random_uuid(),
  origin_id uuid not null references contact (id) on delete cascade,
  target_id uuid not null references contact (id) on delete cascade,
  -- No references: the merge stays told when one of them is deleted.
  origin_conversation_id uuid not null,
  target_conversation_id uuid not null,
  user_id uuid,
  created_at timestamptz not null
);
create index contact_merge_origin on contact_merge (origin_id, target_id);
create index contact_merge_target on contact_merge (target_id, created_at, id)`

/** Deleted conversations of which something is left in others: copies that a merge made, or cards that name them. */
const DELETED = `
create table deleted_conversation (
  id uuid primary key,
  contact_id uuid not null references contact (id) on delete cascade,
  -- Those with such cards: nothing else leads to them.
  named_in uuid[] not null,
  -- What its messages refer to, of one that is removed because its contact is erased.
  attachments uuid[] not null default '{}'
);
create index deleted_conversation_contact on deleted_conversation (contact_id)`

/** Erasures of contacts: ids, numbers and pseudonyms. No reference: the contact is gone. */
const ERASURE = `
create table erasure (${TENANT},
  contact_id uuid not null,
  reason text not null,
  status text not null check (status in ('requested', 'blocked', 'withdrawing', 'erasing', 'done')),
  conversations int not null default 0,
  messages int not null default 0,
  forwards int not null default 0,
  attachments int not null default 0,
  notes int not null default 0,
  finished_at timestamptz,
  known jsonb not null default '{}',
  pending jsonb not null default '[]'
);
${tenantIndexes('erasure')}
create index erasure_contact on erasure (contact_id);
create index erasure_requested on erasure (id) where status = 'requested';
create index erasure_blocked on erasure (org1, id) where status = 'blocked'`

/** Exports of contacts: ids and numbers. Their files are stored by their ids, as those of attachments are. */
const EXPORT = `
create table contact_export (${TENANT},
  contact_id uuid not null references contact (id) on delete cascade,
  requested_by_id uuid not null,
  notes boolean not null,
  status text not null check (status in ('pending', 'ready', 'failed', 'expired')),
  conversations int not null default 0,
  messages int not null default 0,
  files int not null default 0,
  size double precision,
  sha256 text,
  expires_at timestamptz,
  -- What its file has, or was deleted while it is pending: see \`privacy/export/end-exports.ts\`.
  records jsonb not null default '[]'
);
${tenantIndexes('contact_export')}
create index contact_export_contact on contact_export (contact_id);
create index contact_export_live on contact_export (status) where status in ('pending', 'ready')`

export const CONTACTS = [CONTACT, ERASED_NAME, NOTE, HISTORY, DELETED, ERASURE, EXPORT]
