import { isNamedSql } from '../../platform/db/erased-name.js'
import { BlockList, isIP } from 'node:net'
import type { Sql } from '../../platform/db/database.js'

/** Addresses that many clients share, such as a proxy's: blocking one would block all of its clients. */
const SHARED = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  SHARED.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  SHARED.addSubnet(network, prefix, 'ipv6')
}

interface Sighting {
  contact: string
  organization: string
  /** The client's network address; null if unknown. */
  address: string | null
}

/**
 * Stores the consumer's network address for `/block` (3.1), unless it is private or loopback and thus shared.
 * @returns whether the organization has blocked the address
 */
export async function recordContactAddress(sql: Sql, { contact, organization, address }: Sighting): Promise<boolean> {
  const version = address === null ? 0 : isIP(address)
  if (version === 0 || SHARED.check(address!, version === 4 ? 'ipv4' : 'ipv6')) return false
  const [seen] = await sql.query<{ is_blocked: boolean }>(
    `with seen as (update contact set address = $2 where id = $1 and address is distinct from $2)
     select exists (select 1 from blocked_address where organization_id = $3
       and ${isNamedSql('address', '$2')}) as is_blocked`,
    [contact, address, organization],
    'see-contact',
  )
  return seen!.is_blocked
}
