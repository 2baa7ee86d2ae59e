import type { Context } from '../../context.js'
import { BadUserInput, quoteValue } from '../../errors.js'
import { isAbsent, pathOf } from '../../input.js'
import type { MessageDraft } from '../../messages/message-content.js'
import { draftOf, type MessageInput } from '../../messages/message-input.js'
import { COMMANDS } from '../commands/index.js'

/**
 * Parses a message to send. A text that is a command is refused unless its type is given: an agent who forgets the type
 * would show the command to the consumer. A consumer's text is always chat (4.8).
 * @throws BadUserInput naming the field below `field`
 */
export function sentDraftOf(ctx: Context, input: MessageInput, field: string): MessageDraft {
  const { type, role, text } = input
  const [, name] = /^\/(\w+)/.exec(text ?? '') ?? []
  const isCommand = name !== undefined && (COMMANDS.has(name) || name === 'close')
  if (isCommand && isAbsent(type) && role !== 'contact' && !ctx.guestCaller) {
    const at = pathOf(field, 'text')
    throw new BadUserInput(
      at,
      `${at} ${quoteValue(text)} is a command: send it with type: COMMAND to run it, or with type: CHAT to send it as text`,
    )
  }
  return draftOf(input, field)
}
