import { BadUserInput } from '../../../platform/errors.js'

/** Splits a text into its first word and the trimmed rest. */
export function firstWord(text: string): [word: string, rest: string] {
  const end = text.search(/\s/)
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end).trim()]
}

/** Creates an error for an invalid command text. */
export function badText(field: string, problem: string): BadUserInput {
  return new BadUserInput(field, `${field} ${problem}`)
}
