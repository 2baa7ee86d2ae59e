import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.js'
import { statementName } from '../db/statement-names.js'
import { tenantSql, type VisibleSql } from '../db/tenancy.js'
import { BadUserInput, shown } from '../errors.js'
import { OrderDirection, type ConnectionArgs, type OrderTerm, type Page } from './connection.js'
import { isSortable, type FilterFields } from './filters.js'
import type { Projection } from './projection.js'
import { rowOf } from './rows.js'
import { whereSql } from './where.js'

export const PAGE_DEFAULT = 30
export const PAGE_MAX = 100
const OFFSET_MAX = 10_000_000

/** A list of a tenant-owned table. */
export interface ListDefinition {
  table: string
  fields: FilterFields
  /** Without `orderBy`. The id is always the last term. */
  defaultOrder: OrderTerm[]
  /** Columns to read; all of the table's when absent. */
  columns?: string
  /** Reads what is asked for only; its alias is `t`. */
  projection?: Projection
  /** What a caller sees of the table; the rows of its tenants when absent. */
  visible?: VisibleSql
}

export interface ListRequest {
  args: ConnectionArgs
  filter?: object | null
  orderBy?: OrderTerm[] | null
  /** A condition of the resolver's own over alias `t`; push its values. */
  restrict?: (values: unknown[]) => string
  /** Of the field that returns the page, for the list's projection. */
  info?: GraphQLResolveInfo
}

interface Term {
  sql: string
  descending: boolean
}

/**
 * Reads one page, keyset-paged, within the caller's tenants. One SQL statement; `totalCount` is a second one when asked.
 * Rows are plain objects with camelCase keys, and their sort keys as `~0` and so on.
 * @throws BadUserInput for a bad page length, cursor, filter or order.
 */
export async function listPage<Row extends object>(
  ctx: Context,
  list: ListDefinition,
  request: ListRequest,
): Promise<Page<Row>> {
  const { args } = request
  const backward = args.last != null
  const limit = pageLength(args)
  const terms = orderTerms(list, request.orderBy?.length ? request.orderBy : list.defaultOrder)
  const values: unknown[] = []
  const conditions = [
    (list.visible ?? tenantSql)(ctx.tenant, 't', values),
    whereSql(list.fields, request.filter, values, (alias) => tenantSql(ctx.tenant, alias, values)),
  ]
  if (request.restrict) conditions.push(request.restrict(values))
  const countValues = [...values]
  const countConditions = [...conditions]
  if (args.after != null) conditions.push(keyset(terms, readCursor(args.after, 'after', terms), values, false))
  if (args.before != null) conditions.push(keyset(terms, readCursor(args.before, 'before', terms), values, true))

  const order = terms.map(({ sql, descending }) => `${sql} ${descending !== backward ? 'desc' : 'asc'}`).join(', ')
  const keys = terms.map(({ sql }, index) => `${sql} as "~${index}"`).join(', ')
  const offset = args.offset ? ` offset ${args.offset}` : ''
  const projected = request.info ? (list.projection?.of(request.info, 'edges', 'node') ?? null) : null
  const text = `select ${projected ?? list.columns ?? 't.*'}, ${keys} from ${list.table} t ` +
    `where ${conditions.join(' and ')} order by ${order} limit ${limit + 1}${offset}`
  const name = isShapedByUs(request) ? statementName(text) : undefined
  const rows = await ctx.database.query<Record<string, unknown>>(text, values, name)
  const more = rows.length > limit
  if (more) rows.length = limit
  if (backward) rows.reverse()
  // Cursors are written for who asks: most pages are asked for one of them.
  const edges = rows.map((row) => ({
    node: rowOf<Row>(row, projected),
    get cursor() {
      return writeCursor(terms.map((_, index) => row[`~${index}`]))
    },
  }))
  return {
    edges,
    pageInfo: {
      hasNextPage: backward ? args.before != null : more,
      hasPreviousPage: backward ? more : args.after != null || Boolean(args.offset),
      get startCursor() {
        return edges[0]?.cursor ?? null
      },
      get endCursor() {
        return edges.at(-1)?.cursor ?? null
      },
    },
    totalCount: async () => {
      const counted = await ctx.database.query<{ count: number }>(
        `select count(*) as count from ${list.table} t where ${countConditions.join(' and ')}`,
        countValues,
      )
      return counted[0]!.count
    },
  }
}

/** All but a client's page length and one field to sort by. */
function isShapedByUs({ args, filter, orderBy, restrict }: ListRequest): boolean {
  return !filter && !restrict && !args.offset && (orderBy?.length ?? 0) <= 1
}

function pageLength(args: ConnectionArgs): number {
  if (args.first != null && args.last != null) throw new BadUserInput('last', 'give first or last, not both')
  const field = args.last != null ? 'last' : 'first'
  const length = args.last ?? args.first ?? PAGE_DEFAULT
  if (length < 1 || length > PAGE_MAX) {
    throw new BadUserInput(field, `${field} ${length} is not from 1 to ${PAGE_MAX}`)
  }
  if (args.offset != null && (args.offset < 0 || args.offset > OFFSET_MAX)) {
    throw new BadUserInput('offset', `offset ${args.offset} is not from 0 to ${OFFSET_MAX}`)
  }
  return length
}

function orderTerms(list: ListDefinition, orderBy: OrderTerm[]): Term[] {
  const terms = orderBy.map(({ field, direction }, index) => {
    const known = Object.hasOwn(list.fields, field) ? list.fields[field]! : undefined
    if (!known || !isSortable(known)) {
      throw new BadUserInput(`orderBy[${index}].field`, `${shown(field)} is not a field to sort by`)
    }
    return { sql: known.sql, descending: direction === OrderDirection.DESC }
  })
  if (terms.length > 5) throw new BadUserInput('orderBy', 'orderBy holds more than 5 terms')
  // The id makes the order total; it follows the direction of the first term, so that one index can serve both.
  return terms.some(({ sql }) => sql === 't.id') ? terms : [...terms, { sql: 't.id', descending: terms[0]?.descending ?? false }]
}

/** The rows past a cursor, in the order's own terms; ascending puts nulls last, descending first. */
function keyset(terms: Term[], cursor: unknown[], values: unknown[], reverse: boolean): string {
  const alternatives: string[] = []
  const equals: string[] = []
  terms.forEach(({ sql, descending }, index) => {
    const value = cursor[index] ?? null
    const parameter = value === null ? 'null' : `$${values.push(value)}`
    const down = descending !== reverse
    const beyond =
      value === null ? (down ? `${sql} is not null` : 'false') : down ? `${sql} < ${parameter}` : `(${sql} > ${parameter} or ${sql} is null)`
    alternatives.push(`(${[...equals, beyond].join(' and ')})`)
    equals.push(value === null ? `${sql} is null` : `${sql} = ${parameter}`)
  })
  return `(${alternatives.join(' or ')})`
}

function writeCursor(values: unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

function readCursor(cursor: string, field: string, terms: Term[]): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(values) && values.length === terms.length && values.every(isScalar)) return values
  } catch {
    // Falls through to the one message.
  }
  throw new BadUserInput(field, `${field} ${shown(cursor)} is not a cursor of this list`)
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
