import { Migration } from '@mikro-orm/migrations'

/**
 * Records the target of merged conversations and the original conversation of copied messages: guests are redirected by
 * the former, and their view is limited by the latter. Earlier merges are taken from the metadata of their origins;
 * their copies stay without.
 */
export class ConversationMerges extends Migration {
  override up(): void {
    this.addSql(`
create table conversation_merge (
  origin_id uuid primary key references conversation (id) on delete cascade,
  target_id uuid not null references conversation (id) on delete cascade,
  created_at timestamptz not null
)`)
    this.addSql('create index conversation_merge_target on conversation_merge (target_id)')
    this.addSql(`
insert into conversation_merge (origin_id, target_id, created_at)
select c.id, t.id, c.updated_at from conversation c
join conversation t on t.id = case when c.meta ->> '_target' ~ '^[0-9a-f-]{36}$' then (c.meta ->> '_target')::uuid end
where c.status = 'archived' and t.id <> c.id`)
    this.addSql('alter table message add column origin_id uuid')
    this.addSql('create index message_origin on message (origin_id) where origin_id is not null')
  }
}
