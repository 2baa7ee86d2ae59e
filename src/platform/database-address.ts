const HOSTS = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^@/?#]+)(.*)$/s
const SESSION_ATTRS = 'target_session_attrs'
/** The values of libpq that a server which writes can mean. `any` is too: a standby is refused anyway. */
const SESSION_ATTRS_OF_REPLICA: ReadonlySet<string> = new Set(['standby', 'prefer-standby', 'read-only', 'any'])
const SESSION_ATTRS_OF_PRIMARY: ReadonlySet<string> = new Set(['read-write', 'primary', 'any'])

/**
 * Splits an address with several hosts, as libpq writes it, into one address per host, in their order:
 * `postgresql://user@one:5432,two:5432/database?target_session_attrs=read-write`.
 * @throws Error that says what is wrong, without the address, which contains a password
 */
export function addressesOf(url: string, server: 'primary' | 'replica' = 'primary'): string[] {
  const [, before, hosts, after] = HOSTS.exec(url) ?? []
  if (before === undefined || hosts === undefined || after === undefined) {
    throw new Error('it begins with another scheme, or names no host')
  }
  const addresses = hosts.split(',').map((host) => before + host + after)
  return addresses.map((address) => {
    const parsed = URL.parse(address)
    if (!parsed) throw new Error('one of its hosts or ports is not valid')
    const wanted = parsed.searchParams.get(SESSION_ATTRS)
    if (wanted === null) return address
    if (server === 'primary' && !SESSION_ATTRS_OF_PRIMARY.has(wanted)) {
      throw new Error(`${SESSION_ATTRS} must be read-write: the server writes, so a standby is of no use to it`)
    }
    if (server === 'replica' && !SESSION_ATTRS_OF_REPLICA.has(wanted)) {
      throw new Error(`${SESSION_ATTRS} must be standby: a primary has nothing to add to DATABASE_URL`)
    }
    parsed.searchParams.delete(SESSION_ATTRS)
    return parsed.href
  })
}

/** Describes an address for errors, without its password: `database at one:5432,two:5432`. */
export function describeAddress(url: string): string {
  const addresses = addressesOf(url).map((address) => new URL(address))
  return `${addresses[0]!.pathname.slice(1)} at ${addresses.map(({ host }) => host).join(',')}`
}
