/** The envelope of an event (guide to webhooks). `Data` is what `params.query` selects, else the records as `/v2` has them. */
export interface WebhookEvent<Data = Record<string, unknown>> {
  /** Id of the event, the same in each delivery: store those that were processed. */
  id: string
  /** Such as `message.create.contact.chat`. */
  event: string
  timestamp: string
  organization: string
  data: Data
}

/** The headers that a delivery is signed with, under lower-case names. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>

const PREFIX = 'whsec_'
/** Older deliveries may be somebody's who has recorded them. */
const AGE_SECONDS_MAX = 5 * 60

/**
 * Tells whether the server sent the body, by `webhook-signature` (Standard Webhooks), and within the last 5 minutes.
 * @param body the exact bytes, as text, before anything parses them
 */
export async function isGenuine(
  body: string,
  headers: WebhookHeaders,
  secret: string,
  now = Date.now(),
): Promise<boolean> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    return headerOf(headers, name)
  })
  if (!id || !timestamp || !signatures) return false
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= AGE_SECONDS_MAX)) return false
  const text = new TextEncoder()
  const bytes = secret.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : text.encode(secret)
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = text.encode(`${id}.${timestamp}.${body}`)
  // One for each secret that holds, while one replaces another.
  for (const signature of signatures.split(' ')) {
    const given = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : null
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) return true
  }
  return false
}

/** The challenge of the handshake, to be answered as the body; null for any other request. */
export function challengeOf(url: string): string | null {
  return new URL(url, 'http://localhost').searchParams.get('challenge')
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? undefined
}

/** Empty for what is not base64, which then fits nothing. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
