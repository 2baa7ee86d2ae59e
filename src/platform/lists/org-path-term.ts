import { isId } from '../db/clock.js'

const LEVELS = [1, 2, 3] as const

/** Builds the path as text, for any comparison. */
export const orgPathSql = (alias: string): string => `concat_ws('#', ${alias}.org1, ${alias}.org2, ${alias}.org3)`

/**
 * Builds a condition on the indexed columns for a path equal to or beginning with whole ids; null for any other
 * comparison. A trailing `#` selects descendants only.
 */
export function orgPathTerm(alias: string, operator: string, value: unknown, values: unknown[]): string | null {
  if ((operator !== 'eq' && operator !== 'startsWith') || typeof value !== 'string') return null
  const isBelow = operator === 'startsWith' && value.endsWith('#')
  const ids = (isBelow ? value.slice(0, -1) : value).split('#')
  if (ids.length > LEVELS.length || !ids.every(isId)) return null
  const terms = ids.map((id, index) => `${alias}.org${index + 1} = $${values.push(id)}::uuid`)
  const next = ids.length + 1
  if (isBelow) terms.push(next > LEVELS.length ? 'false' : `${alias}.org${next} is not null`)
  else if (operator === 'eq' && next <= LEVELS.length) terms.push(`${alias}.org${next} is null`)
  return `(${terms.join(' and ')})`
}
