import { Migration } from '@mikro-orm/migrations'

/** Jobs of one key are taken in the order of their ids, however many wait behind the first. */
export class JobLanes extends Migration {
  override up(): void {
    this.addSql('create index job_lane on job (key, id) where key is not null')
    this.addSql('drop index job_key')
  }
}
