import { Migration } from '@mikro-orm/migrations'

/** Every subscription ends with a sign-in. Those made with API tokens, which have none, would never end. */
export class PushSignIns extends Migration {
  override up(): void {
    this.addSql('delete from push_subscription where family_id is null')
    this.addSql('alter table push_subscription alter column family_id set not null')
  }
}
