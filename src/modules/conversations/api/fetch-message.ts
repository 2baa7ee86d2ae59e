import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { WHOLE_MESSAGE } from '../../messages/message-columns.js'
import type { Context } from '../../../platform/context.js'
import { rowsById } from '../../../platform/lists/rows.js'
import type { MessageRow } from '../../messages/message-row.js'

/** Reads a message. @throws NotFound, also if the message belongs to another conversation than the given one */
export async function fetchMessage(ctx: Context, id: string, conversation?: string | null): Promise<MessageRow> {
  const [message] = (await rowsById<MessageRow>(ctx, 'message', [id], WHOLE_MESSAGE)).values()
  const isThere = message && (conversation == null || message.conversationId === conversation.toLowerCase())
  if (!isThere) throw recordNotFound('Message', id)
  return message
}
