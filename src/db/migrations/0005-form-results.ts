import { Migration } from '@mikro-orm/migrations'

/** Messages of type `results` refer to the submitted results (2.9). */
export class FormResults extends Migration {
  override up(): void {
    this.addSql('alter table message add column results jsonb')
  }
}
