import { BadUserInput, Unprocessable } from '../../platform/errors.js'
import { parseText } from '../../platform/input.js'
import { isPlainObject, type JsonObject } from '../../platform/json.js'
import type { Role } from '../../platform/access/scopes.js'

/** A bot's words that it is one, by language. */
export type Disclosure = Readonly<Record<string, string>>

const LANGUAGES_MAX = 50
const CHARS_MAX = 500

/** @throws BadUserInput; Unprocessable for a person, who has nothing to disclose */
export function parseDisclosure(value: JsonObject | null | undefined, role: Role): Disclosure | null {
  if (value === null || value === undefined) return null
  if (role !== 'bot')
    throw new Unprocessable('disclosure: only bots have one', { reason: 'NOT_A_BOT', field: 'disclosure' })
  if (!isPlainObject(value)) throw new BadUserInput('disclosure', 'disclosure must be an object: a text by language')
  const entries = Object.entries(value)
  if (entries.length === 0 || entries.length > LANGUAGES_MAX)
    throw new BadUserInput('disclosure', `disclosure has ${entries.length} languages, not 1 to ${LANGUAGES_MAX}`)
  return Object.fromEntries(
    entries.map(([language, text]) => {
      const at = `disclosure.${language.slice(0, 20)}`
      if (!/^[a-z]{2}$/.test(language)) throw new BadUserInput(at, `${at} is not a language: two lower-case letters`)
      return [language, parseText(text, at, { min: 1, max: CHARS_MAX })]
    }),
  )
}

/** Returns the words in the consumer's language, else in English, else in the first that there is. */
export function disclosureIn(disclosure: Disclosure, language: string | null): string {
  return disclosure[language ?? 'en'] ?? disclosure.en ?? Object.values(disclosure)[0]!
}
