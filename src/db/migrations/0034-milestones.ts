import { Migration } from '@mikro-orm/migrations'

/**
 * The milestones of conversations, from which reports are made: append-only, ids and numbers only. `xid` is the
 * transaction that wrote a row, so that a reader can tell which rows can no longer be joined by earlier ones.
 */
export class Milestones extends Migration {
  override up(): void {
    this.addSql(`
create table milestone (
  conversation_id uuid not null,
  nth int not null,
  kind text not null,
  at timestamptz not null,
  xid xid8 not null default pg_current_xact_id(),
  org1 uuid not null,
  org2 uuid,
  org3 uuid,
  user_id uuid,
  channels uuid[] not null,
  touchpoint text,
  category text,
  ms bigint,
  turn int,
  detail text,
  primary key (conversation_id, nth)
)`)
    this.addSql('create index milestone_fold on milestone (org1, xid)')
    this.addSql('create index milestone_kind on milestone (org1, kind, at)')
    // Rows arrive in order of time: enough to find those that are too old.
    this.addSql('create index milestone_age on milestone using brin (at) with (pages_per_range = 32)')
    this.addSql(`
alter table conversation
  add column milestone_count int not null default 0,
  add column case_at timestamptz,
  add column case_turns int not null default 0,
  add column case_channels uuid[] not null default '{}',
  add column waiting_since timestamptz,
  add column unanswered_since timestamptz`)
    this.addSql('alter table participant add column accepted_at timestamptz')
  }
}
