import { Migration } from '@mikro-orm/migrations'

/** Milestones of agents' states are numbered by the staff row; how long an offer was pending is measured from `offer_at`. */
export class AgentStateMilestones extends Migration {
  override up(): void {
    this.addSql('alter table staff add column milestone_count int not null default 0')
    this.addSql('alter table conversation add column offer_at timestamptz')
  }
}
