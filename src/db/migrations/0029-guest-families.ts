import { Migration } from '@mikro-orm/migrations'

/** Finds whether a guest's token reads a conversation. */
export class GuestFamilies extends Migration {
  override up(): void {
    this.addSql(
      'create index token_family_conversation on token_family (conversation_id) where conversation_id is not null',
    )
  }
}
