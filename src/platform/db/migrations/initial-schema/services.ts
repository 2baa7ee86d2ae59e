import { TENANT, tenantIndexes } from './tenant-columns.js'

const SERVICE = `
create table service (${TENANT},
  name text, type text not null,
  -- The way to the consumer that the type is; null for other integrations. Set by each write.
  touchpoint text check (touchpoint in ('web', 'email', 'sms', 'messenger')),
  -- As they are shown: where they hold a secret, it is masked, and all of them are sealed beside.
  params jsonb not null default '{}',
  sealed_params text,
  meta jsonb,
  status text not null default 'active',
  -- While it is failing: why its provider refuses it.
  problem text,
  -- A keyed hash of what no two services of the installation may have, such as a bot's token.
  account text
);
${tenantIndexes('service')}
create unique index service_account on service (account) where account is not null;
-- Finds the providers of an organization's sign-ins.
create index service_oidc on service (org1) where type = 'oidc';
create index service_touchpoint on service (organization_id) where touchpoint is not null;
-- Finds the service to which an address belongs, for inbound mail.
create index service_email_address on service (lower(params ->> 'address')) where touchpoint = 'email';

-- Sender addresses that were proved.
create table mail_sender (
  service_id uuid primary key references service (id) on delete cascade,
  address text not null,
  verified_by text not null check (verified_by in ('mail', 'dns')),
  verified_at timestamptz not null
);

-- What a service may use at a server that takes tokens in place of passwords (OAuth 2.0).
create table service_grant (
  service_id uuid primary key references service (id) on delete cascade,
  -- A hash of the settings that it was obtained with.
  settings text not null,
  -- Sealed, as the next.
  access_token text,
  -- That of the last answer, where the server replaces it at each use; else the service's own holds.
  refresh_token text,
  expires_at timestamptz,
  -- Until when a node is asking for it.
  leased_until timestamptz,
  failure text,
  retry_at timestamptz
);

-- Texts that a provider has approved, as it last listed them.
create table message_template (
  id uuid primary key,
  service_id uuid not null references service (id) on delete cascade,
  provider_id text not null,
  name text not null,
  language text not null,
  category text not null,
  status text not null,
  quality text,
  header text,
  header_text text,
  body text not null,
  footer text,
  buttons jsonb not null,
  -- It has parts that a message cannot give.
  is_unsupported boolean not null,
  reason text,
  synced_at timestamptz not null,
  unique (service_id, name, language)
);

-- Who opted out of texts.
create table opt_out (
  service_id uuid not null references service (id) on delete cascade,
  -- A pseudonym of the number, see erased_name.
  address text not null,
  opted_out_at timestamptz not null,
  primary key (service_id, address)
)`

export const SERVICES = [SERVICE]
