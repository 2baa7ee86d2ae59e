/**
 * The account of some work, as a path: the contact center (level 1), its customer (level 2, or the contact center itself
 * for work of its own), and whoever calls there. At each level the accounts take turns. Callers of whom there are many
 * small ones, such as guests, have one in common, below which each has its own.
 */
export type Share = readonly [tenant: string, customer: string, ...callers: string[]]

/** Depths of the accounts in a path. */
export const TENANT_DEPTH = 0
export const CUSTOMER_DEPTH = 1
export const CALLER_DEPTH = 2

const GUESTS = 'guests'
const SYSTEM = 'system'

/** The ids of an organization and of those above it, from level 1 down. */
type Path = readonly (string | undefined)[]

/** Returns the account of a caller at an organization. */
export const shareOf = (path: Path, caller: string): Share => [...customerOf(path), caller]

/** Returns the account of one of an organization's guests. */
export const guestShare = (path: Path, guest: string): Share => [...customerOf(path), GUESTS, guest]

/** Returns the account of the system's own work for an organization, one for each kind of it. */
export const systemShare = (path: Path, kind: string): Share => [...customerOf(path), SYSTEM, kind]

function customerOf([tenant, customer]: Path): [tenant: string, customer: string] {
  return [tenant!, customer ?? tenant!]
}

/** Tells whether nobody called: the work is the system's own. */
export const isSystems = (share: Share): boolean => share[CALLER_DEPTH] === SYSTEM

/** Returns the keys of the accounts in a path, from the contact center down. */
export function accountsOf(share: Share): string[] {
  let key: string = share[0]
  const accounts = [key]
  for (let depth = 1; depth < share.length; depth++) accounts.push((key = `${key} ${share[depth]}`))
  return accounts
}
