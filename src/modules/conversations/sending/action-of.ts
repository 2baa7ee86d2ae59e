import type { BotAction } from '../../bots/bot-grant.js'
import { commandOf } from '../commands/command-of-message.js'
import { isToConsumer, type NewMessage } from '../../messages/message-content.js'

/**
 * Returns what a governed bot needs to send a message, all of it; the first names the kind of act. None for a command that asks by
 * itself.
 */
export function actionsOf(newMessage: NewMessage): BotAction[] {
  const { type, role } = newMessage
  if (type === 'command') {
    const { grant } = commandOf(newMessage).command
    return grant === null ? [] : [grant]
  }
  if (role === 'contact') return ['other']
  const isSaid = isToConsumer(newMessage)
  // Whoever fills in a field, or puts a form in or takes one out, sets something; the consumer may be shown it too.
  if (type === 'field' || (type === 'form' && !(isSaid && asks(newMessage)))) return isSaid ? ['set', 'reply'] : ['set']
  return [isSaid ? 'reply' : 'note']
}

/** Names the kind of act that a message is; none for a command that asks by itself. */
export const actionOf = (newMessage: NewMessage): BotAction | undefined => actionsOf(newMessage)[0]

/** Tells whether a message answers the consumer by what it says. */
export const isReply = (newMessage: NewMessage): boolean =>
  newMessage.type !== 'command' && actionOf(newMessage) === 'reply'

/** Tells whether a form message asks the form; one with `-Name` takes it out, with its values. */
const asks = ({ text }: NewMessage): boolean => !text?.startsWith('-')
