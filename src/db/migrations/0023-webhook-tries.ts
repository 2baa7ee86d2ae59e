import { Migration } from '@mikro-orm/migrations'

/** The 24 hours of a delivery begin with its first attempt, not with its event. */
export class WebhookTries extends Migration {
  override up(): void {
    this.addSql('alter table webhook_delivery add column tried_since timestamptz')
    this.addSql(`update webhook_delivery set tried_since = pending_since where status = 'pending' and attempts > 0`)
  }
}
