import { isId } from '../db/clock.js'

const LEVELS = [1, 2, 3] as const

/** The path as text, for any comparison. */
export const orgPathSql = (alias: string): string => `concat_ws('#', ${alias}.org1, ${alias}.org2, ${alias}.org3)`

/**
 * A path equal to or beginning with whole ids, as a condition on the columns that have indexes. Null for any other
 * comparison. A `#` at the end asks for what is below.
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
