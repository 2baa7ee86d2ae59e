import { Migration } from '@mikro-orm/migrations'

/** Channels named by `/notify`, which keep a conversation that is not queued: see `is-waiting-sql.ts`. */
export class TaskChannels extends Migration {
  override up(): void {
    this.addSql("alter table conversation add column task_channels uuid[] not null default '{}'")
    for (const [index, column] of [
      ['channels', 'channels'],
      ['offline', 'channels_offline'],
    ] as const) {
      this.addSql(`drop index conversation_queued_${index}`)
      this.addSql(`create index conversation_waiting_${index} on conversation using gin (${column})
        where status = 'queued' or task_channels <> '{}'`)
    }
  }
}
