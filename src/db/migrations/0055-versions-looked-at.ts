import { Migration } from '@mikro-orm/migrations'

/** When maintenance looked at a version of a schedule or SLA policy last, and the policies' versions by their schedule. */
export class VersionsLookedAt extends Migration {
  override up(): void {
    this.addSql('alter table schedule_version add column looked_at timestamptz')
    this.addSql('alter table sla_policy_version add column looked_at timestamptz')
    this.addSql(`create index sla_policy_version_schedule on sla_policy_version ((terms ->> 'scheduleId'))`)
  }
}
