import type { Context } from '../context.js'
import { organizationStream } from '../events/event.js'
import type { Transact } from '../events/transact.js'
import { Forbidden, Unprocessable } from '../errors.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { requireCategoryForms } from './category-forms.js'
import { eventOf } from './organization-events.js'
import { LEVEL_MAX, Organization } from './organization.js'
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
  if (path.length !== 1) throw new Forbidden('an administrator of a level-1 organization is required')
  const fields = readOrganizationInput(input)
  return transact(ctx, async (tx) => {
    const parent = await fetchRecord(ctx, Organization, input.parent ?? own, { field: 'parent', em: tx.em })
    if (parent.level >= LEVEL_MAX) {
      throw new Unprocessable(`parent ${parent.id} has level ${LEVEL_MAX}, the lowest`, { field: 'parent' })
    }
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
  stopwords: null,
  categories: null,
  commands: null,
  profileFields: null,
  tags: null,
  meta: null,
} as const
