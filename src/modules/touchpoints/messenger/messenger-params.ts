import type { JsonObject } from '../../../platform/json.js'
import { paramApiUrl, paramText, withVerifyToken } from '../provider-params.js'

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
  const { pageId } = parseMessengerParams(given)
  return pageId === undefined ? given : withVerifyToken(given, stored)
}
