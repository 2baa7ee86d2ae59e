import { isAllowed } from '../../../platform/access/permissions.js'
import type { Context } from '../../../platform/context.js'
import { BadUserInput, quoteValue } from '../../../platform/errors.js'
import { isAbsent, pathOf } from '../../../platform/input.js'
import type { NewMessage } from '../../messages/message-content.js'
import { newMessageOf, type MessageInput } from '../../messages/message-input.js'
import type { MessageRole } from '../../messages/message-enums.js'
import { COMMANDS } from '../commands/index.js'

/**
 * Parses a message to send. A text that is a command is refused unless its type is given: an agent who forgets the type
 * would show the command to the consumer. A consumer's text is always chat (4.8).
 * @throws BadUserInput naming the field below `field`
 */
export function parseSentMessage(ctx: Context, input: MessageInput, field: string): NewMessage {
  const { type, role, text } = input
  const [, name] = /^\/(\w+)/.exec(text ?? '') ?? []
  const isCommand = name !== undefined && COMMANDS.has(name)
  if (isCommand && isAbsent(type) && role !== 'contact' && !ctx.guestCaller) {
    const at = pathOf(field, 'text')
    throw new BadUserInput(
      at,
      `${at} ${quoteValue(text)} is a command: send it with type: COMMAND to run it, or with type: CHAT to send it as text`,
    )
  }
  return newMessageOf(input, field, ownRole(ctx, type))
}

/** Types that are said to somebody; the others are for the team unless their role says otherwise. */
const SAID: readonly unknown[] = [undefined, null, 'chat', 'card', 'postback']

/**
 * Returns the role of a message that names none: an agent speaks to the consumer. `/v2` names 2.9's default, `bot`,
 * before it gets here.
 */
function ownRole(ctx: Context, type: string | undefined): MessageRole {
  if (ctx.guestCaller) return 'contact'
  const isAgent = !ctx.userCaller.isBot && isAllowed(ctx.caller, 'conversation.command')
  return isAgent && SAID.includes(type) ? 'agent' : 'bot'
}
