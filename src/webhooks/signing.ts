import { createHmac, randomBytes } from 'node:crypto'

const STANDARD_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Generates a secret in the form of Standard Webhooks: `whsec_` and base64 of 32 random bytes. */
export function newSecret(): string {
  return STANDARD_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

export interface Signed {
  id: string
  sentAt: Date
  /** The exact bytes of the body. */
  body: string
  /** The current secret first; then a replaced one, while both are valid. */
  secrets: readonly string[]
}

/**
 * Returns headers that authenticate a delivery (open points, signing). `X-Hub-Signature` is for receivers with one
 * secret: it uses the current one, as written. `webhook-signature` has a signature for each, according to Standard
 * Webhooks.
 */
export function signatureHeaders({ id, sentAt, body, secrets }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000))
  const signatures = secrets.map((secret) => {
    return `v1,${createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'x-hub-signature': `sha1=${createHmac('sha1', secrets[0]!).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

/** A secret without the prefix is used as bytes (`format: 'raw'` in the libraries of Standard Webhooks). */
function standardKey(secret: string): Buffer {
  if (!secret.startsWith(STANDARD_PREFIX)) return Buffer.from(secret)
  return Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64')
}
