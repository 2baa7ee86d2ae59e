import { createHmac, timingSafeEqual } from 'node:crypto'

export interface SignedForm {
  /** The URL given to the provider, with its query. */
  url: string
  params: URLSearchParams
  /** The header `X-Twilio-Signature`; undefined when there is none. */
  signature: string | undefined
}

/**
 * Verifies Twilio's signature: base64 of HMAC-SHA1, under the account's token, over the URL and each parameter's name
 * and value, sorted by name, without separators. Repeated parameters count with each distinct value once, in order. The
 * URL is tried with and without its port, as Twilio's own libraries do: Twilio signs some with and others without it.
 */
export function isSignedByTwilio(authToken: string, { url, params, signature }: SignedForm): boolean {
  if (signature === undefined) return false
  const names = [...new Set(params.keys())].sort()
  const fields = names.map((name) =>
    [...new Set(params.getAll(name))]
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
