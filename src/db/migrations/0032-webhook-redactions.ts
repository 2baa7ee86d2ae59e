import { Migration } from '@mikro-orm/migrations'

/** Counts redactions, so that nothing that was read or sent before one is stored after it. */
export class WebhookRedactions extends Migration {
  override up(): void {
    this.addSql('alter table webhook_event add column redactions int not null default 0')
    this.addSql('alter table webhook_delivery add column redactions int not null default 0')
  }
}
