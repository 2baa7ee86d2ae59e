import { isIPv6 } from 'node:net'

/** Returns an IPv4 address, or the /64 of an IPv6 address: customers can choose among at least that many. */
export function networkOf(address: string): string {
  return networksOf(address)[0]
}

/**
 * Returns the networks of an address that one customer may have, from the narrowest: of IPv6 /64, /56 and /48, of IPv4 the
 * address and its /24.
 */
export function networksOf(address: string): readonly [string, string, string] {
  const [bare = address] = address.split('%')
  const ipv4 = /^(?:::ffff:)?((\d+\.\d+\.\d+)\.\d+)$/i.exec(bare)
  if (ipv4) return [ipv4[1]!, `${ipv4[2]}.0/24`, `${ipv4[2]}.0/24`]
  if (!isIPv6(bare)) return [bare, bare, bare]
  const [first, second, third, fourth] = groupsOf(bare)
  const site = `${first}:${second}:${third}`
  return [`${site}:${fourth}::/64`, `${site}:${fourth!.padStart(4, '0').slice(0, 2)}00::/56`, `${site}::/48`]
}

/** Returns the eight groups of a valid IPv6 address, in hexadecimal without leading zeros. */
export function groupsOf(address: string): string[] {
  // The URL parser normalizes the address, without embedded IPv4.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}
