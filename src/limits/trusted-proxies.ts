import type { Config } from '../config.js'

/**
 * Which addresses are trusted proxies' (`TRUST_PROXY`), for whatever reads `X-Forwarded-For`: the client is the first one
 * from the right that is none of them. A number counts proxies from this server outwards.
 */
export function trustOf(
  trustProxy: Config['trustProxy'],
): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy
}
