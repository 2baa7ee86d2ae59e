import { isAllowed } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { tenantSql } from '../../platform/db/tenancy.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { parseList } from '../../platform/input.js'
import type { Page } from '../../platform/lists/connection.js'
import { PAGE_DEFAULT, PAGE_MAX } from '../../platform/lists/list-page.js'
import { rowsById } from '../../platform/lists/rows.js'
import { searchFor, searchQuery } from '../../platform/lists/text-search.js'
import { SEARCH_TYPES, SEARCHED, type SearchType } from './search-result.js'

export interface SearchRequest {
  text: string
  /** Defaults to all types that the caller may list. */
  types?: readonly SearchType[] | null
  first?: number | null
  after?: string | null
}

interface PageRequest {
  types: readonly SearchType[]
  text: string
  limit: number
  after: string | null
}

interface Found {
  type: SearchType
  id: string
}

/**
 * Finds conversations, messages and contacts that match, newest first, within the caller's tenants, by the rules of `q`
 * in their lists. One statement for a page of ids, one for the records of each type; a count only if requested.
 * @throws BadUserInput; Forbidden for a type that the caller may not list
 */
export async function search(ctx: Context, request: SearchRequest): Promise<Page<object>> {
  const types = typesOf(ctx, request.types)
  const limit = pageLength(request.first)
  const after = readCursor(request.after)
  const found = await readPage(ctx, { types, text: request.text, limit: limit + 1, after })
  const page = found.slice(0, limit)
  const records = await recordsOf(ctx, page)
  // Records deleted between the two statements are skipped.
  const edges = page.flatMap(({ id }) => {
    const node = records.get(id)
    return node ? [{ cursor: writeCursor(id), node }] : []
  })
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > limit,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: page.length > 0 ? writeCursor(page.at(-1)!.id) : null,
    },
    totalCount: () => count(ctx, types, request.text),
  }
}

function typesOf(ctx: Context, asked: readonly SearchType[] | null | undefined): SearchType[] {
  if (!asked) return SEARCH_TYPES.filter((type) => isAllowed(ctx.caller, SEARCHED[type].permission))
  parseList(asked, 'types', SEARCH_TYPES.length)
  if (asked.length === 0) throw new BadUserInput('types', 'types must name at least one type')
  for (const type of asked) ctx.require(SEARCHED[type].permission)
  return [...new Set(asked)]
}

function pageLength(first: number | null | undefined): number {
  const length = first ?? PAGE_DEFAULT
  if (length < 1 || length > PAGE_MAX)
    throw new BadUserInput('first', `first must be from 1 to ${PAGE_MAX}, not ${length}`)
  return length
}

/**
 * Ids of all tables are in time order, so they give the overall order. The index is only used for types whose newest
 * rows do not fill the page.
 */
function readPage(ctx: Context, { types, text, limit, after }: PageRequest): Promise<Found[]> {
  const values: unknown[] = []
  const query = searchQuery(text, 'text', values)
  const tenant = (alias: string): string => tenantSql(ctx.tenant, alias, values)
  const beyond = after === null ? 'true' : `t.id < $${values.push(after)}`
  const newest = types.map(
    (type) => `${type}_newest as materialized (
    ${searchFor(SEARCHED[type].search, ctx).newest(query, tenant, beyond)} limit ${limit})`,
  )
  // `offset 0`: otherwise the planner, which cannot know how rare a word is, would scan the table.
  const branches = types.map(
    (type) => `select '${type}' as type, id from ${type}_newest union
    (select distinct '${type}', t.id from (${searchFor(SEARCHED[type].search, ctx).all(query, tenant)} offset 0) t
     where (select count(*) from ${type}_newest) < ${limit} and ${beyond} order by t.id desc limit ${limit})`,
  )
  const statement = `with ${newest.join(', ')} select * from (${branches.join(' union ')}) found
    order by id desc limit ${limit}`
  return ctx.lists.query<Found>(statement, values)
}

async function count(ctx: Context, types: readonly SearchType[], text: string): Promise<number> {
  const values: unknown[] = []
  const query = searchQuery(text, 'text', values)
  const tenant = (alias: string): string => tenantSql(ctx.tenant, alias, values)
  const branches = types.map((type) => {
    return `(select count(distinct id) from (${searchFor(SEARCHED[type].search, ctx).all(query, tenant)}) found)`
  })
  const [row] = await ctx.lists.query<{ count: number }>(`select ${branches.join(' + ')} as count`, values)
  return row!.count
}

async function recordsOf(ctx: Context, page: readonly Found[]): Promise<Map<string, object>> {
  const records = new Map<string, object>()
  const byType = [...Map.groupBy(page, ({ type }) => type)]
  await Promise.all(
    byType.map(async ([type, found]) => {
      const { table, typeName } = SEARCHED[type]
      const rows = await rowsById<{ id: string }>(
        ctx,
        table,
        found.map(({ id }) => id),
      )
      for (const [id, row] of rows) records.set(id, Object.assign(row, { __typename: typeName }))
    }),
  )
  return records
}

function writeCursor(id: string): string {
  return Buffer.from(id).toString('base64url')
}

function readCursor(cursor: string | null | undefined): string | null {
  if (cursor == null) return null
  const id = Buffer.from(cursor, 'base64url').toString()
  if (!isId(id)) throw new BadUserInput('after', `after ${quoteValue(cursor)} is not a cursor of this search`)
  return id
}
