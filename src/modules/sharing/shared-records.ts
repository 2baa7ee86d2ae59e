import type { EntityClass } from '@mikro-orm/postgresql'
import type { Context, LoaderDefinition } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { isWithin, type TenantEntity, type VisibleSql } from '../../platform/db/tenancy.js'
import { Forbidden, NotFound } from '../../platform/errors.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { fetchRecord, recordNotFound } from '../../platform/lists/fetch-record.js'
import { camelRow } from '../../platform/lists/rows.js'

/** A resource that organizations share by tags (4.3): articles, files, locations, forms. */
export interface SharedResource<T extends TenantEntity> {
  entity: EntityClass<T> & { name: string }
  table: string
  visible: VisibleSql
}

/** Reads a record of the caller's tenants, or one shared with the caller's organization. @throws NotFound */
export async function fetchShared<T extends TenantEntity>(
  ctx: Context,
  resource: SharedResource<T>,
  id: string,
): Promise<T> {
  const found = (await readShared(ctx, ctx.reads, resource, [id])).get(id.toLowerCase())
  if (!found) throw recordNotFound(resource.entity.name, id)
  return found
}

/**
 * Locks a record of the caller's tenants for a change.
 * @param ifVersion the version that it must have
 * @throws NotFound; ChangedMeanwhile; Forbidden when another organization shares it with the caller's, which may only read it
 */
export async function fetchOwn<T extends TenantEntity>(
  ctx: Context,
  tx: WriteTx,
  resource: SharedResource<T>,
  id: string,
  ifVersion?: number | null,
): Promise<T> {
  try {
    return await fetchRecord(ctx, resource.entity, id, { em: tx.em, lock: true, ifVersion })
  } catch (error) {
    // The caller sees a shared record, so NotFound would be wrong.
    if (!(error instanceof NotFound) || !(await readShared(ctx, tx, resource, [id])).has(id.toLowerCase())) throw error
    throw new Forbidden(`${resource.entity.name} ${id} is shared by another organization: it can only be read`, {
      reason: 'SHARED_READ_ONLY',
    })
  }
}

/** Creates a loader of the records that the caller sees, including shared ones. */
export function sharedLoader<T extends TenantEntity>(resource: SharedResource<T>): LoaderDefinition<T> {
  return { load: (ctx, ids) => readShared(ctx, ctx.reads, resource, ids) }
}

/** Tells whether a record belongs to another organization and is shared with the caller's. */
export function isShared(ctx: Context, record: TenantEntity): boolean {
  return !isWithin(ctx.tenant, record)
}

async function readShared<T extends TenantEntity>(
  ctx: Context,
  sql: Sql,
  { table, visible }: SharedResource<T>,
  ids: readonly string[],
): Promise<Map<string, T>> {
  const values: unknown[] = [ids.filter(isId)]
  const rows = await sql.query<Record<string, unknown>>(
    `select t.* from ${table} t where t.id = any($1::uuid[]) and ${visible(ctx.tenant, 't', values)}`,
    values,
  )
  return new Map(rows.map((row) => [row.id as string, camelRow<T>(row)]))
}
