import type { Config } from '../config.js'

/**
 * Returns which addresses are trusted proxies (`TRUST_PROXY`), for reading `X-Forwarded-For`: the client is the first
 * address from the right that is not. A number counts proxies from this server outwards.
 */
export function trustOf(
  trustProxy: Config['trustProxy'],
): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy
}
