import { Unprocessable } from '../../../platform/errors.js'
import { argumentsOf } from '../commands/command-of-message.js'
import { set } from '../commands/set.js'
import type { NewMessage } from '../../messages/message-content.js'
import type { ConversationState } from '../state/conversation-state.js'

/**
 * Checks that the first message of a conversation with a contact has a touchpoint, its own or the conversation's, whoever
 * speaks (4.7, create rule 3; open points). Neither a command nor a backchannel note is one. Checked when messages are
 * sent, also for delayed ones, since nobody would notice a later refusal.
 * @param at returns the path of the n-th message
 * @throws Unprocessable naming the message's touchpoint
 */
export function requireTouchpoint(
  { type, touchpoint }: Pick<ConversationState, 'type' | 'touchpoint'>,
  newMessages: readonly NewMessage[],
  at: (index: number) => string,
): void {
  if (type !== 'contact' || touchpoint !== null) return
  for (const [index, newMessage] of newMessages.entries()) {
    if (
      newMessage.touchpoint !== null ||
      newMessage.service !== null ||
      argumentsOf(newMessage, set)?.attribute === 'touchpoint'
    )
      return
    if (newMessage.type === 'command' || newMessage.isBackchannel) continue
    const field = `${at(index)}touchpoint`
    throw new Unprocessable(`${field} is required: the conversation has none`, { reason: 'MISSING_TOUCHPOINT', field })
  }
}
