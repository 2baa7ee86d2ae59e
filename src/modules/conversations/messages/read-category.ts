import { reading } from '../../../platform/db/sql.js'
import { quoteValue, Unprocessable } from '../../../platform/errors.js'
import type { ConversationChange } from '../state/conversation-change.js'

/** One of the organization's categories (2.4). */
export interface Category {
  name: string
  /** Zero-based. */
  index: number
  /** Ids of the attached forms. */
  forms: readonly string[]
}

/**
 * Reads a category by name, or by zero-based index in the organization's categories. @throws Unprocessable naming the
 * field
 */
export async function readCategory(
  { sql, shared, conversation: { organizationId } }: ConversationChange,
  wanted: string | number,
  field: string,
): Promise<Category> {
  const categories = await shared.once(`categories of ${organizationId}`, async () => {
    const rows = await sql.query<{ categories: { name: string; forms?: string[] }[] | null }>(
      reading('select categories from organization where id = $1'),
      [organizationId],
      'read-categories',
    )
    return rows[0]?.categories ?? []
  })
  const index = typeof wanted === 'number' ? wanted : categories.findIndex(({ name }) => name === wanted)
  const category = categories[index]
  if (!category)
    throw new Unprocessable(`${field}: the organization has no category ${quoteValue(wanted)}`, {
      reason: 'UNKNOWN_CATEGORY',
      field,
    })
  return { name: category.name, index, forms: category.forms ?? [] }
}
