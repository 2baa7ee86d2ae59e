import { parseTelephone } from '../../contacts/identifiers.js'
import { BadUserInput } from '../../../platform/errors.js'
import { isAbsent, parseText } from '../../../platform/input.js'
import type { JsonObject } from '../../../platform/json.js'
import { paramApiUrl, paramText } from '../provider-params.js'

/** Params of a service of type sms. */
export interface SmsParams {
  accountSid: string | undefined
  authToken: string | undefined
  /** A number in E.164, a short code or a sender's name; absent when the messaging service chooses. */
  from: string | undefined
  messagingServiceSid: string | undefined
  /** Without a trailing slash. */
  apiUrl: string
}

const API_URL = 'https://api.twilio.com'
const FROM_CHARS_MAX = 40
const NAME_CHARS_MAX = 11

/** @throws BadUserInput naming `params.<key>` */
export function parseSmsParams(given: JsonObject): SmsParams {
  const accountSid = paramText(given, 'accountSid')
  // It becomes part of a URL's path.
  if (accountSid !== undefined && !/^[\w-]+$/.test(accountSid)) {
    throw new BadUserInput('params.accountSid', 'params.accountSid must consist of letters, digits and dashes')
  }
  return {
    accountSid,
    authToken: paramText(given, 'authToken'),
    from: isAbsent(given.from) ? undefined : parseFrom(given.from),
    messagingServiceSid: paramText(given, 'messagingServiceSid'),
    apiUrl: paramApiUrl(given, API_URL),
  }
}

/** Returns the params to store, with the sender in the provider's form. @throws BadUserInput */
export function readSmsParams(given: JsonObject): JsonObject {
  const { from } = parseSmsParams(given)
  return { ...given, ...(from !== undefined && { from }) }
}

/** Keeps a short code or a name; anything else is a phone number. */
function parseFrom(value: unknown): string {
  const from = parseText(value, 'params.from', { min: 1, max: FROM_CHARS_MAX }).trim()
  const isName = /^[\w&+-]*[a-z][\w&+-]*$/i.test(from) && from.length <= NAME_CHARS_MAX
  return isName || /^\d{3,8}$/.test(from) ? from : parseTelephone(from, 'params.from', null)
}
