import { Migration } from '@mikro-orm/migrations'

/** Schedules of organizations, and the versions of their hours that clocks count. */
export class Schedules extends Migration {
  override up(): void {
    this.addSql(`
create table schedule (
  id uuid primary key,
  organization_id uuid not null references organization (id),
  org1 uuid not null,
  org2 uuid,
  org3 uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name text not null,
  version int not null,
  timezone text not null,
  spans jsonb not null,
  exceptions jsonb not null,
  text text
);
create index schedule_org1 on schedule (org1, id);
create index schedule_org2 on schedule (org2, id) where org2 is not null;
create index schedule_org3 on schedule (org3, id) where org3 is not null;

-- No reference to the schedule: clocks that count a version outlive it.
create table schedule_version (
  schedule_id uuid not null,
  version int not null,
  organization_id uuid not null references organization (id) on delete cascade,
  hours jsonb not null,
  created_at timestamptz not null,
  primary key (schedule_id, version)
);
create index schedule_version_organization on schedule_version (organization_id)`)
  }
}
