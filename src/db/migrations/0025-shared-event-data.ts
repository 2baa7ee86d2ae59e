import { Migration } from '@mikro-orm/migrations'

/**
 * What many channels are told alike is kept by one event; the others name it. Nodes say that they can read that: while one
 * of a release before serves, each event keeps its own.
 */
export class SharedEventData extends Migration {
  override up(): void {
    this.addSql('alter table event add column of_stream text, add column of_number bigint')
    this.addSql('alter table node add column reads_shared boolean not null default false')
  }
}
