import { Migration } from '@mikro-orm/migrations'

/** Pairs of conversations for which a merge was suggested: each is suggested once (4.8, 6.5). */
export class MergeSuggestions extends Migration {
  override up(): void {
    this.addSql(`
      create table merge_suggestion (
        one uuid not null references conversation (id) on delete cascade,
        other uuid not null references conversation (id) on delete cascade,
        created_at timestamptz not null,
        primary key (one, other),
        check (one < other)
      )`)
    this.addSql('create index merge_suggestion_other on merge_suggestion (other)')
  }
}
