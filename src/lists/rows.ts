import type { Context, LoaderDefinition } from '../context.js'
import { isId } from '../db/clock.js'
import { tenantSql } from '../db/tenancy.js'

const camelNames = new Map<string, string>()

/** A row as the interface names it: `created_at` becomes `createdAt`. Columns are ours, so the map is bounded. */
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

/** Batched loading of a tenant-owned table's rows by id, within the caller's tenants. */
export function rowLoader<Row extends { id: string }>(table: string): LoaderDefinition<Row> {
  return { load: (ctx, ids) => rowsById<Row>(ctx, table, ids) }
}

export async function rowsById<Row extends { id: string }>(
  ctx: Context,
  table: string,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const values: unknown[] = [ids.filter(isId)]
  const tenant = tenantSql(ctx.tenant, 't', values)
  const rows = await ctx.database.query<Record<string, unknown>>(
    `select t.* from ${table} t where t.id = any($1::uuid[]) and ${tenant}`,
    values,
  )
  return new Map(rows.map((row) => [row.id as string, camelRow<Row>(row)]))
}
