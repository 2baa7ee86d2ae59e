/**
 * Types whose unknown keys are kept: GraphQL has them in the field `custom`, REST among the known ones (legacy clients
 * write what they like into a profile).
 */
const OPEN_TYPES: ReadonlySet<string> = new Set([
  'ContactProfileInput',
  'ContactAddressInput',
  'ContactProfile',
  'ContactAddress',
])

export const CUSTOM = 'custom'

export const isOpenType = (name: string): boolean => OPEN_TYPES.has(name)
