import { lookup, type LookupAddress } from 'node:dns'
import { BlockList, isIPv4, isIPv6, type LookupFunction, type Socket } from 'node:net'
import { RequestFilteringHttpAgent } from 'request-filtering-agent'

/** Message for an administrator; on a developer's machine the way on. */
export const NOT_ALLOWED =
  'the address is private or reserved: not allowed, unless the server runs with WEBHOOK_ALLOW_PRIVATE=true'

/**
 * Only 2000::/3 of IPv6 is allocated. The agent refuses the private and reserved blocks that it knows, but takes others
 * for public, among them ::/96, which some systems route as IPv4.
 */
const RESERVED_IPV6 = new BlockList()
RESERVED_IPV6.addSubnet('::', 3, 'ipv6')
RESERVED_IPV6.addSubnet('4000::', 2, 'ipv6')
RESERVED_IPV6.addSubnet('8000::', 1, 'ipv6')

export function isReservedIpv6(address: string): boolean {
  return isIPv6(address) && RESERVED_IPV6.check(address, 'ipv6')
}

/** The system's lookup, limited to public addresses; the agent checks further. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, options, (error, found: string | LookupAddress[], family) => {
    const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address)
    if (!error && addresses.some(isReservedIpv6)) callback(new AddressNotAllowed(), '')
    else callback(error, found, family)
  })
}

export class AddressNotAllowed extends Error {
  constructor() {
    super(NOT_ALLOWED)
    this.name = new.target.name
  }
}

/** Tells whether the error comes from the agent's check, or from our lookup. */
export function isNotAllowed(error: Error): boolean {
  return error instanceof AddressNotAllowed || /is not allowed\. Because/.test(error.message)
}

/**
 * Connects to a public address for a protocol other than HTTP; checks the address when connecting, as `OutboundHttp`
 * does. For other addresses the socket fails with an error that {@link isNotAllowed} recognizes.
 * @throws Error for a literal address that is not public
 */
export function connectPublic({ host, port }: { host: string; port: number }): Socket {
  const literal = host.replace(/^\[|\]$/g, '')
  if (isReservedIpv6(literal)) throw new AddressNotAllowed()
  const agent = new RequestFilteringHttpAgent({ allowPrivateIPAddress: false, allowMetaIPAddress: false })
  return agent.createConnection({ host: literal, port, lookup: lookupPublic }) as Socket
}

/** Those of IPv4 that are private, of one machine or network, or for documentation; the agent knows them as well. */
const RESERVED_IPV4 = new BlockList()
for (const network of (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16 ' +
  '198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'
).split(' ')) {
  const [address, bits] = network.split('/')
  RESERVED_IPV4.addSubnet(address!, Number(bits), 'ipv4')
}

/**
 * Tells whether a host, written as an address, is private or reserved: for a refusal when it is stored. Names are looked up
 * when a connection is made, and checked then.
 */
export function isPrivateLiteral(host: string): boolean {
  const literal = host.replace(/^\[|\]$/g, '')
  if (literal === 'localhost' || literal.endsWith('.localhost')) return true
  return isIPv4(literal) ? RESERVED_IPV4.check(literal, 'ipv4') : isReservedIpv6(literal)
}
