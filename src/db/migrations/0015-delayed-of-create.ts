import { Migration } from '@mikro-orm/migrations'

/** Messages of a conversation's create that were sent after their delay: see `bot-history.ts`. Null for all others. */
export class DelayedOfCreate extends Migration {
  override up(): void {
    this.addSql('alter table message add column is_delayed_of_create boolean')
  }
}
