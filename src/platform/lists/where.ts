import { BadUserInput, quoteValue } from '../errors.js'
import { isId } from '../db/clock.js'
import type { ComparedField, Comparison, FilterFields } from './filters.js'
import { FilterBudget } from './filter-budget.js'
import { orgPathSql, orgPathTerm } from './org-path-term.js'
import type { FilterScope } from './filter-scope.js'
import { isFoundSql, searchFor, searchQuery } from './text-search.js'

/**
 * Compiles a filter to SQL over the field table's expressions; every client value becomes a parameter.
 * @throws BadUserInput naming the field
 */
export function whereSql(
  fields: FilterFields,
  filter: object | null | undefined,
  values: unknown[],
  scope: FilterScope,
): string {
  const budget = new FilterBudget(scope)
  return filter ? conjunction(fields, filter as Record<string, unknown>, values, budget, 'filter', 0) : 'true'
}

/** Tells whether a filter can leave anything out: `{}`, `{ status: {} }` and `{ or: [{}] }` fit all. */
export function hasCondition(fields: FilterFields, filter: object): boolean {
  return Object.entries(filter).some(([key, condition]: [string, unknown]) => {
    if (condition === undefined || condition === null) return false
    if (key === 'and') return (condition as object[]).some((part) => hasCondition(fields, part))
    if (key === 'or') {
      const parts = condition as object[]
      return parts.length > 0 && parts.every((part) => hasCondition(fields, part))
    }
    const field = Object.hasOwn(fields, key) ? fields[key]! : undefined
    if (field?.kind === 'search') return true
    if (field?.kind === 'nested') return hasCondition(field.fields, condition)
    if (field?.kind === 'json') return (condition as Comparison[]).some((part) => isComparing(part))
    return isComparing(condition)
  })
}

const isComparing = (comparison: object): boolean =>
  Object.entries(comparison).some(([operator, value]) => operator !== 'path' && value !== undefined)

function conjunction(
  fields: FilterFields,
  filter: Record<string, unknown>,
  values: unknown[],
  budget: FilterBudget,
  path: string,
  depth: number,
): string {
  budget.takeGroup(path, depth)
  const terms: string[] = []
  for (const [key, condition] of Object.entries(filter)) {
    if (condition === undefined || condition === null) continue
    const at = `${path}.${key}`
    if (key === 'and' || key === 'or') {
      const parts = (condition as Record<string, unknown>[]).map((part, index) =>
        conjunction(fields, part, values, budget, `${at}[${index}]`, depth + 1),
      )
      if (parts.length) terms.push(`(${parts.join(key === 'and' ? ' and ' : ' or ')})`)
      continue
    }
    const field = Object.hasOwn(fields, key) ? fields[key]! : undefined
    if (!field) throw new BadUserInput(at, `${at} is not a filterable field`)
    if (field.kind === 'search') {
      budget.takeCondition()
      terms.push(
        isFoundSql(searchFor(field.search, budget.scope), searchQuery(condition, at, values), budget.scope.tenant),
      )
    } else if (field.kind === 'nested') {
      const inner = conjunction(field.fields, condition as Record<string, unknown>, values, budget, at, depth + 1)
      terms.push(field.sql.replace('{}', () => inner))
    } else if (field.kind === 'json') {
      const parts = condition as (Comparison & { path: string })[]
      terms.push(...parts.map((part, index) => jsonTerm(field.sql, part, values, budget, `${at}[${index}]`)))
    } else {
      terms.push(...comparisons(field, condition as Comparison, values, budget, at))
    }
  }
  return terms.length ? `(${terms.join(' and ')})` : 'true'
}

/** Returns the operators of one field with their operands, after counting and checking each. */
function operandsOf(comparison: Comparison, budget: FilterBudget, at: string): [operator: string, value: unknown][] {
  const operands = Object.entries(comparison).filter(([, value]) => value !== undefined)
  for (const [operator, value] of operands) budget.takeOperand(operator, value, `${at}.${operator}`)
  return operands
}

function comparisons(
  field: ComparedField,
  comparison: Comparison,
  values: unknown[],
  budget: FilterBudget,
  at: string,
): string[] {
  return operandsOf(comparison, budget, at).map(([operator, value]) => {
    if (field.kind === 'id' || field.kind === 'idArray') checkIds(value, `${at}.${operator}`)
    if (field.isCondition) {
      const holds = field.sql.replace('{caller}', () => budget.scope.caller())
      return conditionTerm(holds, operator, value)
    }
    if (field.via !== undefined)
      return viaTerm(field.via, term(field.sql, positive(operator), value, values, 'uuid'), operator, value)
    if (field.kind === 'orgPath') {
      return (
        orgPathTerm(field.sql, operator, value, values) ?? term(orgPathSql(field.sql), operator, value, values, 'text')
      )
    }
    return field.kind === 'textArray' || field.kind === 'idArray'
      ? arrayTerm(field.sql, operator, value, values, field.kind === 'idArray' ? 'uuid' : 'text')
      : term(field.sql, operator, value, values, CAST[field.kind as keyof typeof CAST])
  })
}

const CAST = { text: 'text', id: 'uuid', int: 'bigint', boolean: 'boolean', time: 'timestamptz' } as const

/** `ne` means that no row has the value; null means that there is no row at all. */
function viaTerm(via: string, inner: string, operator: string, value: unknown): string {
  if (value === null) return `${operator === 'eq' ? 'not ' : ''}${via.replace('{}', 'true')}`
  return `${operator === 'ne' ? 'not ' : ''}${via.replace('{}', () => inner)}`
}

function positive(operator: string): string {
  return operator === 'ne' ? 'eq' : operator
}

/** Builds the term of a condition itself, which an index may serve, rather than of its comparison; it is never null. */
function conditionTerm(holds: string, operator: string, value: unknown): string {
  if (value === null) return operator === 'eq' ? 'false' : 'true'
  return value === (operator === 'eq') ? `(${holds})` : `not (${holds})`
}

/** Refuses a malformed id, which would silently match nothing. */
function checkIds(value: unknown, at: string): void {
  for (const id of Array.isArray(value) ? value : [value]) {
    if (id !== null && !isId(id)) throw new BadUserInput(at, `${at} ${quoteValue(id)} is not an id`)
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

/** A condition on a list holds if any element matches; `ne` if none does. */
function arrayTerm(sql: string, operator: string, value: unknown, values: unknown[], cast: string): string {
  if (value === null) return `coalesce(cardinality(${sql}), 0) ${operator === 'ne' ? '>' : '='} 0`
  if (operator === 'eq') return `${sql} @> array[$${values.push(value)}::${cast}]`
  if (operator === 'ne') return `not coalesce(${sql} @> array[$${values.push(value)}::${cast}], false)`
  if (operator === 'in') return `${sql} && $${values.push(value)}::${cast}[]`
  return `exists (select 1 from unnest(${sql}) as element where ${term('element', operator, value, values, cast)})`
}

function jsonTerm(
  sql: string,
  { path, ...comparison }: Comparison & { path: string },
  values: unknown[],
  budget: FilterBudget,
  field: string,
): string {
  budget.takePath(path, `${field}.path`)
  const operands = operandsOf(comparison, budget, field)
  // PostgreSQL refuses a parameter that the statement does not use.
  if (operands.length === 0) return 'true'
  const at = `$${values.push(path.split('.'))}::text[]`
  const terms = operands.map(([operator, value]) => {
    const numeric = operator in ORDER_OPERATORS && NUMERIC.test(String(value))
    if (!numeric) return term(`(${sql} #>> ${at})`, operator, value, values, 'text')
    const number = `case when jsonb_typeof(${sql} #> ${at}) = 'number' then (${sql} #>> ${at})::numeric end`
    return term(`(${number})`, operator, value, values, 'numeric')
  })
  return `(${terms.join(' and ')})`
}

/** A number as all releases of PostgreSQL read it, within what `numeric` holds; JavaScript reads blanks and `0x10` as numbers too. */
const NUMERIC = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i

function escapeLike(value: unknown): string {
  return String(value).replace(/[\\%_]/g, '\\$&')
}
