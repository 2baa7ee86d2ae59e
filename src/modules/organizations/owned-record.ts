import type { EntityClass, FilterQuery, RequiredEntityData } from '@mikro-orm/core'
import type { Context } from '../../platform/context.js'
import { pathOf, tenantColumns, type OrganizationPath, type TenantEntity } from '../../platform/db/tenancy.js'
import { Unprocessable } from '../../platform/errors.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { Organization } from './organization.js'

/** Columns that {@link insertOwned} fills in. */
export type MadeHere = 'organizationId' | 'org1' | 'org2' | 'org3' | 'createdAt' | 'updatedAt' | 'version'

/**
 * Reads the path of the organization that a new record belongs to: the named one, otherwise the caller's.
 * @throws NotFound naming `organization`
 */
export async function owningPath(
  ctx: Context,
  { em }: WriteTx,
  organization: string | null | undefined,
): Promise<OrganizationPath> {
  const owner = organization ?? ctx.caller.organization
  return pathOf(await fetchRecord(ctx, Organization, owner, { em, field: 'organization' }))
}

/** Inserts a record of an organization, with an id of its own if none is given, created now. */
export async function insertOwned<Record extends TenantEntity>(
  ctx: Context,
  { em }: WriteTx,
  entity: EntityClass<Record>,
  { path, ...values }: { path: OrganizationPath; id?: string } & Omit<RequiredEntityData<Record>, MadeHere | 'id'>,
): Promise<Record> {
  const now = ctx.now()
  const whole = { id: ctx.newId(), ...tenantColumns(path), ...values, createdAt: now, updatedAt: now, version: 1 }
  const record = em.create(entity, whole as RequiredEntityData<Record>)
  await em.persist(record).flush()
  return record
}

/**
 * Lets those that add to what an organization may have a number of do so one after the other: a count that is read afterwards has
 * what the others have added. Blocks nothing else.
 */
export async function lockToCount(tx: Pick<WriteTx, 'query'>, organization: string): Promise<void> {
  await tx.query('select 1 from organization where id = $1 for no key update', [organization])
}

/** Holds an organization to the maximum number of its records of a kind. @throws Unprocessable at the maximum */
export async function checkNumber<Record extends TenantEntity>(
  tx: WriteTx,
  entity: EntityClass<Record>,
  { organization, max, noun }: { organization: string; max: number; noun: string },
): Promise<void> {
  await lockToCount(tx, organization)
  const count = await tx.em.count(entity, { organizationId: organization } as FilterQuery<Record>)
  if (count >= max)
    throw new Unprocessable(`organization ${organization} has ${max} ${noun} already`, { reason: 'TOO_MANY' })
}
