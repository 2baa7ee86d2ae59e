import { Migration } from '@mikro-orm/migrations'

/**
 * The order in which inboxes are listed: the slot of the conversation's last message (see 0008), for what is in an inbox.
 * By triggers, so that every way of writing keeps it, that of earlier releases too. A conversation enters another slot
 * at most every ten minutes, so that a message rarely writes to the index.
 */
export class InboxOrder extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  'alter table participant add column inbox_slot timestamptz',
  `create function inbox_entered() returns trigger language plpgsql as $body$
  begin
    update participant p set inbox_slot = case when new.inbox then (
      select c.last_message_slot from conversation c where c.id = new.conversation_id) end
    where p.conversation_id = new.conversation_id and p.user_id = new.user_id;
    return null;
  end $body$`,
  `create function inbox_advanced() returns trigger language plpgsql as $body$
  begin
    update participant p set inbox_slot = new.last_message_slot where p.conversation_id = new.id and p.inbox;
    return null;
  end $body$`,
  `create trigger inbox_entered after insert on participant for each row when (new.inbox)
   execute function inbox_entered()`,
  `create trigger inbox_changed after update on participant for each row when (new.inbox is distinct from old.inbox)
   execute function inbox_entered()`,
  `create trigger inbox_advanced after update on conversation for each row
   when (new.last_message_slot is distinct from old.last_message_slot) execute function inbox_advanced()`,
  `update participant p set inbox_slot = c.last_message_slot from conversation c where c.id = p.conversation_id and p.inbox`,
  'create index participant_inbox_order on participant (user_id, inbox_slot, conversation_id) where inbox',
  'drop index participant_inbox',
]
