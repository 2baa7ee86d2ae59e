import { Migration } from '@mikro-orm/migrations'

/**
 * Detects forks of a stream's history, since sequence numbers are reused after a restore or a failover that lost
 * commits: each appending transaction marks its streams with a random tag, and an event stores its own and its
 * predecessor's. Null, and a stream's 0, stand for events appended by releases that know no tags, including while both
 * serve.
 */
export class StreamTags extends Migration {
  override up(): void {
    this.addSql('alter table stream add column tag int not null default 0, add column previous int not null default 0')
    this.addSql('alter table event add column tag int, add column previous int')
  }
}
