import { Migration } from '@mikro-orm/migrations'

/** When a running node registered again because its presence was lost; null for one that has just started. */
export class PresenceAgain extends Migration {
  override up(): void {
    this.addSql('alter table node add column again_at timestamptz')
  }
}
