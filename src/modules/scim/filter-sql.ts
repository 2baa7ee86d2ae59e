import { isId } from '../../platform/db/clock.js'
import { assertNever } from '../../platform/errors.js'
import { readBoolean, withoutSchema } from './attribute-names.js'
import { invalidFilter, parseFilter, type Filter } from './filter-ast.js'

/** A column by which resources are filtered. */
export interface FilterColumn {
  /** A column or an expression; for a constant its value, in small letters. */
  sql: string
  /** `id` and `exact` compare letter by letter, `text` in any case; a `constant` is the same of all. */
  kind: 'id' | 'exact' | 'text' | 'boolean' | 'constant'
}

/** The columns of a resource, by the names of their attributes in small letters. */
export type FilterColumns = Readonly<Record<string, FilterColumn>>

type Compare = Extract<Filter, { compValue: unknown }>

/**
 * Returns the condition of a filter in SQL, over these columns alone.
 * @param values gets the values, which the condition names by number @throws BadUserInput (`invalidFilter`)
 */
export function filterSql(text: unknown, columns: FilterColumns, values: unknown[]): string {
  return conditionOf(parseFilter(text), '')

  function conditionOf(filter: Filter, parent: string): string {
    switch (filter.op) {
      case 'and':
      case 'or':
        return `(${filter.filters.map((each) => conditionOf(each, parent)).join(` ${filter.op} `)})`
      case 'not':
        return `(not coalesce(${conditionOf(filter.filter, parent)}, false))`
      case '[]':
        return conditionOf(filter.valFilter, `${withoutSchema(filter.attrPath)}.`)
      case 'pr': {
        const { sql, kind } = columnOf(`${parent}${filter.attrPath}`)
        if (kind === 'constant') return 'true'
        return kind === 'exact' || kind === 'text' ? `(coalesce(${sql}, '') <> '')` : `(${sql} is not null)`
      }
      default:
        return comparison(filter, parent)
    }
  }

  function comparison(filter: Compare, parent: string): string {
    const path = `${parent}${filter.attrPath}`
    const { sql, kind } = columnOf(path)
    const { op, compValue: value } = filter
    if (kind === 'constant') {
      const isSame = String(value).toLowerCase() === sql
      if (op === 'eq') return String(isSame)
      if (op === 'ne') return String(!isSame)
      throw invalidFilter('filter', `${path} is compared by eq and ne`)
    }
    if (value === null) {
      if (op === 'eq') return `(${sql} is null)`
      if (op === 'ne') return `(${sql} is not null)`
      throw invalidFilter('filter', `${op} needs a value`)
    }
    if (kind === 'boolean') {
      const wanted = readBoolean(value, path, 'invalidFilter')
      if (op === 'eq') return `(${sql} = $${values.push(wanted)})`
      if (op === 'ne') return `(${sql} <> $${values.push(wanted)})`
      throw invalidFilter('filter', `${path} is compared by eq and ne`)
    }
    if (typeof value !== 'string') throw invalidFilter('filter', `${path} is compared with a text`)
    // An index finds it.
    if (kind === 'id' && op === 'eq') return isId(value) ? `(${sql} = $${values.push(value)}::uuid)` : 'false'
    const isAnyCase = kind === 'text'
    const column = isAnyCase ? `lower(${sql})` : kind === 'id' ? `${sql}::text` : sql
    const given = `$${values.push(kind === 'id' ? value.toLowerCase() : value)}::text`
    const term = isAnyCase ? `lower(${given})` : given
    switch (op) {
      case 'eq':
        return `(${column} = ${term})`
      case 'ne':
        return `(${column} is distinct from ${term})`
      case 'co':
        return `(position(${term} in ${column}) > 0)`
      case 'sw':
        return `starts_with(${column}, ${term})`
      case 'ew':
        return `(right(${column}, length(${term})) = ${term})`
      case 'gt':
        return `(${column} > ${term})`
      case 'ge':
        return `(${column} >= ${term})`
      case 'lt':
        return `(${column} < ${term})`
      case 'le':
        return `(${column} <= ${term})`
      default:
        return assertNever(op)
    }
  }

  function columnOf(path: string): FilterColumn {
    const name = withoutSchema(path).toLowerCase()
    if (Object.hasOwn(columns, name)) return columns[name]!
    throw invalidFilter('filter', `${path.slice(0, 100)} is none of ${Object.keys(columns).join(', ')}`)
  }
}
