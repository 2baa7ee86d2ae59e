import { Migration } from '@mikro-orm/migrations'

/** Browsers to which notifications are pushed, and how far in the user's stream each has been notified. */
export class PushSubscriptions extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement)
  }
}

const STATEMENTS = [
  `create table push_subscription (
    id uuid primary key,
    user_id uuid not null references app_user (id) on delete cascade,
    family_id uuid references token_family (id) on delete cascade,
    endpoint text not null,
    p256dh text not null,
    auth text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    position bigint not null,
    pending int not null default 0,
    pending_since timestamptz
  )`,
  'create unique index push_subscription_endpoint on push_subscription (endpoint)',
  'create index push_subscription_user on push_subscription (user_id)',
  'create index push_subscription_family on push_subscription (family_id)',
]
