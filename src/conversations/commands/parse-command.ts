import { quoteValue } from '../../errors.js'
import { badText, firstWord } from './command-text.js'
import { COMMANDS } from './index.js'

/** A parsed command text (4.8): the name, and the command's own arguments. */
export interface ParsedCommand {
  readonly name: string
  readonly [argument: string]: unknown
}

/**
 * Parses the text of a command. Names are lower case; white space around arguments is ignored. `>text` is for a bot and
 * has no meaning for the server.
 * @throws BadUserInput for an unknown command (the message lists the known ones), or a missing or superfluous argument
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
  // Refused rather than ignored: a user who writes `/assign bob` must not believe that bob was assigned.
  if (!command.parse && rest) {
    throw badText(field, `has ${quoteValue(rest)} after /${command.name}, which takes its arguments in meta and user`)
  }
  return { name: command.name, ...command.parse?.(rest, field) }
}
