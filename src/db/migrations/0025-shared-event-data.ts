import { Migration } from '@mikro-orm/migrations'

/**
 * Stores data shared by events of many channels once; the other events refer to it. Nodes register that they can read
 * it: while a node of an earlier release serves, each event stores its own.
 */
export class SharedEventData extends Migration {
  override up(): void {
    this.addSql('alter table event add column of_stream text, add column of_number bigint')
    this.addSql('alter table node add column reads_shared boolean not null default false')
  }
}
