import { Migration } from '@mikro-orm/migrations'

/**
 * Records the origin of a sign-in, so that it ends with it, and the networks from which a user signed in, so that
 * guesses from other networks do not lock the user out. A bot has an API token and no password (section 5): passwords
 * that bots had, and the sessions opened with them, are removed.
 */
export class BoundedSessions extends Migration {
  override up(): void {
    this.addSql('alter table token_family add column api_token_id uuid')
    this.addSql('create index token_family_api_token on token_family (api_token_id) where api_token_id is not null')
    this.addSql(`create table user_network (
      user_id uuid not null references app_user (id) on delete cascade,
      network text not null,
      seen_at timestamptz not null,
      primary key (user_id, network)
    )`)
    this.addSql(`update token_family set revoked_at = now() where revoked_at is null
      and user_id in (select id from app_user where role = 'bot' and password_hash is not null)`)
    this.addSql(`update app_user set password_hash = null where role = 'bot' and password_hash is not null`)
  }
}
