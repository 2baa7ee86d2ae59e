import { Migration } from '@mikro-orm/migrations'

/**
 * Jobs are leased by a runner's number, as webhook partitions are: its advisory lock tells whether the runner is alive.
 */
export class JobRunners extends Migration {
  override up(): void {
    this.addSql('alter table job drop column leased_by')
    this.addSql('alter table job add column leased_by int')
    this.addSql('create index job_leased on job (leased_by) where leased_by is not null')
  }
}
