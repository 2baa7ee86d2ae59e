import { parseTelephone } from '../../contacts/identifiers.js'
import { BadUserInput } from '../../errors.js'
import { isAbsent, parseText } from '../../input.js'
import type { JsonObject } from '../../json.js'
import { paramApiUrl, paramText } from '../provider-params.js'

/** What the params of a service of type sms say. Other keys are kept and mean nothing. */
export interface SmsParams {
  accountSid: string | undefined
  authToken: string | undefined
  /** A number in E.164, a short code or a sender's name; absent when the messaging service chooses. */
  from: string | undefined
  messagingServiceSid: string | undefined
  /** Without a slash at the end. */
  apiUrl: string
}

const API_URL = 'https://api.twilio.com'
const FROM_CHARS_MAX = 40
const NAME_CHARS_MAX = 11

/** @throws BadUserInput naming `params.<key>` */
export function parseSmsParams(given: JsonObject): SmsParams {
  const accountSid = paramText(given, 'accountSid')
  // In the path of an address.
  if (accountSid !== undefined && !/^[\w-]+$/.test(accountSid)) {
    throw new BadUserInput('params.accountSid', 'params.accountSid must be of letters, digits and dashes')
  }
  return {
    accountSid,
    authToken: paramText(given, 'authToken'),
    from: isAbsent(given.from) ? undefined : parseFrom(given.from),
    messagingServiceSid: paramText(given, 'messagingServiceSid'),
    apiUrl: paramApiUrl(given, API_URL),
  }
}

/** The params to store: the sender as the provider takes it. @throws BadUserInput */
export function readSmsParams(given: JsonObject): JsonObject {
  const { from } = parseSmsParams(given)
  return { ...given, ...(from !== undefined && { from }) }
}

/** A short code or a name stays as it is; the rest is a telephone number. */
function parseFrom(value: unknown): string {
  const from = parseText(value, 'params.from', { min: 1, max: FROM_CHARS_MAX }).trim()
  const isName = /^[\w&+-]*[a-z][\w&+-]*$/i.test(from) && from.length <= NAME_CHARS_MAX
  return isName || /^\d{3,8}$/.test(from) ? from : parseTelephone(from, 'params.from', null)
}
