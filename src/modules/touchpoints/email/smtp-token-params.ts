import { BadUserInput } from '../../../platform/errors.js'
import { isAbsent, parseText, parseUrl } from '../../../platform/input.js'
import type { JsonObject } from '../../../platform/json.js'

/** Params of a mail server that takes access tokens in place of passwords (OAuth 2.0, XOAUTH2). */
export const TOKEN_PARAMS = [
  'smtpTokenUrl',
  'smtpClientId',
  'smtpClientSecret',
  'smtpRefreshToken',
  'smtpScope',
] as const
export const TOKEN_BOUND_TO = ['smtpUrl', 'smtpUser', 'smtpTokenUrl', 'smtpClientId']

const NEEDED = ['smtpUrl', 'smtpUser', 'smtpClientId'] as const
const CHARS_MAX = 8_192

/**
 * Checks them and stores them into `params`: all that they need, and none that has no effect.
 * @throws BadUserInput naming `params.<key>`
 */
export function readTokenParams(
  params: JsonObject,
  given: JsonObject,
  { isPlainAllowed }: { isPlainAllowed: boolean },
): void {
  if (isAbsent(given.smtpTokenUrl)) {
    const idle = TOKEN_PARAMS.find((key) => !isAbsent(given[key]))
    if (idle === undefined) return
    throw new BadUserInput(`params.${idle}`, `params.${idle} has no effect without params.smtpTokenUrl`)
  }
  params.smtpTokenUrl = parseTokenUrl(given.smtpTokenUrl, isPlainAllowed)
  for (const key of TOKEN_PARAMS.slice(1)) {
    if (!isAbsent(given[key])) params[key] = parseLine(given[key], `params.${key}`, key === 'smtpScope')
  }
  const missing = NEEDED.find((key) => isAbsent(given[key]))
  if (missing !== undefined) {
    throw new BadUserInput(`params.${missing}`, `params.${missing} is needed with params.smtpTokenUrl`)
  }
  if (isAbsent(given.smtpClientSecret) && isAbsent(given.smtpRefreshToken)) {
    const rule = 'params.smtpClientSecret or params.smtpRefreshToken is needed with params.smtpTokenUrl'
    throw new BadUserInput('params.smtpClientSecret', rule)
  }
  if (isAbsent(given.smtpPassword)) return
  throw new BadUserInput('params.smtpPassword', 'params.smtpPassword and params.smtpTokenUrl exclude each other')
}

function parseTokenUrl(value: unknown, isPlainAllowed: boolean): string {
  const field = 'params.smtpTokenUrl'
  const url = parseUrl(value, field, isPlainAllowed ? ['http', 'https'] : ['https'])
  const { username, password, hash } = new URL(url)
  if (!username && !password && !hash) return url
  throw new BadUserInput(field, `${field} must not contain credentials or a fragment`)
}

function parseLine(value: unknown, field: string, maySpace: boolean): string {
  const text = parseText(value, field, { min: 1, max: CHARS_MAX })
  if (!/\p{Cc}/u.test(text) && (maySpace || !/\s/u.test(text))) return text
  throw new BadUserInput(field, `${field} must be one line${maySpace ? '' : ' without spaces'}`)
}
