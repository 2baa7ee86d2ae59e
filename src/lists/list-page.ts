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
  /** What is read with its rows, whose alias is `t`. */
  embeds?: Embeds
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
  const terms = orderTerms(list.fields, request.orderBy?.length ? request.orderBy : list.defaultOrder)
  const values: unknown[] = []
  const conditions = [
    (list.visible ?? tenantSql)(ctx.tenant, 't', values),
    whereSql(list.fields, request.filter, values, (alias) => tenantSql(ctx.tenant, alias, values)),
  ]
  if (request.restrict) conditions.push(request.restrict(values))
  const countValues = [...values]
  const countConditions = [...conditions]
  if (args.after != null) conditions.push(keysetSql(terms, readCursor(args.after, 'after', terms), values, false))
  if (args.before != null) conditions.push(keysetSql(terms, readCursor(args.before, 'before', terms), values, true))

  const order = orderSql(terms, backward)
  const keys = terms.map(({ sql }, index) => `${sql} as "~${index}"`).join(', ')
  const projected = request.info ? (list.projection?.of(request.info, 'edges', 'node') ?? null) : null
  const { embeds } = list
  const embedded = embeds && request.info ? embeddedColumns(embeds, ctx, request.info, ['edges', 'node'], values) : ''
  const columns = (projected ?? list.columns ?? 't.*') + embedded
  const found = `from ${list.table} t where ${conditions.join(' and ')} order by ${order} limit ${limit + 1}`
  const text = args.offset
    ? `select ${columns}, ${keys} from ${list.table} t where t.id in (select t.id ${found} offset ${args.offset}) ` +
      `order by ${order}`
    : `select ${columns}, ${keys} ${found}`
  const name = isShapedByUs(request) ? statementName(text) : undefined
  const rows = await ctx.reads.query<Record<string, unknown>>(text, values, name)
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

/**
 * Cursors are written for who asks: most pages are asked for one of them. A class and not an object with a getter: V8
 * gives each such object a hidden class of its own, which keeps the object, and all of its page, until the next full
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
