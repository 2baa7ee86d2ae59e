import type { GraphQLResolveInfo } from 'graphql'
import type { Context, LoaderDefinition } from '../context.js'
import { isId } from '../db/clock.js'
import { statementName } from '../db/statement-names.js'
import { tenantSql } from '../db/tenancy.js'
import { projectedLoaders, type Projection } from './projection.js'

const camelNames = new Map<string, string>()

/**
 * Renames a row's columns as in the interface: `created_at` becomes `createdAt`. Clients cannot add columns, so the map
 * is bounded.
 */
export function camelRow<Row extends object>(row: Record<string, unknown>): Row {
  const result: Record<string, unknown> = {}
  for (const column in row) {
    let name = camelNames.get(column)
    if (name === undefined) {
      name = column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
      camelNames.set(column, name)
    }
    result[name] = row[column]
  }
  return result as Row
}

/**
 * Creates a batching loader of a tenant-owned table's rows by id, within the caller's tenants.
 * @param columns as of {@link rowsById}
 */
export function rowLoader<Row extends { id: string }>(table: string, columns?: string): LoaderDefinition<Row> {
  return { load: (ctx, ids) => rowsById<Row>(ctx, table, ids, columns) }
}

/** Loads the records of these ids, in their order, without those that the caller does not see. */
export async function loadFound<V extends object>(
  ctx: Context,
  definition: LoaderDefinition<V>,
  ids: readonly string[],
): Promise<V[]> {
  const loader = ctx.loader(definition)
  const loaded = await Promise.all(ids.map((id) => loader.load(id)))
  return loaded.filter((record) => record !== null)
}

/**
 * Creates the same loader for the columns that the field's operation selects. The projection's alias is `t`, and it
 * reads the id.
 */
export function projectedRowLoaders<Row extends { id: string }>(
  table: string,
  projection: Projection,
): (info: GraphQLResolveInfo) => LoaderDefinition<Row> {
  return projectedLoaders(projection, (columns) => ({ load: (ctx, ids) => rowsById<Row>(ctx, table, ids, columns) }))
}

/** @param columns a projection's select list or a `propertyList`; all columns when null, without a prepared statement */
export async function rowsById<Row extends { id: string }>(
  ctx: Context,
  table: string,
  ids: readonly string[],
  columns: string | null = null,
): Promise<Map<string, Row>> {
  const values: unknown[] = [ids.filter(isId)]
  const tenant = tenantSql(ctx.tenant, 't', values)
  const text = `select ${columns ?? 't.*'} from ${table} t where t.id = any($1::uuid[]) and ${tenant}`
  const rows = await ctx.reads.query<Record<string, unknown>>(text, values, statementName(text))
  return new Map(rows.map((row) => [row.id as string, rowOf<Row>(row, columns)]))
}

/** Converts a row that was read with a projection's select list, or with all columns when that is null. */
export function rowOf<Row extends object>(row: Record<string, unknown>, columns: string | null): Row {
  return columns === null ? camelRow<Row>(row) : (row as Row)
}
