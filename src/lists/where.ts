import { BadUserInput, shown } from '../errors.js'
import { isId } from '../db/clock.js'
import type { ComparedField, Comparison, FilterFields } from './filters.js'
import { isFoundSql, searchQuery, type TenantCondition } from './text-search.js'

/** How deep `and`/`or` may nest, and how many conditions a filter may hold: a filter is a client's. */
const DEPTH_MAX = 6
const CONDITIONS_MAX = 60

/**
 * Compiles a filter to SQL over the field table's expressions; every client value becomes a parameter.
 * @param tenant the caller's, for searches that look into other tables
 * @throws BadUserInput naming the field.
 */
export function whereSql(
  fields: FilterFields,
  filter: object | null | undefined,
  values: unknown[],
  tenant: TenantCondition,
): string {
  const budget = { left: CONDITIONS_MAX, tenant }
  return filter ? conjunction(fields, filter as Record<string, unknown>, values, budget, 'filter', 0) : 'true'
}

/** What the conditions of one filter share. */
interface Budget {
  left: number
  tenant: TenantCondition
}

function conjunction(
  fields: FilterFields,
  filter: Record<string, unknown>,
  values: unknown[],
  budget: Budget,
  path: string,
  depth: number,
): string {
  if (depth > DEPTH_MAX) throw new BadUserInput(path, `${path} nests deeper than ${DEPTH_MAX}`)
  const terms: string[] = []
  for (const [key, condition] of Object.entries(filter)) {
    if (condition === undefined || condition === null) continue
    if (--budget.left < 0) throw new BadUserInput('filter', `filter holds more than ${CONDITIONS_MAX} conditions`)
    const at = `${path}.${key}`
    if (key === 'and' || key === 'or') {
      const parts = (condition as Record<string, unknown>[]).map((part, index) =>
        conjunction(fields, part, values, budget, `${at}[${index}]`, depth + 1),
      )
      if (parts.length) terms.push(`(${parts.join(key === 'and' ? ' and ' : ' or ')})`)
      continue
    }
    const field = Object.hasOwn(fields, key) ? fields[key]! : undefined
    if (!field) throw new BadUserInput(at, `${at} is not a field to filter by`)
    if (field.kind === 'search') {
      terms.push(isFoundSql(field.search, searchQuery(condition, at, values), budget.tenant))
    } else if (field.kind === 'nested') {
      const inner = conjunction(field.fields, condition as Record<string, unknown>, values, budget, at, depth + 1)
      terms.push(field.sql.replace('{}', () => inner))
    } else if (field.kind === 'json') {
      for (const part of condition as (Comparison & { path: string })[]) terms.push(jsonTerm(field.sql, part, values))
    } else {
      terms.push(...comparisons(field, condition as Comparison, values, at))
    }
  }
  return terms.length ? `(${terms.join(' and ')})` : 'true'
}

function comparisons(field: ComparedField, comparison: Comparison, values: unknown[], at: string): string[] {
  return Object.entries(comparison)
    .filter(([, value]) => value !== undefined)
    .map(([operator, value]) => {
      if (field.kind === 'id' || field.kind === 'idArray') checkIds(value, `${at}.${operator}`)
      return field.kind === 'textArray' || field.kind === 'idArray'
        ? arrayTerm(field.sql, operator, value, values, field.kind === 'idArray' ? 'uuid' : 'text')
        : term(field.sql, operator, value, values, CAST[field.kind as keyof typeof CAST])
    })
}

const CAST = { text: 'text', id: 'uuid', int: 'bigint', boolean: 'boolean', time: 'timestamptz' } as const

/** An id that is none matches nothing; a filter is no lookup, so it says so. */
function checkIds(value: unknown, at: string): void {
  for (const id of Array.isArray(value) ? value : [value]) {
    if (id !== null && !isId(id)) throw new BadUserInput(at, `${at} ${shown(id)} is not an id`)
  }
}

function term(sql: string, operator: string, value: unknown, values: unknown[], cast: string): string {
  const parameter = (given: unknown, as = cast): string => `$${values.push(given)}::${as}`
  switch (operator) {
    case 'eq':
      return value === null ? `${sql} is null` : `${sql} = ${parameter(value)}`
    case 'ne':
      return value === null ? `${sql} is not null` : `${sql} is distinct from ${parameter(value)}`
    case 'in':
      return `${sql} = any(${parameter(value, `${cast}[]`)})`
    case 'contains':
      return `${sql} ilike ${parameter(`%${escapeLike(value)}%`)}`
    case 'startsWith':
      return `${sql} like ${parameter(`${escapeLike(value)}%`)}`
    case 'endsWith':
      return `${sql} like ${parameter(`%${escapeLike(value)}`)}`
    default:
      return `${sql} ${ORDER_OPERATORS[operator as keyof typeof ORDER_OPERATORS]} ${parameter(value)}`
  }
}

const ORDER_OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** A condition on a list holds when any element matches; `ne` when none does. */
function arrayTerm(sql: string, operator: string, value: unknown, values: unknown[], cast: string): string {
  if (value === null) return `coalesce(cardinality(${sql}), 0) ${operator === 'ne' ? '>' : '='} 0`
  if (operator === 'eq') return `${sql} @> array[$${values.push(value)}::${cast}]`
  if (operator === 'ne') return `not coalesce(${sql} @> array[$${values.push(value)}::${cast}], false)`
  if (operator === 'in') return `${sql} && $${values.push(value)}::${cast}[]`
  return `exists (select 1 from unnest(${sql}) as element where ${term('element', operator, value, values, cast)})`
}

function jsonTerm(sql: string, { path, ...comparison }: Comparison & { path: string }, values: unknown[]): string {
  const at = `$${values.push(path.split('.'))}::text[]`
  const terms = Object.entries(comparison)
    .filter(([, value]) => value !== undefined)
    .map(([operator, value]) => {
      const numeric = operator in ORDER_OPERATORS && value !== '' && Number.isFinite(Number(value))
      if (!numeric) return term(`(${sql} #>> ${at})`, operator, value, values, 'text')
      const number = `case when jsonb_typeof(${sql} #> ${at}) = 'number' then (${sql} #>> ${at})::numeric end`
      return term(`(${number})`, operator, value, values, 'numeric')
    })
  return terms.length ? `(${terms.join(' and ')})` : 'true'
}

function escapeLike(value: unknown): string {
  return String(value).replace(/[\\%_]/g, '\\$&')
}
