import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.js'
import { statementName } from '../db/statement-names.js'
import { tenantSql, type VisibleSql } from '../db/tenancy.js'
import { BadUserInput } from '../errors.js'
import type { ConnectionArgs, Edge, OrderTerm, Page, PageInfo } from './connection.js'
import { embeddedColumns, type Embeds } from './embedded.js'
import type { FilterFields } from './filters.js'
import { keysetSql, orderSql, orderTerms, readCursor, writeCursor } from './keyset.js'
import type { Projection } from './projection.js'
import { countRows } from './row-count.js'
import { rowOf } from './rows.js'
import { selectionOfRecords } from './selection.js'
import { whereSql } from './where.js'
import { filterScope } from './filter-scope.js'

export const PAGE_DEFAULT = 30
export const PAGE_MAX = 100
const OFFSET_MAX = 10_000_000

/** A list of a tenant-owned table. */
export interface ListDefinition {
  table: string
  fields: FilterFields
  /** Order without `orderBy`. The id is always the last term. */
  defaultOrder: OrderTerm[]
  /** Columns to read; default: all columns of the table. */
  columns?: string
  /** Reads only requested columns; its alias is `t`. */
  projection?: Projection
  /** Values read together with its rows, whose alias is `t`. */
  embeds?: Embeds
  /** Rows that a caller sees; default: those of its tenants. */
  visible?: VisibleSql
}

export interface ListRequest {
  args: ConnectionArgs
  filter?: object | null
  orderBy?: OrderTerm[] | null
  /** A further condition of the resolver over alias `t`; pushes its values. */
  restrict?: (values: unknown[]) => string
  /** Info of the field that returns the page, for the list's projection. */
  info?: GraphQLResolveInfo
}

/**
 * Reads one page, keyset-paged, within the caller's tenants. One SQL statement; `totalCount` takes another on request.
 * Rows are plain objects with camelCase keys; their sort keys are named `~0` and so on.
 * @throws BadUserInput for an invalid page length, cursor, filter or order
 */
export async function listPage<Row extends object>(
  ctx: Context,
  list: ListDefinition,
  request: ListRequest,
): Promise<Page<Row>> {
  const { args } = request
  const backward = args.last != null
  const limit = pageLength(args)
  if (ctx.mask) refuseShowingOrder(list.fields, request.orderBy ?? [])
  const terms = orderTerms(list.fields, request.orderBy?.length ? request.orderBy : list.defaultOrder)
  const values: unknown[] = []
  const conditions = [
    (list.visible ?? tenantSql)(ctx.tenant, 't', values),
    whereSql(list.fields, request.filter, values, filterScope(ctx, values)),
  ]
  if (request.restrict) conditions.push(request.restrict(values))
  const countValues = [...values]
  const countConditions = [...conditions]
  if (args.after != null) conditions.push(keysetSql(terms, readCursor(args.after, 'after', terms), values, false))
  if (args.before != null) conditions.push(keysetSql(terms, readCursor(args.before, 'before', terms), values, true))

  const order = orderSql(terms, backward)
  const keys = terms.map(({ sql }, index) => `${sql} as "~${index}"`).join(', ')
  const projected = request.info ? (list.projection?.of(request.info, selectionOfRecords) ?? null) : null
  const { embeds } = list
  const embedded = embeds && request.info ? embeddedColumns(embeds, ctx, request.info, selectionOfRecords, values) : ''
  const columns = (projected ?? list.columns ?? 't.*') + embedded
  const found = `from ${list.table} t where ${conditions.join(' and ')} order by ${order} limit ${limit + 1}`
  const text = args.offset
    ? `select ${columns}, ${keys} from ${list.table} t where t.id in (select t.id ${found} offset ${args.offset}) ` +
      `order by ${order}`
    : `select ${columns}, ${keys} ${found}`
  const name = isShapedByUs(request) ? statementName(text) : undefined
  const rows = await ctx.lists.query<Record<string, unknown>>(text, values, name)
  const more = rows.length > limit
  if (more) rows.length = limit
  if (backward) rows.reverse()
  const edges = rows.map((row) => new RowEdge(rowOf<Row>(row, projected), row))
  return {
    edges,
    pageInfo: new RowPageInfo(edges, {
      hasNextPage: backward ? args.before != null : more,
      hasPreviousPage: backward ? more : args.after != null || Boolean(args.offset),
    }),
    totalCount: () => countRows(ctx, `${list.table} t where ${countConditions.join(' and ')}`, countValues),
  }
}

/** Refuses a caller for whom texts are masked the order by one: cursors have the values that they follow. @throws BadUserInput */
function refuseShowingOrder(fields: FilterFields, orderBy: readonly OrderTerm[]): void {
  for (const [index, { field }] of orderBy.entries()) {
    const known = Object.hasOwn(fields, field) ? fields[field] : undefined
    if (known?.kind !== 'text' || known.values) continue
    const message = `orderBy[${index}].field: texts are masked for the bot, and an order by ${field} would show them`
    throw new BadUserInput(`orderBy[${index}].field`, message)
  }
}

/**
 * Cursors are computed on demand: most pages use one of them. A class rather than an object with a getter: V8 gives
 * each such object a hidden class of its own, which keeps the object and its whole page alive until the next full
 * collection.
 */
class RowEdge<Row> implements Edge<Row> {
  readonly #sortKeys: Record<string, unknown>

  constructor(
    readonly node: Row,
    row: Record<string, unknown>,
  ) {
    this.#sortKeys = row
  }

  get cursor(): string {
    const keys: unknown[] = []
    for (let index = 0; `~${index}` in this.#sortKeys; index++) keys.push(this.#sortKeys[`~${index}`])
    return writeCursor(keys)
  }
}

class RowPageInfo implements PageInfo {
  readonly #edges: readonly RowEdge<unknown>[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean

  constructor(edges: readonly RowEdge<unknown>[], more: Pick<PageInfo, 'hasNextPage' | 'hasPreviousPage'>) {
    this.#edges = edges
    this.hasNextPage = more.hasNextPage
    this.hasPreviousPage = more.hasPreviousPage
  }

  get startCursor(): string | null {
    return this.#edges[0]?.cursor ?? null
  }

  get endCursor(): string | null {
    return this.#edges.at(-1)?.cursor ?? null
  }
}

/** Tells whether the statement's text depends on the client by the page length and one sort field only. */
function isShapedByUs({ args, filter, orderBy, restrict }: ListRequest): boolean {
  return !filter && !restrict && !args.offset && (orderBy?.length ?? 0) <= 1
}

function pageLength(args: ConnectionArgs): number {
  if (args.first != null && args.last != null) throw new BadUserInput('last', 'first and last cannot both be given')
  const field = args.last != null ? 'last' : 'first'
  const length = args.last ?? args.first ?? PAGE_DEFAULT
  if (length < 1 || length > PAGE_MAX) {
    throw new BadUserInput(field, `${field} must be from 1 to ${PAGE_MAX}, not ${length}`)
  }
  if (args.offset != null && (args.offset < 0 || args.offset > OFFSET_MAX)) {
    throw new BadUserInput('offset', `offset must be from 0 to ${OFFSET_MAX}, not ${args.offset}`)
  }
  return length
}
