import { Migration } from '@mikro-orm/migrations'

/** When a version of a workflow decided last, to the day: those that explain nothing any more are removed. */
export class VersionUse extends Migration {
  override up(): void {
    this.addSql('alter table workflow_version add column used_at timestamptz not null default now()')
    this.addSql('create index workflow_version_used on workflow_version (used_at)')
  }
}
