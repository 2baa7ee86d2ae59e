import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { reading } from '../../../platform/db/sql.js'
import { NotFound, quoteValue, Unprocessable } from '../../../platform/errors.js'
import { shownTo } from './conversation.js'
import { markReadUpTo } from '../delivery/guest-receipts.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { visibleSince, inGuestsConversation, isVisibleToGuest } from '../state/guest-line.js'

/**
 * Sets the caller's `unreadCount` to the number of messages by others after the given one, and `readPosition`, which
 * never goes back. For a guest, marks the
 * deliveries up to the message as read instead.
 * @throws NotFound if the message is not in the conversation; Unprocessable if the caller is not a participant
 */
export function markRead(
  writer: ConversationWriter,
  ctx: Context,
  conversationId: string,
  message: string,
): Promise<ConversationState> {
  if (ctx.guestCaller) return markReadByGuest(writer, ctx, conversationId, message)
  const { user } = ctx.userCaller
  return writer.run(ctx, conversationId, async ({ grants, sql, conversation, participants }) => {
    grants.pass()
    const participant = participants.get(user)
    if (!participant)
      throw new Unprocessable(`user ${user} is not a participant of the conversation`, {
        reason: 'NOT_A_PARTICIPANT',
        user,
      })
    const rows = isId(message)
      ? await sql.query<{ unread: number; position: number }>(
          reading(`select m.position, (select count(*) from message u where u.conversation_id = m.conversation_id
             and u.position > m.position and u.type <> 'command' and u.role <> 'system'
             and u.user_id is distinct from $3) as unread
           from message m where m.id = $1 and m.conversation_id = $2`),
          [message, conversation.id, user],
        )
      : []
    if (!rows[0]) throw new NotFound(`message: Message ${quoteValue(message)} not found in the conversation`)
    participant.unreadCount = rows[0].unread
    participant.readPosition = Math.max(participant.readPosition ?? 0, rows[0].position)
    return shownTo(ctx, conversation)
  })
}

function markReadByGuest(
  writer: ConversationWriter,
  ctx: Context,
  conversationId: string,
  id: string,
): Promise<ConversationState> {
  const mark = async (change: ConversationChange): Promise<ConversationState> => {
    const message = await change.findMessage(id)
    if (!message || !isVisibleToGuest(ctx.guestLine, message)) {
      throw new NotFound(`message: Message ${quoteValue(id)} not found in the conversation`)
    }
    await markReadUpTo(change, message.position, visibleSince(ctx.guestLine))
    return shownTo(ctx, change.conversation)
  }
  return inGuestsConversation(ctx, conversationId, (where) => writer.run(ctx, where, mark))
}
