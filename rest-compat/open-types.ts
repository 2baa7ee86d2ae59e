/**
 * Types with arbitrary keys: GraphQL has unknown ones in the field `custom`, REST beside the known ones (legacy clients
 * add their own keys to a profile, bots to what they report).
 */
const OPEN_TYPES: ReadonlySet<string> = new Set([
  'ContactProfileInput',
  'ContactAddressInput',
  'ContactProfile',
  'ContactAddress',
  'ReportedResult',
  'ReportedResultInput',
])

export const CUSTOM = 'custom'

export const isOpenType = (name: string): boolean => OPEN_TYPES.has(name)
