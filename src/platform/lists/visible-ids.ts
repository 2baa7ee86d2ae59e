import type { Context } from '../context.js'
import { isId } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { lineageSql, tenantSql, type OrganizationPath, type TenantScope, type VisibleSql } from '../db/tenancy.js'
import { recordNotFound } from './fetch-record.js'

/** An id of a client's input, and its path there: `rules[0].event.params.channels[1]`. */
export interface NamedId {
  id: string
  field: string
}

interface Options {
  /** Name of the record in the message: `User`. */
  name: string
  /** A tenant-owned table; never from a client. */
  table: string
  /** Path to keep to: if given, only records of an organization on this path or below its end count. */
  path?: OrganizationPath
  /** The scope to check; default: the caller's. */
  scope?: TenantScope
  /** Rows that the scope sees; default: those of its tenants. */
  visible?: VisibleSql
}

/**
 * Checks in one statement that the caller, or another scope, sees every record that an input names.
 * @returns the ids in the database's form, in the order given
 * @throws NotFound naming the field of the first that does not exist, is not visible or not in the path's lineage
 */
export async function requireVisible(
  ctx: Context,
  sql: Sql,
  named: readonly NamedId[],
  { name, table, path, scope = ctx.tenant, visible = tenantSql }: Options,
): Promise<string[]> {
  if (named.length === 0) return []
  const values: unknown[] = [[...new Set(named.map(({ id }) => id).filter(isId))]]
  const conditions = [visible(scope, 't', values)]
  if (path) conditions.push(lineageSql(path, 't', values))
  const rows = await sql.query<{ id: string }>(
    `select t.id from ${table} t where t.id = any($1::uuid[]) and ${conditions.join(' and ')}`,
    values,
  )
  const found = new Set(rows.map(({ id }) => id))
  return named.map(({ id, field }) => {
    const written = id.toLowerCase()
    if (!found.has(written)) throw recordNotFound(name, id, field)
    return written
  })
}
