import type { Context } from '../../context.js'
import { NotFound, quoteValue } from '../../errors.js'
import { rowsById } from '../../lists/rows.js'
import type { MessageRow } from '../../messages/message-row.js'

/** Reads a message. @throws NotFound, also if the message belongs to another conversation than the given one */
export async function fetchMessage(ctx: Context, id: string, conversation?: string | null): Promise<MessageRow> {
  const [message] = (await rowsById<MessageRow>(ctx, 'message', [id])).values()
  const isThere = message && (conversation == null || message.conversationId === conversation.toLowerCase())
  if (!isThere) throw new NotFound(`Message ${quoteValue(id)} not found`)
  return message
}
