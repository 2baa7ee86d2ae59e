import { quoteValue } from '../../../platform/errors.js'
import { nearestNames } from '../../../platform/nearest-names.js'
import type { JsonObject } from '../../../platform/json.js'
import { parseMessage, type NewMessage } from '../../messages/message-content.js'
import { badText, firstWord } from './command-text.js'
import type { ArgumentPath, Command, ExclusiveCommand, Given, Unchecked } from './command.js'
import { COMMANDS } from './index.js'

/** A command with its arguments. */
export interface CommandCall extends Given<object> {
  command: Command | ExclusiveCommand
}

/** A longer name is no slip. */
const NAME_CHARS_MAX = 40

/** `>text` is for a bot and has no meaning for the server. */
const TO_BOT: Command<{ text: string }> = {
  name: 'bot',
  permission: 'conversation.command',
  grant: 'note',
  inText: ['text'],
  run: () => undefined,
}

/** Commands of messages that were read, or made of typed arguments: each is read once. */
const CALLS = new WeakMap<NewMessage, CommandCall>()

/** Returns the command of a message of that type. @throws BadUserInput as `readCommand` */
export function commandOf(message: NewMessage): CommandCall {
  const known = CALLS.get(message)
  if (known) return known
  const call = readCommand(message.text ?? '', message.meta)
  CALLS.set(message, call)
  return call
}

/** Returns the arguments of a message that is this command; else undefined. */
export function argumentsOf<Arguments extends object>(
  message: NewMessage,
  command: Command<Arguments> | ExclusiveCommand<Arguments>,
): Arguments | undefined {
  if (message.type !== 'command') return undefined
  const call = commandOf(message)
  return call.command.name === command.name ? (call.given as Arguments) : undefined
}

/**
 * Makes the message of a command from typed arguments, such as a mutation's.
 * @param at path of an argument in the input; by default it is the argument's name
 * @throws BadUserInput naming the argument
 */
export function commandMessage<Arguments extends object>(
  command: Command<Arguments> | ExclusiveCommand<Arguments>,
  args: Unchecked<Arguments>,
  { user, at = (argument) => argument }: { user?: string | null; at?: ArgumentPath } = {},
): NewMessage {
  const given = command.check?.(args, at) ?? ({} as Arguments)
  const { rest, meta } = command.write?.(given) ?? { meta: { ...given } as JsonObject }
  const text = rest ? `/${command.name} ${rest}` : `/${command.name}`
  const message = parseMessage({ type: 'command', text, user, meta })
  CALLS.set(message, { command, given, at } as CommandCall)
  return message
}

/**
 * Reads a command in the form of a message (4.8). Names are lower case; white space around arguments is ignored.
 * @throws BadUserInput for an unknown command (the message lists the known ones), or a missing, wrong or superfluous
 *   argument
 */
export function readCommand(text: string, meta: JsonObject = {}): CommandCall {
  if (text.startsWith('>')) return { command: TO_BOT, given: { text: text.slice(1).trim() }, at: () => 'text' }
  if (!text.startsWith('/')) throw badText('text', `must begin with / or >, not ${quoteValue(text)}`)
  const [name, rest] = firstWord(text.slice(1))
  const command = COMMANDS.get(name)
  if (!command) {
    const known = [...COMMANDS.keys()]
    const [nearest] = nearestNames(name.slice(0, NAME_CHARS_MAX), known, 1)
    const list = known.map((each) => `/${each}`).join(', ')
    throw badText(
      'text',
      `names the unknown command ${quoteValue(`/${name}`)}; the nearest is /${nearest}, known are ${list}`,
    )
  }
  // Refused rather than ignored: a user who writes `/assign bob` must not believe that bob was assigned.
  if (!command.read && rest) {
    throw badText('text', `has ${quoteValue(rest)} after /${command.name}, which takes its arguments in meta and user`)
  }
  const inText = command.inText ?? []
  const at = (argument: string): string =>
    inText.includes(argument) ? 'text' : argument === 'meta' ? 'meta' : `meta.${argument}`
  return { command, given: command.check?.(command.read?.(rest, meta) ?? meta, at) ?? {}, at }
}
