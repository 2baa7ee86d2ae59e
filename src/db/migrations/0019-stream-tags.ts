import { Migration } from '@mikro-orm/migrations'

/**
 * A witness of which history a stream has, since numbers are given again after a restore or a failover that lost commits:
 * each appending transaction marks its streams with a random tag, and an event keeps its own and that of the one before.
 * Null, and a stream's 0, stand for what was appended by releases that know no tags, also while both serve.
 */
export class StreamTags extends Migration {
  override up(): void {
    this.addSql('alter table stream add column tag int not null default 0, add column previous int not null default 0')
    this.addSql('alter table event add column tag int, add column previous int')
  }
}
