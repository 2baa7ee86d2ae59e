import { BadUserInput } from '../../platform/errors.js'
import type { SignInRules } from '../sign-in-policy/sign-in-rules.js'
import { isCommonPassword } from './common-passwords.js'
import { normalised, parsePassword } from './passwords.js'

/** Parts of a name that are shorter stand in many words. */
const NAME_CHARS_MIN = 4

/**
 * Parses a new password. Where the sign-in policy has a shortest length, it must also be none that guesses begin with.
 * @param names of the user, and its email @throws BadUserInput, whose messages never contain it
 */
export function parseNewPassword(
  value: unknown,
  field: string,
  { passwordMinLength: minLength }: Pick<SignInRules, 'passwordMinLength'>,
  names: readonly (string | null | undefined)[],
): string {
  const password = parsePassword(value, field)
  if (minLength === null) return password
  const text = normalised(password)
  const length = [...text].length
  if (length < minLength) {
    const message = `${field} must have at least ${minLength} characters, not ${length}: the sign-in policy asks for it`
    throw new BadUserInput(field, message, 'PASSWORD_TOO_SHORT', { minLength })
  }
  if (isCommonPassword(text))
    throw new BadUserInput(field, `${field} is one that many use, or one part repeated`, 'PASSWORD_COMMON')
  if (containsName(text, names))
    throw new BadUserInput(field, `${field} contains the name or the email of its user`, 'PASSWORD_NAMES_USER')
  return password
}

/** Tells whether it contains a word of a name, or the part of an email before the @. */
function containsName(password: string, names: readonly (string | null | undefined)[]): boolean {
  const text = password.toLowerCase()
  return names
    .flatMap((name) => (name ?? '').split('@', 1)[0]!.split(/\s+/))
    .map((part) => normalised(part).toLowerCase())
    .some((part) => part.length >= NAME_CHARS_MIN && text.includes(part))
}
