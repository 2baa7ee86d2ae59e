import { Migration } from '@mikro-orm/migrations'

/**
 * The database itself remembers the ids of deleted messages, also of those that a node of an earlier release deletes
 * during an upgrade. Messages that go with their conversation are not remembered: nothing can be sent to it again.
 */
export class DeletedMessageIds extends Migration {
  override up(): void {
    this.addSql(`create function remember_deleted_messages() returns trigger language plpgsql as $$
      begin
        insert into deleted_message (id, deleted_at)
        select i.id, now() from gone join conversation c on c.id = gone.conversation_id
          cross join lateral (values (gone.id), (gone.original_id)) as i(id)
        where i.id is not null
        on conflict do nothing;
        return null;
      end $$`)
    this.addSql(`create trigger message_deleted after delete on message referencing old table as gone
      for each statement execute function remember_deleted_messages()`)
  }
}
