import { Migration } from '@mikro-orm/migrations'

/** From when a conversation's clocks are at risk, so that a wallboard reads only those that are. */
export class ClocksAtRisk extends Migration {
  override up(): void {
    this.addSql('alter table conversation add column risk_at timestamptz')
    this.addSql(`
update conversation set risk_at = (
  select to_timestamp(min(coalesce(c ->> 'warnedAt', c ->> 'warnAt', c ->> 'dueAt')::float8) / 1000)
  from jsonb_array_elements(sla -> 'clocks') as c where c ->> 'endedAt' is null and c ->> 'state' <> 'paused')
where next_due is not null`)
    this.addSql('create index conversation_risk on conversation (org1, risk_at) where risk_at is not null')
  }
}
