import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { pathOf, sharedSql } from '../../platform/db/tenancy.js'
import { organizationStream } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { camelRow } from '../../platform/lists/rows.js'
import { requireVisible, type NamedId } from '../../platform/lists/visible-ids.js'
import { eventOf } from './organization-events.js'
import type { Organization, OrganizationCategory } from './organization.js'

/**
 * Checks that forms attached to an organization's categories are visible to the organization: its own, those of
 * organizations below it, or shared with it by a tag (4.3). Forms attached before may stay, so that the categories can
 * be sent back when a form has been deleted or is no longer shared.
 * @param before the stored categories
 * @throws NotFound naming the form: `categories[0].forms[1]`
 */
export async function requireCategoryForms(
  ctx: Context,
  sql: Sql,
  organization: Organization,
  before: readonly OrganizationCategory[] | null,
): Promise<void> {
  const attached = new Set(before?.flatMap(({ forms }) => forms ?? []))
  const added = (organization.categories ?? []).flatMap(({ forms }, index) =>
    (forms ?? []).map((id, at): NamedId => ({ id, field: `categories[${index}].forms[${at}]` })),
  )
  await requireVisible(
    ctx,
    sql,
    added.filter(({ id }) => !attached.has(id)),
    {
      name: 'Form',
      table: 'form',
      scope: { path: pathOf(organization) },
      visible: sharedSql('form'),
    },
  )
}

/** Removes a form that is being deleted from the categories of its contact center's organizations. */
export async function detachForm(ctx: Context, tx: WriteTx, form: { id: string; org1: string }): Promise<void> {
  const rows = await tx.query<Record<string, unknown>>(DETACH, [form.org1, form.id, ctx.now()])
  for (const row of rows) {
    const organization = camelRow<Organization>(row)
    tx.emit(organizationStream(organization.id), 'organization.updated', eventOf(organization))
  }
}

const DETACH = `
update organization set updated_at = $3, version = version + 1, categories = (
  select jsonb_agg(
    case when category ? 'forms' then jsonb_set(category, '{forms}', (category -> 'forms') - $2::text) else category end
    order by position
  )
  from jsonb_array_elements(categories) with ordinality as each (category, position)
)
where org1 = $1
  and categories @> jsonb_build_array(jsonb_build_object('forms', jsonb_build_array($2::text)))
returning *`
