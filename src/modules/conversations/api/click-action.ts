import { WHOLE_MESSAGE } from '../../messages/message-columns.js'
import type { Context } from '../../../platform/context.js'
import { NotFound, quoteValue, Unprocessable } from '../../../platform/errors.js'
import { rowsById } from '../../../platform/lists/rows.js'
import { parseMessage } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import { buttonAt, type ButtonPlace } from './buttons.js'
import { fetchConversation } from './conversation.js'
import { isVisibleToGuest } from '../state/guest-line.js'
import { sendMessages, type SendDependencies } from '../sending/send-message.js'

/**
 * Clicks a reply or postback button for the consumer (2.10): sends a message of type postback with the payload as its
 * text and the button as its only action, followed by the messages that a postback's payload represents.
 * @throws NotFound; BadUserInput; Unprocessable if clicking such a button sends no message; Forbidden if the caller may
 *   not act for the consumer
 */
export async function clickAction(
  dependencies: SendDependencies,
  ctx: Context,
  { conversation, message: id, ...place }: ButtonPlace & { conversation: string; message: string },
): Promise<MessageRow[]> {
  const { id: conversationId } = await fetchConversation(ctx, conversation)
  const message = (await rowsById<MessageRow>(ctx, 'message', [id], WHOLE_MESSAGE)).get(id.toLowerCase())
  const isThere =
    message?.conversationId === conversationId && (!ctx.guestCaller || isVisibleToGuest(ctx.guestLine, message))
  if (!isThere) throw new NotFound(`message: Message ${quoteValue(id)} not found in the conversation`)
  const button = buttonAt(message, place)
  if (button.type !== 'reply' && button.type !== 'postback') {
    throw new Unprocessable(`clicking a button of type ${button.type} sends no message`, {
      reason: 'WRONG_BUTTON',
      field: 'action',
    })
  }
  const click = parseMessage({ type: 'postback', role: 'contact', text: button.payload, actions: [button] })
  return sendMessages(dependencies, ctx, conversationId, [click])
}
