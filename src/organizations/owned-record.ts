import type { EntityClass, RequiredEntityData } from '@mikro-orm/core'
import type { Context } from '../context.js'
import { pathOf, tenantColumns, type OrganizationPath, type TenantEntity } from '../db/tenancy.js'
import type { WriteTx } from '../events/transact.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { Organization } from './organization.js'

type MadeHere = 'organizationId' | 'org1' | 'org2' | 'org3' | 'createdAt' | 'updatedAt'

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
  const whole = { id: ctx.newId(), ...tenantColumns(path), ...values, createdAt: now, updatedAt: now }
  const record = em.create(entity, whole as RequiredEntityData<Record>)
  await em.persist(record).flush()
  return record
}
