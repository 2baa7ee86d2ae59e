import { Migration } from '@mikro-orm/migrations'

/** Finds a delayed message by its id, to cancel it. */
export class DelayedMessages extends Migration {
  override up(): void {
    this.addSql(`create index job_delayed_message on job ((payload ->> 'id')) where kind = 'message.process'`)
  }
}
