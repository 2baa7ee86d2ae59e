import { Migration } from '@mikro-orm/migrations'

/** Up to which message a participant has read. */
export class ReadPositions extends Migration {
  override up(): void {
    this.addSql('alter table participant add column read_position int')
  }
}
