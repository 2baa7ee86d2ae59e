import { LockMode, type EntityClass, type EntityManager } from '@mikro-orm/postgresql'
import type { Context } from '../context.js'
import { isId } from '../db/clock.js'
import type { TenantEntity } from '../db/tenancy.js'
import { NotFound, quoteValue } from '../errors.js'

interface Options {
  /** The input field of the id, for the message. */
  field?: string
  /** Entity manager to read with: a transaction's if the record will be changed. */
  em?: EntityManager
  /** Locks the row until the end of the transaction. */
  lock?: boolean
}

/**
 * Reads one record within the caller's tenants.
 * @throws NotFound for an invalid id, a missing record and one of another tenant alike, so that they cannot be distinguished
 *   apart
 */
export async function fetchRecord<T extends TenantEntity>(
  ctx: Context,
  entity: EntityClass<T> & { name: string },
  id: string,
  { field, em = ctx.em, lock = false }: Options = {},
): Promise<T> {
  const found = isId(id)
    ? await em.findOne(entity, { id } as never, lock ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {})
    : null
  if (!found) throw new NotFound(notFoundMessage(entity.name, id, field))
  return found as T
}

/** @throws NotFound naming the first id that was not found; see {@link fetchRecord} */
export async function fetchRecords<T extends TenantEntity>(
  ctx: Context,
  entity: EntityClass<T> & { name: string },
  ids: readonly string[],
  { field, em = ctx.em }: Options = {},
): Promise<T[]> {
  const found = await em.find(entity, { id: { $in: ids.filter(isId) } } as never)
  const byId = new Map(found.map((record) => [record.id, record as T]))
  return ids.map((id, index) => {
    const record = byId.get(id)
    if (!record) throw new NotFound(notFoundMessage(entity.name, id, field && `${field}[${index}]`))
    return record
  })
}

function notFoundMessage(name: string, id: string, field: string | undefined): string {
  return `${field ? `${field}: ` : ''}${name} ${quoteValue(id)} not found`
}
