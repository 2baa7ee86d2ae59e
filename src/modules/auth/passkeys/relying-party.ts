import { isIP } from 'node:net'
import { Unprocessable } from '../../../platform/errors.js'

/** The site that passkeys are made for: browsers offer them nowhere else. */
export interface RelyingParty {
  id: string
  origin: string
}

/** Returns the site at `PUBLIC_URL`. @throws Unprocessable where browsers allow no passkeys */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isNamed = isIP(hostname.replaceAll(/[[\]]/g, '')) === 0
  if (isNamed && (protocol === 'https:' || isLocal)) return { id: hostname, origin }
  throw new Unprocessable(
    `passkeys need PUBLIC_URL to be https:// with a host name, or http://localhost; it is ${origin}`,
    { reason: 'PASSKEYS_UNAVAILABLE' },
  )
}
