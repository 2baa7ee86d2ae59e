import { Migration } from '@mikro-orm/migrations'

/**
 * What waits, in the order in which queues are listed. Where thousands wait in the channels that are asked for, a page is
 * read in this order instead of sorting them all; few are found by the indexes of their channels.
 */
export class QueueOrder extends Migration {
  override up(): void {
    this.addSql(`create index conversation_waiting_order on conversation (org1, queued_at, id)
      where status = 'queued' or task_channels <> '{}'`)
  }
}
