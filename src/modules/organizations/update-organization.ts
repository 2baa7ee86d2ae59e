import type { Context } from '../../platform/context.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { requireOwnTagWriter } from '../sharing/tags.js'
import { requireCategoryForms } from './category-forms.js'
import { eventOf } from './organization-events.js'
import { readOrganizationInput, type UpdateOrganizationInput } from './organization-input.js'
import { Organization } from './organization.js'

/**
 * Changes the given fields; nested objects are replaced (section 1, PATCH).
 * @throws NotFound for the organization, or naming a form of a category; Forbidden for tags (4.3); BadUserInput
 */
export function updateOrganization(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateOrganizationInput },
): Promise<Organization> {
  return transact(ctx, async (tx) => {
    const organization = await fetchRecord(ctx, Organization, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
    const { categories } = organization
    const fields = readOrganizationInput(patch, organization.meta ?? {})
    requireOwnTagWriter(ctx, organization.tags, fields.tags)
    tx.em.assign(organization, fields, { mergeObjectProperties: false })
    markChanged(organization, ctx.now())
    await tx.em.flush()
    await requireCategoryForms(ctx, tx, organization, categories)
    tx.emit(organizationStream(organization.id), 'organization.updated', eventOf(organization))
    return organization
  })
}
