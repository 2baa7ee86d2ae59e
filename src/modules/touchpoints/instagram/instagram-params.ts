import type { JsonObject } from '../../../platform/json.js'
import { paramApiUrl, paramId, paramText, paramToken, withVerifyToken } from '../provider-params.js'

/** Params of a service of type instagram. */
export interface InstagramParams {
  /** The platform's id of the professional account, as its events name it (`user_id`). */
  accountId: string | undefined
  /** Ends after 60 days; replaced before, see `renew-token.ts`. */
  accessToken: string | undefined
  /** Signs the platform's events. */
  appSecret: string | undefined
  /** Token that the platform's handshake must present. */
  verifyToken: string | undefined
  /** Without a trailing slash. */
  apiUrl: string
}

const API_URL = 'https://graph.instagram.com'

/** @throws BadUserInput naming `params.<key>` */
export function parseInstagramParams(given: JsonObject): InstagramParams {
  return {
    accountId: paramId(given, 'accountId', "the account's name"),
    accessToken: paramToken(given, 'accessToken'),
    appSecret: paramText(given, 'appSecret'),
    verifyToken: paramText(given, 'verifyToken'),
    apiUrl: paramApiUrl(given, API_URL),
  }
}

/**
 * Returns the params to store; with an account, they include the handshake token, kept or generated. @throws BadUserInput
 */
export function readInstagramParams(given: JsonObject, stored: JsonObject): JsonObject {
  const { accountId } = parseInstagramParams(given)
  return accountId === undefined ? given : withVerifyToken(given, stored)
}
