import { TENANT, tenantIndexes, UNCHECKED_TENANT } from './tenant-columns.js'

/** Sign-ins by providers: services of type `oidc`. */
const PROVIDERS = `
-- Who a user is at a provider.
create table user_identity (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  -- The user's contact center: an identity opens one account of each.
  org1 uuid not null,
  issuer text not null,
  subject text not null,
  -- The service by which it was linked.
  service_id uuid references service (id) on delete set null,
  email text,
  -- False if nobody proved at the link that the user's email is this person's.
  is_proven boolean not null,
  created_at timestamptz not null,
  used_at timestamptz not null
);
create unique index user_identity_subject on user_identity (org1, issuer, subject);
create index user_identity_user on user_identity (user_id);

-- A signed-in user may begin an attempt to link an identity, or a trial. The id is a hash of what the user holds.
create table sso_ticket (
  id text primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  service_id uuid not null references service (id) on delete cascade,
  purpose text not null check (purpose in ('link', 'trial')),
  expires_at timestamptz not null
);
create index sso_ticket_expiry on sso_ticket (expires_at);

-- Attempts that are at the provider. The id is a hash of the state, the browser one of its cookie.
create table sso_attempt (
  id text primary key,
  browser text not null,
  service_id uuid not null references service (id) on delete cascade,
  purpose text not null check (purpose in ('signIn', 'link', 'trial')),
  user_id uuid references app_user (id) on delete cascade,
  -- The page of the console to which the sign-in leads.
  page text,
  expires_at timestamptz not null
);
create index sso_attempt_expiry on sso_attempt (expires_at);

-- What came of an attempt to link or a trial, until its user takes it. The id is a hash of what the browser holds.
create table sso_finding (
  id text primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  service_id uuid not null references service (id) on delete cascade,
  purpose text not null check (purpose in ('link', 'trial')),
  identity jsonb not null,
  expires_at timestamptz not null
);
create index sso_finding_expiry on sso_finding (expires_at);

-- Sign-outs that providers told of, so that none is taken twice.
create table sso_logout (
  service_id uuid not null references service (id) on delete cascade,
  jti text not null,
  expires_at timestamptz not null,
  primary key (service_id, jti)
);
create index sso_logout_expiry on sso_logout (expires_at)`

/** Domains of emails: each belongs to one organization of the installation once its DNS says so. */
const DOMAIN = `
create table domain (${TENANT},
  name text not null,
  verified_at timestamptz,
  checked_at timestamptz,
  -- Since when the record is missing from the DNS of a verified domain.
  missing_since timestamptz
);
${tenantIndexes('domain')}
create unique index domain_of_organization on domain (organization_id, name);
create unique index domain_verified on domain (name) where verified_at is not null`

/** Rules of sign-ins, a row for each organization that has set any. Networks are `cidr` as text. */
const POLICY = `
create table sign_in_policy (${UNCHECKED_TENANT.replace(
  'organization_id uuid not null',
  'organization_id uuid not null unique references organization (id) on delete cascade',
)},
  password_min_length int,
  max_session_hours int,
  allowed_networks text[],
  api_token_networks text[],
  api_token_max_days int,
  idle_minutes int,
  -- False: people sign in by a provider only.
  password_login boolean,
  -- Whom a second factor is asked of, how many days each has to enrol one, and since when it is asked of administrators and of the others.
  second_factor text check (second_factor in ('admins', 'all')),
  grace_days int,
  admins_factor_since timestamptz,
  all_factor_since timestamptz
);
create index sign_in_policy_org1 on sign_in_policy (org1)`

export const SIGN_IN = [PROVIDERS, DOMAIN, POLICY]
