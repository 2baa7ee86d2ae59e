import { TENANT, tenantIndexes, UNCHECKED_TENANT } from './tenant-columns.js'

/** Sign-ins by providers: services of types `oidc` and `saml`. */
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
  -- The person of a SAML assertion, which comes without the cookie, until the browser comes with it.
  answer jsonb,
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
create index sso_logout_expiry on sso_logout (expires_at);

-- Assertions (SAML) that were taken, so that none is taken twice. The id is a hash.
create table sso_assertion (
  service_id uuid not null references service (id) on delete cascade,
  id text not null,
  expires_at timestamptz not null,
  primary key (service_id, id)
);
create index sso_assertion_expiry on sso_assertion (expires_at)`

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

/** Users and groups that providers keep (SCIM). */
const PROVISIONING = `
-- A provider's tokens: of the secret the hash. Two while one replaces the other.
create table scim_token (
  id uuid primary key,
  service_id uuid not null references service (id) on delete cascade,
  hash text not null,
  created_at timestamptz not null,
  -- When one that was replaced ends; null: it does not.
  ends_at timestamptz,
  used_at timestamptz
);
create unique index scim_token_hash on scim_token (hash);
create index scim_token_service on scim_token (service_id);

-- What a provider says of a user beside the user's own columns.
create table scim_user (
  user_id uuid primary key references app_user (id) on delete cascade,
  service_id uuid not null references service (id) on delete cascade,
  user_name text not null,
  external_id text,
  -- The properties that the provider has set.
  owned text[] not null,
  -- By what the provider names the one number that is kept, such as mobile; null: work.
  phone_type text,
  -- Since when the provider has no such user any more.
  deleted_at timestamptz,
  -- Set while role and channels are to be given anew: another one with each change of groups.
  rights_due uuid
);
create unique index scim_user_name on scim_user (service_id, lower(user_name)) where deleted_at is null;
create index scim_user_external on scim_user (service_id, external_id);
create index scim_user_service on scim_user (service_id, user_id) where deleted_at is null;
create index scim_user_due on scim_user (service_id, user_id) where rights_due is not null;

-- Whom a provider has removed, by a hash of the email: no sign-in makes the account anew.
create table scim_removed (
  service_id uuid not null references service (id) on delete cascade,
  org1 uuid not null,
  email_hash text not null,
  removed_at timestamptz not null,
  primary key (service_id, email_hash)
);
create index scim_removed_email on scim_removed (org1, email_hash);

create table scim_group (
  id uuid primary key,
  service_id uuid not null references service (id) on delete cascade,
  display_name text not null,
  external_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version int not null default 1
);
create unique index scim_group_name on scim_group (service_id, lower(display_name));
create index scim_group_external on scim_group (service_id, external_id);

create table scim_member (
  group_id uuid not null references scim_group (id) on delete cascade,
  user_id uuid not null references scim_user (user_id) on delete cascade,
  primary key (group_id, user_id)
);
create index scim_member_user on scim_member (user_id)`

export const SIGN_IN = [PROVIDERS, DOMAIN, POLICY, PROVISIONING]
