import { randomBytes } from 'node:crypto'
import { BadUserInput } from '../../platform/errors.js'
import { isAbsent, parseText, parseUrl } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import { ParamsUnusable } from './adapter.js'

const TEXT_CHARS_MAX = 500
const TOKEN_CHARS_MAX = 1_000

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

/** Parses an access token, which goes into a header; undefined when absent. @throws BadUserInput naming `params.<key>` */
export function paramToken(params: JsonObject, key: string): string | undefined {
  const field = `params.${key}`
  if (isAbsent(params[key])) return undefined
  const text = parseText(params[key], field, { min: 1, max: TOKEN_CHARS_MAX })
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new BadUserInput(field, `${field} must not contain white space or special characters`)
}

/**
 * Parses a platform's id of digits, which becomes part of a URL's path; undefined when absent.
 * @param instead what somebody may take for it @throws BadUserInput naming `params.<key>`
 */
export function paramId(params: JsonObject, key: string, instead: string): string | undefined {
  const id = paramText(params, key)
  if (id === undefined || /^\d+$/.test(id)) return id
  throw new BadUserInput(
    `params.${key}`,
    `params.${key} must consist of digits: it is the platform's id, not ${instead}`,
  )
}

/** Returns the params to store of a service that the platform shakes hands with: with a token for that, kept or generated. */
export function withVerifyToken(given: JsonObject, stored: JsonObject): JsonObject {
  if (!isAbsent(given.verifyToken)) return given
  const kept = typeof stored.verifyToken === 'string' ? stored.verifyToken : randomBytes(24).toString('base64url')
  return { ...given, verifyToken: kept }
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

/** @throws ParamsUnusable naming the param that the service lacks */
export function needed(value: string | undefined, key: string): string {
  if (value !== undefined) return value
  throw new ParamsUnusable(`the service lacks params.${key}`)
}

/** @throws ParamsUnusable where reading the params throws: they were stored before the service had this type */
export function usable<T>(read: (params: JsonObject) => T, params: JsonObject): T {
  try {
    return read(params)
  } catch (error) {
    if (error instanceof BadUserInput) throw new ParamsUnusable(`the service cannot be used: ${error.message}`)
    throw error
  }
}
