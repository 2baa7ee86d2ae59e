import { createHmac, randomBytes } from 'node:crypto'
import { BadUserInput } from '../../platform/errors.js'

const STANDARD_PREFIX = 'whsec_'
const SECRET_BYTES = 32
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/
/** Fewer are guessed. Standard Webhooks recommend 24 to 64; receivers of before have shorter ones. */
const KEY_BYTES_MIN = 6
const KEY_BYTES_MAX = 256

/** Generates a secret in the form of Standard Webhooks: `whsec_` and base64 of 32 random bytes. */
export function newSecret(): string {
  return STANDARD_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * Parses a secret that a client chose: one with which every library of Standard Webhooks verifies, as base64 or with
 * `format: 'raw'`.
 * @throws BadUserInput naming what kind of value was given, never the value
 */
export function parseSecret(value: unknown, field: string): string {
  const problem = problemOf(value)
  if (problem === null) return value as string
  const rule =
    `${STANDARD_PREFIX} followed by base64 of ${KEY_BYTES_MIN} to ${KEY_BYTES_MAX} bytes, ` +
    `or ${KEY_BYTES_MIN} to ${KEY_BYTES_MAX} printable ASCII characters`
  throw new BadUserInput(
    field,
    `${field} is ${problem}, which libraries of Standard Webhooks do not take; send ${rule}`,
  )
}

/** Says what a value that is no usable secret is; null for a usable one. */
function problemOf(value: unknown): string | null {
  if (typeof value !== 'string') return Array.isArray(value) ? 'a list' : `of the type ${typeof value}`
  const hasPrefix = value.startsWith(STANDARD_PREFIX)
  const encoded = hasPrefix ? value.slice(STANDARD_PREFIX.length) : value
  const bytes = BASE64.test(encoded) ? Buffer.byteLength(encoded, 'base64') : null
  if (bytes !== null && isKeySize(bytes)) return null
  if (hasPrefix)
    return `${STANDARD_PREFIX} followed by ${bytes === null ? 'text other than base64' : `base64 of ${bytes} bytes`}`
  if (!PRINTABLE_ASCII.test(value)) return 'text with characters other than printable ASCII'
  return isKeySize(value.length)
    ? null
    : `text of ${value.length === 1 ? 'one character' : `${value.length} characters`}`
}

function isKeySize(bytes: number): boolean {
  return bytes >= KEY_BYTES_MIN && bytes <= KEY_BYTES_MAX
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
 * secret: it uses the current one, as written. `webhook-signature` has signatures for each, according to Standard
 * Webhooks.
 */
export function signatureHeaders({ id, sentAt, body, secrets }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000))
  const signatures = secrets.flatMap(standardKeys).map((key) => {
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'x-hub-signature': `sha1=${createHmac('sha1', secrets[0]!).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

/**
 * Returns the keys with which the libraries of Standard Webhooks verify. They read a secret without the prefix as base64, or with
 * `format: 'raw'` as its bytes; they take any signature that fits, so one that can be both gets both.
 */
function standardKeys(secret: string): Buffer[] {
  if (secret.startsWith(STANDARD_PREFIX)) return [Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64')]
  const raw = Buffer.from(secret)
  return BASE64.test(secret) ? [raw, Buffer.from(secret, 'base64')] : [raw]
}
