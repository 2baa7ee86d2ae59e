import { isIPv6 } from 'node:net'

/** Returns an IPv4 address, or the /64 of an IPv6 address: customers can choose among at least that many. */
export function networkOf(address: string): string {
  const [bare = address] = address.split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped) return mapped
  if (!isIPv6(bare)) return bare
  // The URL parser normalizes the address, without embedded IPv4.
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}
