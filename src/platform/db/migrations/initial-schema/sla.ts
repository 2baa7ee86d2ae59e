import { TENANT, tenantIndexes } from './tenant-columns.js'

/** Schedules of organizations, and the versions of their hours that clocks count. */
const SCHEDULE = `
create table holiday_calendar (${TENANT},
  name text not null,
  days jsonb not null
);
${tenantIndexes('holiday_calendar')}

create table schedule (${TENANT},
  name text not null,
  timezone text not null,
  spans jsonb not null,
  exceptions jsonb not null,
  calendar_ids uuid[] not null default '{}',
  -- The exceptions joined with the days of the calendars.
  special_days jsonb not null default '[]',
  text text
);
${tenantIndexes('schedule')}
create index schedule_calendars on schedule using gin (calendar_ids) where calendar_ids <> '{}';

-- No reference to the schedule: clocks that count a version outlive it.
create table schedule_version (
  schedule_id uuid not null,
  version int not null,
  organization_id uuid not null references organization (id) on delete cascade,
  hours jsonb not null,
  created_at timestamptz not null,
  -- Since when no clock has referred to it, and when maintenance looked last.
  unused_since timestamptz,
  looked_at timestamptz,
  primary key (schedule_id, version)
);
create index schedule_version_organization on schedule_version (organization_id)`

const POLICY = `
create table sla_policy (${TENANT},
  name text not null,
  position int not null,
  conditions jsonb not null,
  schedule_id uuid references schedule (id),
  targets jsonb not null
);
${tenantIndexes('sla_policy')}
create index sla_policy_organization on sla_policy (organization_id, position, id);
create index sla_policy_schedule on sla_policy (schedule_id) where schedule_id is not null;

-- No reference to the policy: clocks that run by a version outlive it.
create table sla_policy_version (
  policy_id uuid not null,
  version int not null,
  organization_id uuid not null references organization (id) on delete cascade,
  terms jsonb not null,
  created_at timestamptz not null,
  -- As those of schedules.
  unused_since timestamptz,
  looked_at timestamptz,
  primary key (policy_id, version)
);
create index sla_policy_version_organization on sla_policy_version (organization_id);
create index sla_policy_version_schedule on sla_policy_version ((terms ->> 'scheduleId'))`

/** All clocks that a conversation ever had; the conversation holds those of its current case. */
const CLOCK = `
create table clock (
  conversation_id uuid not null references conversation (id) on delete cascade,
  nth int not null,
  kind text not null,
  org1 uuid not null,
  policy_id uuid not null,
  policy_version int not null,
  schedule_version int,
  state text not null,
  started_at timestamptz not null,
  used_ms bigint not null,
  due_at timestamptz,
  warned_at timestamptz,
  breached_at timestamptz,
  ended_at timestamptz,
  primary key (conversation_id, nth, kind)
);
create index clock_versions on clock (policy_id, policy_version, schedule_version)`

export const SLA = [SCHEDULE, POLICY, CLOCK]
