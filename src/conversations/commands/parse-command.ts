import { quoteValue } from '../../errors.js'
import { badText, firstWord } from './command-text.js'
import { COMMANDS } from './index.js'

/** What the text of a command says (4.8): its name, and what the command itself reads of the rest. */
export interface ParsedCommand {
  readonly name: string
  readonly [argument: string]: unknown
}

/**
 * Reads a command's text. Names are lower case; white space around arguments does not count. `>text` is for a bot, and
 * without meaning to the service.
 * @throws BadUserInput for an unknown command (naming the known ones), a missing part or one too many
 */
export function parseCommand(text: string, field = 'text'): ParsedCommand {
  if (text.startsWith('>')) return { name: 'bot', text: text.slice(1).trim() }
  if (!text.startsWith('/')) throw badText(field, `must begin with / or >, not ${quoteValue(text)}`)
  const [name, rest] = firstWord(text.slice(1))
  const command = COMMANDS.get(name)
  if (!command) {
    const known = [...COMMANDS.keys()].map((each) => `/${each}`).join(', ')
    throw badText(field, `names the unknown command ${quoteValue(`/${name}`)}; known are ${known}`)
  }
  // An argument that would be ignored is refused: who writes `/assign bob` must not believe that bob was assigned.
  if (!command.parse && rest) {
    throw badText(field, `has ${quoteValue(rest)} after /${command.name}, which takes its arguments in meta and user`)
  }
  return { name: command.name, ...command.parse?.(rest, field) }
}
