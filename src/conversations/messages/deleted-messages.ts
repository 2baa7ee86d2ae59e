import { Unprocessable } from '../../errors.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'

/** Refuses a repeated send of a message that has since been deleted. */
export class MessageDeleted extends Unprocessable {
  constructor(id: string) {
    super(`the message with the id ${id} was deleted and is not sent again`, { field: 'id', reason: 'deleted' })
  }
}

/**
 * Deletes messages when the operation commits. Their ids are kept, as are the ids with which copied messages were sent:
 * repeating one of them creates nothing.
 */
export function deleteMessages(draft: ConversationDraft, ids: readonly string[]): void {
  draft.afterWrites(
    `with gone as (delete from message where id = any($1::uuid[]) returning id, original_id)
     insert into deleted_message (id, deleted_at)
     select id, $2::timestamptz from gone union select original_id, $2 from gone where original_id is not null
     on conflict do nothing`,
    [ids, draft.now],
  )
}
