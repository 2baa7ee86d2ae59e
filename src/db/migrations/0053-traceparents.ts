import { Migration } from '@mikro-orm/migrations'

/** What is done after the answer belongs to the trace of the request that caused it. */
export class Traceparents extends Migration {
  override up(): void {
    this.addSql(`
alter table job add column traceparent text;
alter table webhook_event add column traceparent text`)
  }
}
