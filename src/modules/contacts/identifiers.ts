import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { parseText } from '../../platform/input.js'

const EMAIL_CHARS_MAX = 254 // RFC 5321
const TELEPHONE_CHARS_MAX = 40
const EMAIL = /^[^\s\p{Cc}@"<>()[\],:;\\]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u

/**
 * Parses an email address and converts it to lower case, so that each consumer has one spelling. @throws BadUserInput
 */
export function parseEmailAddress(value: unknown, field: string): string {
  const email = parseText(value, field, { max: EMAIL_CHARS_MAX }).trim().toLowerCase()
  if (EMAIL.test(email) && !email.includes('..')) return email
  throw new BadUserInput(field, `${field} ${quoteValue(value)} is not an email address`)
}

/**
 * Parses a telephone number to E.164: `+31612345678`. Separators and `(0)` are removed. A national number is
 * interpreted in `country`. Only the possible length is checked, since number ranges change too often to refuse a
 * consumer for one.
 * @param country two letters, the organization's; null: only the international form is accepted
 * @throws BadUserInput
 */
export function parseTelephone(value: unknown, field: string, country: string | null): string {
  const text = parseText(value, field, { max: TELEPHONE_CHARS_MAX }).trim()
  const international = text.replace(/^(\+|00)/, '+')
  const defaultCountry = (country?.toUpperCase() ?? undefined) as CountryCode | undefined
  const number = parsePhoneNumberFromString(international, { defaultCountry, extract: false })
  if (number?.isPossible() && !number.ext) return number.number
  const digits = international.replace(/[\s().\-/]/g, '')
  // Numbering plans that the library does not know yet, including test numbers.
  if (/^\+[1-9]\d{6,14}$/.test(digits)) return digits
  const hint = country ? '' : ' in international form, such as +31201234567'
  throw new BadUserInput(field, `${field} ${quoteValue(value)} is not a telephone number${hint}`)
}
