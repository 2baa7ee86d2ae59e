import { Unprocessable } from '../errors.js'

/** Characters of all strings in one answer. JSON writes some of them as six. */
const ANSWER_CHARS_MAX = 16 * 1024 * 1024
/** Counted for every value besides its own characters: its name, quotes and separators. */
const VALUE_CHARS = 8

/**
 * Refuses an answer that would take too much memory once it is written as JSON: aliases repeat a value at no cost until
 * then. @throws Unprocessable
 */
export function checkAnswerSize(data: unknown): void {
  let chars = 0
  const pending: unknown[] = [data]
  while (pending.length > 0) {
    const value = pending.pop()
    chars += VALUE_CHARS
    if (typeof value === 'string') chars += value.length
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) pending.push(each)
    if (chars > ANSWER_CHARS_MAX) {
      throw new Unprocessable(
        `the answer has more than ${ANSWER_CHARS_MAX} characters: ask for fewer records or fields`,
      )
    }
  }
}
