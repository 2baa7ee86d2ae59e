import { Migration } from '@mikro-orm/migrations'

/** Messages of type `results` show what was sent (2.9). */
export class FormResults extends Migration {
  override up(): void {
    this.addSql('alter table message add column results jsonb')
  }
}
