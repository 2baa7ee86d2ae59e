import { isAbsent, parseBoolean } from '../../../platform/input.js'
import type { JsonObject } from '../../../platform/json.js'
import { paramApiUrl, paramId, paramText, paramToken, withVerifyToken } from '../provider-params.js'

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
const NO_ID = 'a telephone number'

/** @throws BadUserInput naming `params.<key>` */
export function parseWhatsappParams(given: JsonObject): WhatsappParams {
  return {
    phoneNumberId: paramId(given, 'phoneNumberId', NO_ID),
    wabaId: paramId(given, 'wabaId', NO_ID),
    accessToken: paramToken(given, 'accessToken'),
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
  const { phoneNumberId } = parseWhatsappParams(given)
  return phoneNumberId === undefined ? given : withVerifyToken(given, stored)
}
