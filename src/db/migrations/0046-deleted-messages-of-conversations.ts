import { Migration } from '@mikro-orm/migrations'

/**
 * The id of a deleted or cancelled message is refused in the conversation that it was sent to, and in those that this one
 * is merged into: nobody refuses an id in conversations of others. Null for ids from before and for those that a node of
 * an earlier release adds during an upgrade, which are refused everywhere.
 */
export class DeletedMessagesOfConversations extends Migration {
  override up(): void {
    this.addSql('alter table deleted_message add column conversation_id uuid')
    this.addSql('alter table deleted_message drop constraint deleted_message_pkey')
    this.addSql(`create unique index deleted_message_id on deleted_message (id, conversation_id) nulls not distinct`)
    this.addSql(`create or replace function remember_deleted_messages() returns trigger language plpgsql as $$
      begin
        insert into deleted_message (id, conversation_id, deleted_at)
        select i.id, gone.conversation_id, now() from gone join conversation c on c.id = gone.conversation_id
          cross join lateral (values (gone.id), (gone.original_id)) as i(id)
        where i.id is not null
        on conflict do nothing;
        return null;
      end $$`)
  }
}
