import { LockMode, type EntityClass, type EntityManager } from '@mikro-orm/postgresql'
import type { Context } from '../context.js'
import { isId } from '../db/clock.js'
import type { TenantEntity } from '../db/tenancy.js'
import { NotFound, quoteValue } from '../errors.js'
import { requireVersion } from './record-version.js'

export interface FetchOptions {
  /** The input field of the id, for the message. */
  field?: string
  /** Entity manager to read with: a transaction's if the record will be changed. */
  em?: EntityManager
  /** Locks the row until the end of the transaction. */
  lock?: boolean
  /** The version that the record must have; for a change, under the lock. */
  ifVersion?: number | null
}

/**
 * Reads one record within the caller's tenants.
 * @throws NotFound for an invalid id, a missing record and one of another tenant alike, so that they cannot be distinguished
 *   apart; ChangedMeanwhile for another version than `ifVersion`
 */
export async function fetchRecord<T extends TenantEntity>(
  ctx: Context,
  entity: EntityClass<T> & { name: string },
  id: string,
  { field, em = ctx.em, lock = false, ifVersion }: FetchOptions = {},
): Promise<T> {
  const found = isId(id)
    ? await em.findOne(entity, { id } as never, lock ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {})
    : null
  if (!found) throw recordNotFound(entity.name, id, field)
  requireVersion(entity.name, found as T, ifVersion)
  return found as T
}

/** @throws NotFound naming the first id that was not found; see {@link fetchRecord} */
export async function fetchRecords<T extends TenantEntity>(
  ctx: Context,
  entity: EntityClass<T> & { name: string },
  ids: readonly string[],
  { field, em = ctx.em }: FetchOptions = {},
): Promise<T[]> {
  const found = await em.find(entity, { id: { $in: ids.filter(isId) } } as never)
  const byId = new Map(found.map((record) => [record.id, record as T]))
  return ids.map((id, index) => {
    const record = byId.get(id)
    if (!record) throw recordNotFound(entity.name, id, field && `${field}[${index}]`)
    return record
  })
}

/** Says of an id that can be none's that it is malformed; of all others the same. */
export function recordNotFound(name: string, id: string, field?: string): NotFound {
  const given = { ...(field && { field }) }
  const message = `${field ? `${field}: ` : ''}${name} ${quoteValue(id)} not found`
  if (isId(id)) return new NotFound(message, given)
  return new NotFound(`${message}: the id is malformed, it must be a UUID`, { ...given, reason: 'MALFORMED_ID' })
}
