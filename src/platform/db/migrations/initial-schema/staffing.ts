import { TENANT, tenantIndexes } from './tenant-columns.js'

/** Availability and capacity of agents, and their skills. */
const STAFF = `
-- Orders what screens are told of one agent.
create sequence agent_change;
create table staff (
  user_id uuid primary key references app_user (id) on delete cascade,
  availability text not null,
  reason text,
  -- Without a reference: the id stays when the code is deleted, as in milestones.
  reason_code_id uuid,
  -- Time of the last change of availability or reason code; null before any.
  since timestamptz,
  -- When the state after a closing ends by itself, and of which conversation it is; null in others.
  wrap_up_until timestamptz,
  wrap_up_conversation_id uuid,
  -- When the user was first seen without a subscription to a queue; null while there is one.
  gone_at timestamptz,
  capacity int not null,
  misses int not null default 0,
  -- From when misses count.
  misses_from timestamptz,
  -- Numbers the milestones of the agent's states.
  milestone_count int not null default 0
);
create index staff_present on staff (user_id) where availability <> 'offline';

create table reason_code (${TENANT},
  name text not null,
  availabilities text[] not null
);
${tenantIndexes('reason_code')}
create unique index reason_code_name on reason_code (organization_id, lower(name));

create table skill (${TENANT},
  name text not null
);
${tenantIndexes('skill')}
create unique index skill_name on skill (organization_id, lower(name));

create table staff_skill (
  user_id uuid not null references app_user (id) on delete cascade,
  -- Refuses the deletion of a skill that a user has.
  skill_id uuid not null references skill (id),
  primary key (user_id, skill_id)
);
create index staff_skill_skill on staff_skill (skill_id)`

/** Conversations that are offered or assigned to agents, and what became of each offer. */
const OFFER = `
create table offer (
  id uuid primary key,
  conversation_id uuid not null references conversation (id) on delete cascade,
  queueing int not null,
  channel_id uuid not null,
  user_id uuid not null,
  made_at timestamptz not null,
  until timestamptz not null,
  outcome text,
  reason text,
  ended_at timestamptz,
  -- By the clock of the database, as the times of presence: they tell a missed offer from one that its agent could not
  -- see.
  recorded_at timestamptz not null default now(),
  end_recorded_at timestamptz,
  -- True once it is known if the agent missed it.
  judged boolean not null default false
);
create index offer_conversation on offer (conversation_id, queueing, made_at);
create index offer_user on offer (user_id, made_at);
create index offer_unjudged on offer (user_id) where outcome = 'expired' and not judged`

export const STAFFING = [STAFF, OFFER]
