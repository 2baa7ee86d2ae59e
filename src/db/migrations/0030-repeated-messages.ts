import { Migration } from '@mikro-orm/migrations'

/**
 * Remembers the ids of deleted messages, and of copies the id with which the message was sent, so that repeating an id
 * creates nothing. Records of merges outlive their conversations: a merge may lead through a deleted conversation.
 */
export class RepeatedMessages extends Migration {
  override up(): void {
    this.addSql('create table deleted_message (id uuid primary key, deleted_at timestamptz not null)')
    this.addSql('alter table message add column original_id uuid')
    this.addSql('create index message_original on message (original_id) where original_id is not null')
    this.addSql('alter table conversation_merge drop constraint conversation_merge_origin_id_fkey')
    this.addSql('alter table conversation_merge drop constraint conversation_merge_target_id_fkey')
  }
}
