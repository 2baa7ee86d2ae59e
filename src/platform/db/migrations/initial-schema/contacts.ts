import { TENANT, tenantIndexes } from './tenant-columns.js'

const CONTACT = `
create table contact (${TENANT},
  profile jsonb not null default '{}',
  email text, telephone text,
  meta jsonb,
  status text not null default 'active',
  address text
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

-- How a contact is identified at a service, besides its email address and phone number.
create table contact_handle (
  service_id uuid not null references service (id) on delete cascade,
  address text not null,
  contact_id uuid not null references contact (id) on delete cascade,
  created_at timestamptz not null,
  -- When the contact last wrote from there.
  last_inbound_at timestamptz not null,
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
 * twice with the secret, as HMAC does.
 */
const ERASED_NAME = `
create function erased_name(known text) returns text language sql stable parallel safe return
  (select 'erased:' || encode(sha256(convert_to(value, 'utf8') ||
    sha256(convert_to(value, 'utf8') || convert_to(known, 'utf8'))), 'hex') from server_secret
    where name = 'erasure')`

export const CONTACTS = [CONTACT, ERASED_NAME]
