import { Migration } from '@mikro-orm/migrations'

/**
 * Marks messages of a conversation's create that were sent after their delay, see `bot-history.ts`; null for all
 * others.
 */
export class DelayedOfCreate extends Migration {
  override up(): void {
    this.addSql('alter table message add column is_delayed_of_create boolean')
  }
}
