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
create index service_provider on service (org1) where type in ('oidc', 'saml');
-- Those that do not work, of which there are few.
create index service_failing on service (type) where status in ('failing', 'paused');
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
  -- When the grant itself ends, where its server says so: nobody but a person can renew it.
  grant_ends_at timestamptz,
  -- Until when a node is asking for it.
  leased_until timestamptz,
  failure text,
  retry_at timestamptz
);

-- Access tokens among the params that end, and that the provider replaces before.
create table service_token (
  service_id uuid primary key references service (id) on delete cascade,
  -- Since when the service has it: it may be older.
  since timestamptz not null,
  -- As the provider said when it gave it; null for one that somebody has entered.
  ends_at timestamptz,
  -- When it is to be replaced; a node that tries sets the next time first.
  due_at timestamptz not null
);
create index service_token_due on service_token (due_at);

-- Sign-ins of administrators for a service that are at its provider. The id is a hash of the state, the browser one of its cookie.
create table service_authorization (
  id text primary key,
  browser text not null,
  service_id uuid not null references service (id) on delete cascade,
  user_id uuid not null references app_user (id) on delete cascade,
  -- The sign-in that asked, which may end meanwhile.
  session uuid,
  -- A keyed hash of the settings for which it was asked.
  settings text not null,
  expires_at timestamptz not null
);
create index service_authorization_expiry on service_authorization (expires_at);
create index service_authorization_service on service_authorization (service_id);

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

-- What checks of a way to the consumer have found.
create table service_check (
  service_id uuid primary key references service (id) on delete cascade,
  due_at timestamptz not null,
  checked_at timestamptz,
  -- Null while nothing is wrong.
  code text,
  message text,
  -- Failed checks, one after the other, and since when.
  failures int not null default 0,
  failing_since timestamptz,
  -- The service was made failing for it.
  is_told boolean not null default false,
  -- The provider's rating of the sender.
  quality text
);

-- Events of a provider that have no use here, by its names of them.
create table service_unnamed (
  service_id uuid not null references service (id) on delete cascade,
  name text not null,
  count int not null,
  last_at timestamptz not null,
  primary key (service_id, name)
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
