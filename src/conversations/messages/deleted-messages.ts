import { Unprocessable } from '../../errors.js'
import type { WritingDraft } from '../writing/writing-draft.js'

/** Refuses a repeated send of a message that has since been deleted. */
export class MessageDeleted extends Unprocessable {
  constructor(id: string) {
    super(`the message with the id ${id} was deleted and is not sent again`, { field: 'id', reason: 'deleted' })
  }
}

/** Refuses this id in the conversation from now on, when the operation commits: nothing was sent under it. */
export function rememberDeleted(draft: WritingDraft, id: string): void {
  draft.afterWrites(
    'insert into deleted_message (id, conversation_id, deleted_at) values ($1, $2, $3) on conflict do nothing',
    [id, draft.conversation.id, draft.now],
  )
}

/** Refuses a repeated send that says something else. */
export class MessageDiffers extends Unprocessable {
  constructor(id: string) {
    super(`the message with the id ${id} was sent before with another content: another message needs another id`, {
      field: 'id',
      reason: 'sentBefore',
    })
  }
}

/**
 * Deletes messages when the operation commits. The database keeps their ids (`deleted_message`), and the ids with which
 * copied messages were sent: repeating one of them creates nothing.
 */
export function deleteMessages(draft: WritingDraft, ids: readonly string[]): void {
  draft.afterWrites('delete from message where id = any($1::uuid[])', [ids])
}
