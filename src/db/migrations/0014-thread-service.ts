import { Migration } from '@mikro-orm/migrations'

/** The service that a touchpoint's thread used last: replies come from the number that the consumer wrote to. */
export class ThreadService extends Migration {
  override up(): void {
    this.addSql('alter table touchpoint_thread add column service_id uuid references service (id) on delete set null')
  }
}
