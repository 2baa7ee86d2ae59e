import { Migration } from '@mikro-orm/migrations'

/** SLA policies, the versions by which clocks run, and the clocks of conversations. */
export class Clocks extends Migration {
  override up(): void {
    this.addSql(`
create table sla_policy (
  id uuid primary key,
  organization_id uuid not null references organization (id),
  org1 uuid not null,
  org2 uuid,
  org3 uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  version int not null,
  position int not null,
  conditions jsonb not null,
  schedule_id uuid references schedule (id),
  targets jsonb not null
);
create index sla_policy_organization on sla_policy (organization_id, position, id);
create index sla_policy_org1 on sla_policy (org1, id);
create index sla_policy_org2 on sla_policy (org2, id) where org2 is not null;
create index sla_policy_org3 on sla_policy (org3, id) where org3 is not null;
create index sla_policy_schedule on sla_policy (schedule_id) where schedule_id is not null;

-- No reference to the policy: clocks that run by a version outlive it.
create table sla_policy_version (
  policy_id uuid not null,
  version int not null,
  organization_id uuid not null references organization (id) on delete cascade,
  terms jsonb not null,
  created_at timestamptz not null,
  primary key (policy_id, version)
);
create index sla_policy_version_organization on sla_policy_version (organization_id);

-- The clocks of the current case, and the earliest due time of those that have not ended.
alter table conversation add column sla jsonb, add column next_due timestamptz;
create index conversation_next_due on conversation (org1, next_due, id) where next_due is not null;

-- All clocks that a conversation ever had.
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
)`)
  }
}
