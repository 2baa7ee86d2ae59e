import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether the platform signed this body: `sha256=` and the hexadecimal HMAC of its bytes under the app's secret. */
export function isSignedByHub(appSecret: string, body: Buffer, signature: string | undefined): boolean {
  const given = Buffer.from(signature ?? '')
  const expected = Buffer.from(`sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Shows that who has a token has the app's secret as well (`appsecret_proof`). */
export function appSecretProof(appSecret: string, token: string): string {
  return createHmac('sha256', appSecret).update(token).digest('hex')
}
