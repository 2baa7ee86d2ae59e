import { BadUserInput, quoteValue } from './errors.js'
import { isPlainObject, unstorable } from './json.js'
import { nearestHint } from './nearest-names.js'
import { areCredentialsDecodable, withoutPassword } from './url-credentials.js'

/**
 * Parsers of single input values. Each returns the value in the domain's form or throws BadUserInput naming the field
 * and the value. None of them coerces: `'5'` is not a number and `1` is not a boolean.
 */

/** Returns `field.key`, or `key` at the top of the input. */
export function pathOf(field: string, key: string): string {
  return field ? `${field}.${key}` : key
}

/** Tells whether a field is not given: absent and null are the same in a create. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

/** The error of a value that breaks a rule such as `must be a list`, or that is missing. */
export function mismatch(field: string, value: unknown, rule: string): BadUserInput {
  if (value === undefined) return new BadUserInput(field, `${field} is required; it ${rule}`, 'MISSING_VALUE')
  return new BadUserInput(field, `${field} ${rule}, not ${quoteValue(value)}`)
}

/** Requires an object with no other fields. Omits absent and null members. */
export function parseFields<K extends string>(
  value: unknown,
  field: string,
  known: readonly K[],
): Partial<Record<K, unknown>> {
  const name = field || 'input'
  if (!isPlainObject(value)) throw new BadUserInput(name, `${name} must be an object, not ${quoteValue(value)}`)
  const fields: Partial<Record<K, unknown>> = {}
  for (const [key, member] of Object.entries(value)) {
    if (!known.includes(key as K)) {
      const path = pathOf(field, key.slice(0, 100))
      const hint = nearestHint(key, known)
      throw new BadUserInput(
        path,
        `${path} is not a known field${hint}; known are ${known.join(', ')}`,
        'UNKNOWN_FIELD',
      )
    }
    if (!isAbsent(member)) fields[key as K] = member
  }
  return fields
}

/** A patch removes a value with null, but not one of these. @throws BadUserInput naming the field */
export function refuseCleared<Patch extends object>(patch: Patch, ...fields: (keyof Patch & string)[]): void {
  for (const field of fields) if (patch[field] === null) throw new BadUserInput(field, `${field} cannot be cleared`)
}

/** Bounds of a text; no upper bound unless given. */
export interface TextLimits {
  /** Characters (UTF-16 units), 0 by default: 1 refuses an empty text. */
  min?: number
  max?: number
  /** UTF-8 bytes. */
  maxBytes?: number
}

/**
 * Parses a text that the database can store: neither NUL nor half of a surrogate pair. It is not trimmed.
 * @throws BadUserInput naming the field, with the value or its length
 */
export function parseText(value: unknown, field: string, { min = 0, max, maxBytes }: TextLimits = {}): string {
  if (typeof value !== 'string') throw mismatch(field, value, `must be a string`)
  if (value.length < min) {
    const rule = min === 1 ? 'must not be empty' : `must have at least ${min} characters`
    throw new BadUserInput(field, `${field} ${rule}`)
  }
  if (max !== undefined && value.length > max) {
    throw new BadUserInput(field, `${field} has ${value.length} characters; at most ${max} are allowed`)
  }
  if (maxBytes !== undefined && value.length * 3 > maxBytes && Buffer.byteLength(value) > maxBytes) {
    throw new BadUserInput(field, `${field} has ${Buffer.byteLength(value)} bytes; at most ${maxBytes} are allowed`)
  }
  const problem = unstorable(value)
  if (problem) throw new BadUserInput(field, `${field} ${problem}`)
  return value
}

/** Parses one of the texts, in their case. @throws BadUserInput naming field, values and what was given */
export function parseOneOf<T extends string>(value: unknown, field: string, allowed: readonly T[]): T {
  if (typeof value === 'string' && allowed.includes(value as T)) return value as T
  throw mismatch(field, value, `must be one of ${allowed.join(', ')}`)
}

/** Parses `true` or `false`; texts and numbers are refused. @throws BadUserInput */
export function parseBoolean(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value
  throw mismatch(field, value, `must be true or false`)
}

/** Parses a whole number within both bounds, inclusive; texts are refused. @throws BadUserInput */
export function parseInteger(value: unknown, field: string, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  throw mismatch(field, value, `must be a whole number from ${min} to ${max}`)
}

/** Parses a list of at most `max` elements, which it leaves to the caller. @throws BadUserInput */
export function parseList(value: unknown, field: string, max: number): unknown[] {
  if (!Array.isArray(value)) throw mismatch(field, value, `must be a list`)
  if (value.length > max) {
    throw new BadUserInput(field, `${field} has ${value.length} elements; at most ${max} are allowed`)
  }
  return value
}

export type UrlScheme = 'http' | 'https' | 'mailto' | 'tel'
const URL_CHARS_MAX = 8_192
const CONTROL = /\p{Cc}/u

/**
 * Parses an absolute URL with one of the schemes, and trims it. Control characters are refused, since browsers ignore
 * them inside a URL (`java\nscript:`).
 */
export function parseUrl(value: unknown, field: string, schemes: readonly UrlScheme[]): string {
  const url = parseText(value, field, { min: 1, max: URL_CHARS_MAX }).trim()
  if (!isUrl(url, schemes)) {
    // The value may be a URL with a password and a mistake: everything before its host is left out.
    const quoted = quoteValue(url.replace(/^.*@/s, '…@'))
    throw new BadUserInput(field, `${field} must be an absolute URL (${schemes.join(', ')}), not ${quoted}`)
  }
  return url
}

/**
 * Parses the URL of a server that this one sends to. One with credentials is returned in normal form, so that it reads
 * as the sender understands it: `https:///user:password@host` is a URL of `host`. Any other is kept as written.
 */
export function parseServerUrl(value: unknown, field: string): string {
  const text = parseUrl(value, field, ['http', 'https'])
  const url = new URL(text)
  if (url.username === '' && url.password === '') return text
  if (areCredentialsDecodable(url)) return url.href
  const rule = 'must write % in a user name or a password as %25'
  throw new BadUserInput(field, `${field} ${quoteValue(withoutPassword(text))} ${rule}`)
}

/**
 * Parses the address of a page, absolute or as people write one. As a link it leads to http, https or a path: nothing
 * before the first slash can be mistaken for another scheme. @throws BadUserInput
 */
export function parseWebAddress(value: unknown, field: string): string {
  const address = parseText(value, field, { max: URL_CHARS_MAX }).trim()
  if (isWebAddress(address)) return address
  throw mismatch(field, value, `must be a web address (http, https)`)
}

/** Tells whether {@link parseWebAddress} accepts a text unchanged. */
export function isWebAddress(address: string): boolean {
  if (CONTROL.test(address)) return false
  const [authority] = address.split(/[/?#]/, 1)
  // A host with its port: the dot distinguishes it from a scheme such as `javascript`.
  if (!authority!.includes(':') || /^[^:]+\.[^:]+:\d{1,5}$/.test(authority!)) return true
  return isWebUrl(address)
}

/** Tells whether a text is an absolute http or https URL. */
export function isWebUrl(url: string): boolean {
  return isUrl(url, ['http', 'https'])
}

function isUrl(url: string, schemes: readonly UrlScheme[]): boolean {
  const scheme = /^[a-z]+(?=:)/i.exec(url)?.[0].toLowerCase() as UrlScheme | undefined
  if (!scheme || !schemes.includes(scheme) || CONTROL.test(url)) return false
  // Without its slashes `https:path` is relative to an https page.
  if (scheme.startsWith('http') && !url.startsWith('//', scheme.length + 1)) return false
  return URL.canParse(url)
}
