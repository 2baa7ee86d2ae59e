import { BadUserInput } from '../../errors.js'

/** The text up to the first white space, and the trimmed rest. */
export function firstWord(text: string): [word: string, rest: string] {
  const end = text.search(/\s/)
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end).trim()]
}

/** What is wrong with a command's text. */
export function badText(field: string, problem: string): BadUserInput {
  return new BadUserInput(field, `${field} ${problem}`)
}
