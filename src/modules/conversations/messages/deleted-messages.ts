import { reading } from '../../../platform/db/sql.js'
import { Unprocessable } from '../../../platform/errors.js'
import type { WritingChange } from '../state/writing-change.js'

/** Refuses a repeated send of a message that has since been deleted. */
export class MessageDeleted extends Unprocessable {
  constructor(id: string) {
    super(`the message with the id ${id} was deleted and is not sent again`, { field: 'id', reason: 'MESSAGE_DELETED' })
  }
}

/** Refuses this id in the conversation from now on, when the operation commits: nothing was sent under it. */
export function rememberDeleted(change: WritingChange, id: string): void {
  change.afterWrites(
    'insert into deleted_message (id, conversation_id, deleted_at) values ($1, $2, $3) on conflict do nothing',
    [id, change.conversation.id, change.now],
  )
}

/** Refuses a repeated send that says something else. */
export class MessageDiffers extends Unprocessable {
  constructor(id: string) {
    super(`the message with the id ${id} was sent before with another content: another message needs another id`, {
      field: 'id',
      reason: 'SENT_BEFORE',
    })
  }
}

/**
 * Deletes messages when the operation commits. The database keeps their ids (`deleted_message`), and the ids with which
 * copied messages were sent: repeating one of them creates nothing.
 */
export async function deleteMessages(change: WritingChange, ids: readonly string[]): Promise<void> {
  change.rewrites = 'deletes'
  change.deletedMessages.push(...ids)
  const { conversation } = change
  if (ids.includes(conversation.handOverNoteId!)) conversation.handOverNoteId = null
  // Nobody can send again what is gone.
  const failed = await change.sql.query(UNDELIVERED, [ids])
  for (const _ of failed) change.countUndelivered('failed', null)
  change.afterWrites('delete from message where id = any($1::uuid[])', [ids])
}

/** Messages whose last delivery failed. */
const UNDELIVERED = reading(`select from (
    select distinct on (message_id) status from delivery where message_id = any($1::uuid[])
    order by message_id, created_at desc, id desc) last
  where status = 'failed'`)
