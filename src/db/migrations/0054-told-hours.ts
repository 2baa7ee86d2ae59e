import { Migration } from '@mikro-orm/migrations'

/** Until when a consumer was told that it is closed. */
export class ToldHours extends Migration {
  override up(): void {
    this.addSql('alter table conversation add column hours_told_until timestamptz')
  }
}
