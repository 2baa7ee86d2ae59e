import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Verifies the platform's signature of a body: `sha256=` and the hexadecimal HMAC of its bytes under the app's secret.
 */
export function isSignedByHub(appSecret: string, body: Buffer, signature: string | undefined): boolean {
  const given = Buffer.from(signature ?? '')
  const expected = Buffer.from(`sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Computes the proof that the owner of a token has the app's secret too (`appsecret_proof`). */
export function appSecretProof(appSecret: string, token: string): string {
  return createHmac('sha256', appSecret).update(token).digest('hex')
}
