import { Migration } from '@mikro-orm/migrations'

/** What waits, in its turn: whom to offer first, and places in line, are read in this order instead of sorting all. */
export class QueueTurns extends Migration {
  override up(): void {
    this.addSql(`create index conversation_turn on conversation (org1, urgency desc, next_due, queued_at, id)
      where status = 'queued' or task_channels <> '{}'`)
  }
}
