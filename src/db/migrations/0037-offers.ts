import { Migration } from '@mikro-orm/migrations'

/** Conversations that are offered or assigned to agents, and what became of each offer. */
export class Offers extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  // Null: agents pull from the queue.
  'alter table channel add column assignment jsonb',
  'alter table staff add column misses int not null default 0',
  `alter table conversation
    -- The pending offer; all null without one.
    add column offer_id uuid,
    add column offer_user_id uuid,
    add column offer_until timestamptz,
    -- What the rules that queued it ask of agents.
    add column needs jsonb`,
  'create index conversation_offered on conversation (offer_user_id) where offer_id is not null',
  `create table offer (
    id uuid primary key,
    conversation_id uuid not null references conversation (id) on delete cascade,
    queueing int not null,
    channel_id uuid not null,
    user_id uuid not null,
    made_at timestamptz not null,
    until timestamptz not null,
    outcome text,
    reason text,
    ended_at timestamptz,
    -- Each member of the channel, and why it was chosen or not.
    candidates jsonb not null
  )`,
  'create index offer_conversation on offer (conversation_id, queueing, made_at)',
  'create index offer_user on offer (user_id, made_at)',
]
