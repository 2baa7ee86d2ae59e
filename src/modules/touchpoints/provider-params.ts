import { BadUserInput } from '../../platform/errors.js'
import { isAbsent, parseText, parseUrl } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import { DeliveryRefused } from './adapter.js'

const TEXT_CHARS_MAX = 500

/**
 * Parses one line without spaces, for headers and addresses; undefined when absent. Missing params are reported when
 * the service is used, not when it is stored: 2.11 leaves open what params hold.
 * @throws BadUserInput naming `params.<key>`
 */
export function paramText(params: JsonObject, key: string): string | undefined {
  const field = `params.${key}`
  if (isAbsent(params[key])) return undefined
  const text = parseText(params[key], field, { min: 1, max: TEXT_CHARS_MAX })
  if (!/[\p{Cc}\s]/u.test(text)) return text
  throw new BadUserInput(field, `${field} must not contain white space or control characters`)
}

/** Parses the base of a provider's addresses, without a trailing slash. @throws BadUserInput naming `params.apiUrl` */
export function paramApiUrl(params: JsonObject, fallback: string): string {
  if (isAbsent(params.apiUrl)) return fallback
  const url = parseUrl(params.apiUrl, 'params.apiUrl', ['http', 'https'])
  const { username, password, search, hash } = new URL(url)
  // They would be shown to everyone who reads the service.
  if (username || password)
    throw new BadUserInput('params.apiUrl', 'params.apiUrl must not contain a user name or a password')
  if (search || hash) throw new BadUserInput('params.apiUrl', 'params.apiUrl must end with its path')
  return url.replace(/\/+$/, '')
}

/** @throws DeliveryRefused naming the param that the service lacks */
export function needed(value: string | undefined, key: string): string {
  if (value !== undefined) return value
  throw new DeliveryRefused(`the service lacks params.${key}`)
}

/** @throws DeliveryRefused where reading the params throws: they were stored before the service had this type */
export function usable<T>(read: (params: JsonObject) => T, params: JsonObject): T {
  try {
    return read(params)
  } catch (error) {
    if (error instanceof BadUserInput) throw new DeliveryRefused(`the service cannot be used: ${error.message}`)
    throw error
  }
}
