import { Migration } from '@mikro-orm/migrations'

/**
 * The order in which what waits is served, whether a consumer was told that it is closed, and since when no clock has
 * referred to a version of a schedule or of an SLA policy.
 */
export class QueuePlaces extends Migration {
  override up(): void {
    this.addSql(`
alter table conversation
  add column urgency int not null default 0,
  add column hours_told boolean not null default false`)
    this.addSql(`
update conversation c set urgency = coalesce((c.needs ->> 'urgency')::int, 0) + coalesce((
  select case when bool_or(k ->> 'state' = 'breached') then 2 when bool_or(k ->> 'warnedAt' is not null) then 1 end
  from jsonb_array_elements(c.sla -> 'clocks') k where k ->> 'endedAt' is null), 0)
where c.status = 'queued' and (c.needs is not null or c.sla is not null)`)
    this.addSql('alter table schedule_version add column unused_since timestamptz')
    this.addSql('alter table sla_policy_version add column unused_since timestamptz')
    this.addSql('create index clock_versions on clock (policy_id, policy_version, schedule_version)')
  }
}
