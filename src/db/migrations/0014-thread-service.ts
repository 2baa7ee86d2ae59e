import { Migration } from '@mikro-orm/migrations'

/** By which of several services a touchpoint's thread was held last: the number that the consumer wrote to answers. */
export class ThreadService extends Migration {
  override up(): void {
    this.addSql('alter table touchpoint_thread add column service_id uuid references service (id) on delete set null')
  }
}
