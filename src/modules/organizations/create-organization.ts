import type { Context } from '../../platform/context.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact } from '../../platform/events/transact.js'
import { Forbidden, Unprocessable } from '../../platform/errors.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { requireCategoryForms } from './category-forms.js'
import { eventOf } from './organization-events.js'
import { LEVEL_MAX, Organization } from './organization.js'
import { requireRoom } from './quotas.js'
import { readOrganizationInput, type CreateOrganizationInput } from './organization-input.js'

/**
 * Creates an organization below one that the caller sees (4.3). Only for administrators of a contact center (level 1).
 * @throws Forbidden, NotFound for the parent, Unprocessable when the parent has the lowest level, BadUserInput
 */
export async function createOrganization(
  ctx: Context,
  transact: Transact,
  input: CreateOrganizationInput,
): Promise<Organization> {
  const { path, organization: own } = ctx.userCaller
  if (path.length !== 1)
    throw new Forbidden('an administrator of the contact center is required', { reason: 'CENTER_ADMIN_REQUIRED' })
  const fields = readOrganizationInput(input)
  return transact(ctx, async (tx) => {
    const parent = await fetchRecord(ctx, Organization, input.parent ?? own, { field: 'parent', em: tx.em })
    if (parent.level >= LEVEL_MAX) {
      throw new Unprocessable(`parent ${parent.id} has level ${LEVEL_MAX}, the lowest`, {
        reason: 'LEVEL_TOO_LOW',
        field: 'parent',
      })
    }
    await requireRoom(tx, parent.org1, 'organizations')
    const id = ctx.newId()
    const level = parent.level + 1
    const organization = tx.em.create(Organization, {
      ...UNSPECIFIED,
      name: input.name,
      ...fields,
      id,
      organizationId: id,
      org1: parent.org1,
      org2: level === 2 ? id : parent.org2,
      org3: level === 3 ? id : null,
      parentId: parent.id,
      level,
      status: 'active',
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
      version: 1,
    })
    await tx.em.persist(organization).flush()
    await requireCategoryForms(ctx, tx, organization, null)
    tx.emit(organizationStream(id), 'organization.created', eventOf(organization))
    return organization
  })
}

const UNSPECIFIED = {
  displayName: null,
  url: null,
  email: null,
  industry: null,
  logo: null,
  country: null,
  locale: null,
  timezone: null,
  stopwords: null,
  categories: null,
  commands: null,
  profileFields: null,
  tags: null,
  meta: null,
} as const
