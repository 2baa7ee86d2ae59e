import { createHmac, timingSafeEqual } from 'node:crypto'

export interface SignedForm {
  /** As the provider was told it, with its query. */
  url: string
  params: URLSearchParams
  /** The header `X-Twilio-Signature`; undefined when there is none. */
  signature: string | undefined
}

/**
 * Whether Twilio signed this: base64 of HMAC-SHA1, under the account's token, over the address and each parameter's
 * name and value, by name, without anything between. A name that is there several times counts with each of its values
 * once, in order. The address counts with its port written or not, as Twilio's own libraries have it: it does the one
 * for some and the other for others.
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
  // Each is compared, whichever fits.
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
