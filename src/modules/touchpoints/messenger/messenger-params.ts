import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../../platform/json.js'
import { paramApiUrl, paramText } from '../provider-params.js'

export const MESSENGER_PARAMS = ['pageId', 'pageAccessToken', 'appSecret', 'verifyToken', 'apiUrl'] as const

/** Params of a service of type messenger. */
export interface MessengerParams {
  pageId: string | undefined
  pageAccessToken: string | undefined
  appSecret: string | undefined
  /** Token that the platform's handshake must present. */
  verifyToken: string | undefined
  /** Without a trailing slash. */
  apiUrl: string
}

const API_URL = 'https://graph.facebook.com'

/** @throws BadUserInput naming `params.<key>` */
export function parseMessengerParams(given: JsonObject): MessengerParams {
  return {
    pageId: paramText(given, 'pageId'),
    pageAccessToken: paramText(given, 'pageAccessToken'),
    appSecret: paramText(given, 'appSecret'),
    verifyToken: paramText(given, 'verifyToken'),
    apiUrl: paramApiUrl(given, API_URL),
  }
}

/**
 * Returns the params to store; with a page, they include the handshake token, kept or generated. @throws BadUserInput
 */
export function readMessengerParams(given: JsonObject, stored: JsonObject): JsonObject {
  const { pageId, verifyToken } = parseMessengerParams(given)
  if (pageId === undefined || verifyToken !== undefined) return given
  const kept = typeof stored.verifyToken === 'string' ? stored.verifyToken : randomBytes(24).toString('base64url')
  return { ...given, verifyToken: kept }
}
