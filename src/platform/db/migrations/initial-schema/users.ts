import { TENANT, tenantIndexes } from './tenant-columns.js'

const USER = `
create table app_user (${TENANT},
  family_name text, given_name text, additional_name text, display_name text,
  email text not null,
  phone text, password_hash text, avatar text,
  role text not null default 'agent',
  status text not null default 'queued',
  settings jsonb not null default '{}',
  meta jsonb,
  provider text,
  last_login timestamptz,
  api_scopes text[],
  api_token_hash text,
  api_token_id uuid,
  -- What a bot says of itself, by language.
  disclosure jsonb,
  -- What a bot does not read: email, phone, card, iban.
  mask text[],
  -- Since when it has its role and organization; null: since it was created.
  placed_at timestamptz
);
create unique index app_user_email on app_user (lower(email));
-- Finds whose API token has opened a guest's session.
create index app_user_api_token on app_user (api_token_id) where api_token_id is not null;
${tenantIndexes('app_user')}`

/** Bots that are stopped: each by itself, or all of an organization and those below it. */
const BOT_PAUSE = `
create table bot_pause (
  -- The bot, or the organization.
  subject_id uuid primary key,
  organization_id uuid not null references organization (id) on delete cascade,
  paused_by_id uuid not null,
  paused_at timestamptz not null
);
create index bot_pause_organization on bot_pause (organization_id)`

/** Bots whose grants say what they do in conversations. A bot without a row does what its scopes allow; one without grants nothing. */
const BOT_GRANTS = `
create table bot_governance (
  bot_id uuid primary key references app_user (id) on delete cascade,
  version int not null,
  updated_at timestamptz not null,
  updated_by_id uuid not null
);
create table bot_grant (
  bot_id uuid not null references bot_governance (bot_id) on delete cascade,
  -- Its conversations, and those of organizations below it.
  organization_id uuid not null references organization (id) on delete cascade,
  position int not null,
  action text not null,
  mode text not null,
  conditions jsonb not null,
  primary key (bot_id, organization_id, position)
);
create index bot_grant_organization on bot_grant (organization_id);
-- Stays when all limits are taken away: its version counts on, so that no node spends what an earlier budget had.
create table bot_budget (
  bot_id uuid primary key references app_user (id) on delete cascade,
  version int not null,
  per_conversation int,
  per_day int,
  tool_calls_per_day int,
  updated_at timestamptz not null,
  updated_by_id uuid not null
);
-- How much of a day's budget nodes have drawn so far, see \`bots/day-draws.ts\`.
create table bot_day (
  bot_id uuid not null references app_user (id) on delete cascade,
  day date not null,
  budget text not null,
  drawn int not null,
  -- The last draw, and the limit that it saw.
  last_draw int not null,
  day_limit int not null,
  -- When it was first spent.
  spent_at timestamptz,
  primary key (bot_id, budget, day)
)`

/** One family of tokens for each sign-in: its refresh tokens replace each other; revoking it ends them all. */
const SIGN_INS = `
create table token_family (
  id uuid primary key,
  user_id uuid references app_user (id) on delete cascade,
  -- Of a guest.
  contact_id uuid,
  conversation_id uuid,
  -- The bot that opened it for a guest, and the API token by which it did: they end together.
  bot_id uuid,
  api_token_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- Of a user, for the list of sessions: from where it was last signed in or renewed, and when it was last used.
  network text,
  user_agent text,
  seen_at timestamptz,
  -- Of a sign-in by a provider: the service, what the provider calls the session and the user, how and when the user proved who
  -- it is, and the end that the service sets.
  service_id uuid,
  sid text,
  subject text,
  amr text[],
  auth_time timestamptz,
  ends_at timestamptz
);
-- Finds what a provider ends.
create index token_family_subject on token_family (service_id, subject) where service_id is not null;
create index token_family_user on token_family (user_id);
create index token_family_expiry on token_family (expires_at);
create index token_family_bot on token_family (bot_id) where bot_id is not null;
create index token_family_api_token on token_family (api_token_id) where api_token_id is not null;
-- Finds whether a guest's token reads a conversation.
create index token_family_conversation on token_family (conversation_id) where conversation_id is not null;

-- The API token that a bot had before its present one, until it ends: those who hold it have time to take the new one.
create table ending_api_token (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  hash text not null,
  ends_at timestamptz not null
);
create index ending_api_token_user on ending_api_token (user_id);

create table refresh_token (
  id uuid primary key,
  family_id uuid not null references token_family (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  spent_at timestamptz
);
create index refresh_token_family on refresh_token (family_id);

-- Networks from which a user signed in: guesses from other networks do not lock the user out.
create table user_network (
  user_id uuid not null references app_user (id) on delete cascade,
  network text not null,
  seen_at timestamptz not null,
  primary key (user_id, network)
)`

/** The second factor of users: an authenticator app, and codes for whoever has lost it. */
const FACTORS = `
create table user_factor (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  -- Sealed.
  secret text not null,
  created_at timestamptz not null,
  -- Null until a code has shown that the app has the secret.
  confirmed_at timestamptz,
  used_at timestamptz,
  -- The period of 30 s whose code was used last: neither it nor an earlier one is taken again.
  used_step integer
);
create unique index user_factor_confirmed on user_factor (user_id) where confirmed_at is not null;
create index user_factor_user on user_factor (user_id);
create index user_factor_pending on user_factor (created_at) where confirmed_at is null;

create table recovery_code (
  user_id uuid not null references app_user (id) on delete cascade,
  hash text not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

create table passkey (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  -- The authenticator's name for it, in base64url.
  credential_id text not null unique,
  public_key bytea not null,
  -- An answer whose counter is not past it comes from a copy. 0 for passkeys that count nothing.
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkey_user on passkey (user_id);

create table passkey_challenge (
  -- Hash of the challenge.
  id text primary key,
  purpose text not null check (purpose in ('enrol', 'signIn', 'prove')),
  -- Null at a sign-in.
  user_id uuid references app_user (id) on delete cascade,
  family_id uuid references token_family (id) on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenge_user on passkey_challenge (user_id) where user_id is not null;
create index passkey_challenge_family on passkey_challenge (family_id) where family_id is not null;
create index passkey_challenge_expiry on passkey_challenge (expires_at)`

/** Browsers to which notifications are pushed, and how far in the user's stream each has been notified. */
const PUSH = `
create table push_subscription (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  -- Every subscription ends with a sign-in: one made with an API token, which has none, would never end.
  family_id uuid not null references token_family (id) on delete cascade,
  endpoint text not null,
  p256dh text not null,
  -- Sealed.
  auth text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  position bigint not null,
  -- When it was last looked at: those that were looked at the longest ago come first.
  looked_at timestamptz
);
create unique index push_subscription_endpoint on push_subscription (endpoint);
create index push_subscription_user on push_subscription (user_id);
create index push_subscription_family on push_subscription (family_id)`

export const USERS = [USER, BOT_PAUSE, BOT_GRANTS, SIGN_INS, FACTORS, PUSH]
