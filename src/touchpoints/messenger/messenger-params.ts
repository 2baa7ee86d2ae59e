import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../json.js'
import { paramApiUrl, paramText } from '../provider-params.js'

/** What the params of a service of type messenger say. Other keys are kept and mean nothing. */
export interface MessengerParams {
  pageId: string | undefined
  pageAccessToken: string | undefined
  appSecret: string | undefined
  /** What the platform's handshake must show. */
  verifyToken: string | undefined
  /** Without a slash at the end. */
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

/** The params to store: with a token for the handshake, kept or made, where a page is named. @throws BadUserInput */
export function readMessengerParams(given: JsonObject, stored: JsonObject): JsonObject {
  const { pageId, verifyToken } = parseMessengerParams(given)
  if (pageId === undefined || verifyToken !== undefined) return given
  const kept = typeof stored.verifyToken === 'string' ? stored.verifyToken : randomBytes(24).toString('base64url')
  return { ...given, verifyToken: kept }
}
