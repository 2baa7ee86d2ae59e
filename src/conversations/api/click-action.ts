import type { Context } from '../../context.js'
import { NotFound, quoteValue, Unprocessable } from '../../errors.js'
import { rowsById } from '../../lists/rows.js'
import { parseMessage } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import { buttonAt, type ButtonPlace } from './buttons.js'
import { fetchConversation } from './conversation.js'
import { isVisibleToGuest } from '../writing/guest-line.js'
import { sendMessages, type SendDependencies } from '../sending/send-message.js'

/**
 * Clicks a reply or postback button for the consumer (2.10): a message of type postback with the payload as its text
 * and the button as its sole action, followed by the messages that a postback's payload represents.
 * @throws NotFound; BadUserInput; Unprocessable for a button that is not clicked by a message; Forbidden for who may
 *   not speak as the consumer
 */
export async function clickAction(
  dependencies: SendDependencies,
  ctx: Context,
  { conversation, message: id, ...place }: ButtonPlace & { conversation: string; message: string },
): Promise<MessageRow[]> {
  const { id: conversationId } = await fetchConversation(ctx, conversation)
  const message = (await rowsById<MessageRow>(ctx, 'message', [id])).get(id.toLowerCase())
  const isThere =
    message?.conversationId === conversationId && (!ctx.guestCaller || isVisibleToGuest(ctx.guestLine, message))
  if (!isThere) throw new NotFound(`message: Message ${quoteValue(id)} not found in the conversation`)
  const button = buttonAt(message, place)
  if (button.type !== 'reply' && button.type !== 'postback') {
    throw new Unprocessable(`a button of type ${button.type} is not clicked by a message`, { field: 'action' })
  }
  const click = parseMessage({ type: 'postback', role: 'contact', text: button.payload, actions: [button] })
  return sendMessages(dependencies, ctx, conversationId, [click])
}
