import { randomBytes } from 'node:crypto'
import { BadUserInput } from '../../../platform/errors.js'
import { isAbsent, parseBoolean, parseText } from '../../../platform/input.js'
import type { JsonObject } from '../../../platform/json.js'
import { paramApiUrl, paramText } from '../provider-params.js'

export const WHATSAPP_PARAMS = [
  'phoneNumberId',
  'wabaId',
  'accessToken',
  'appSecret',
  'verifyToken',
  'readMarks',
  'apiUrl',
] as const

/** Params of a service of type whatsapp. */
export interface WhatsappParams {
  /** Id of the telephone number at the platform, which sends and receives. */
  phoneNumberId: string | undefined
  /** Id of the WhatsApp Business Account, to which templates belong. */
  wabaId: string | undefined
  accessToken: string | undefined
  /** Signs the platform's events. */
  appSecret: string | undefined
  /** Token that the platform's handshake must present. */
  verifyToken: string | undefined
  /** True if consumers see that their messages were read. */
  readMarks: boolean
  /** Without a trailing slash. */
  apiUrl: string
}

const API_URL = 'https://graph.facebook.com'
const TOKEN_CHARS_MAX = 1_000

/** @throws BadUserInput naming `params.<key>` */
export function parseWhatsappParams(given: JsonObject): WhatsappParams {
  return {
    phoneNumberId: idParam(given, 'phoneNumberId'),
    wabaId: idParam(given, 'wabaId'),
    accessToken: tokenParam(given, 'accessToken'),
    appSecret: paramText(given, 'appSecret'),
    verifyToken: paramText(given, 'verifyToken'),
    readMarks: isAbsent(given.readMarks) ? false : parseBoolean(given.readMarks, 'params.readMarks'),
    apiUrl: paramApiUrl(given, API_URL),
  }
}

/**
 * Returns the params to store; with a number, they include the handshake token, kept or generated. @throws BadUserInput
 */
export function readWhatsappParams(given: JsonObject, stored: JsonObject): JsonObject {
  const { phoneNumberId, verifyToken } = parseWhatsappParams(given)
  if (phoneNumberId === undefined || verifyToken !== undefined) return given
  const kept = typeof stored.verifyToken === 'string' ? stored.verifyToken : randomBytes(24).toString('base64url')
  return { ...given, verifyToken: kept }
}

/** An id becomes part of a URL's path. */
function idParam(given: JsonObject, key: 'phoneNumberId' | 'wabaId'): string | undefined {
  const id = paramText(given, key)
  if (id === undefined || /^\d+$/.test(id)) return id
  throw new BadUserInput(
    `params.${key}`,
    `params.${key} must consist of digits: it is the platform's id, not a telephone number`,
  )
}

function tokenParam(given: JsonObject, key: string): string | undefined {
  const field = `params.${key}`
  if (isAbsent(given[key])) return undefined
  const text = parseText(given[key], field, { min: 1, max: TOKEN_CHARS_MAX })
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new BadUserInput(field, `${field} must not contain white space or special characters`)
}
