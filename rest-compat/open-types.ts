/**
 * Types with arbitrary keys: GraphQL has unknown ones in the field `custom`, REST beside the known ones (legacy clients
 * add their own keys to a profile).
 */
const OPEN_TYPES: ReadonlySet<string> = new Set([
  'ContactProfileInput',
  'ContactAddressInput',
  'ContactProfile',
  'ContactAddress',
])

export const CUSTOM = 'custom'

export const isOpenType = (name: string): boolean => OPEN_TYPES.has(name)
