import { createHmac, timingSafeEqual } from 'node:crypto'

export interface SignedForm {
  /** The URL given to the provider, with its query. */
  url: string
  /** The body, as `application/x-www-form-urlencoded`. */
  form: Buffer
  /** The header `X-Twilio-Signature`. */
  signature: string
}

/** Several times as many as the provider sends; more are not its own. */
const FIELDS_MAX = 500
const AMPERSAND = 0x26

/**
 * Verifies Twilio's signature: base64 of HMAC-SHA1, under the account's token, over the URL and each parameter's name
 * and value, sorted by name, without separators. Repeated parameters count with each distinct value once, in order. The
 * URL is tried with and without its port, as Twilio's own libraries do: Twilio signs some with and others without it.
 * The fields must be known for that: they are counted first, since anybody may send them.
 */
export function isSignedByTwilio(authToken: string, { url, form, signature }: SignedForm): boolean {
  let count = 1
  for (const byte of form) if (byte === AMPERSAND) count += 1
  if (count > FIELDS_MAX) return false
  const values = new Map<string, Set<string>>()
  for (const [name, value] of new URLSearchParams(form.toString())) {
    const known = values.get(name)
    if (known) known.add(value)
    else values.set(name, new Set([value]))
  }
  const fields = [...values.keys()].sort().map((name) =>
    [...values.get(name)!]
      .sort()
      .map((value) => name + value)
      .join(''),
  )
  const given = Buffer.from(signature)
  // All are compared, so that the time is constant.
  const fitting = withAndWithoutPort(url).filter((address) => {
    const expected = Buffer.from(
      createHmac('sha1', authToken)
        .update(address + fields.join(''))
        .digest('base64'),
    )
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return fitting.length > 0
}

function withAndWithoutPort(url: string): string[] {
  const [, scheme, authority, rest] = /^(https?):\/\/([^/?#]*)(.*)$/.exec(url) ?? []
  if (!scheme || !authority) return [url]
  const bare = authority.replace(/:\d+$/, '')
  const port = scheme === 'https' ? 443 : 80
  const ported = bare === authority ? `${bare}:${port}` : authority
  return [`${scheme}://${bare}${rest}`, `${scheme}://${ported}${rest}`]
}
