import { Migration } from '@mikro-orm/migrations'

/** When the content of a message was last edited; null for one that never was. */
export class MessageEdits extends Migration {
  override up(): void {
    this.addSql('alter table message add column edited_at timestamptz')
  }
}
