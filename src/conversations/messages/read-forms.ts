import { isId } from '../../db/clock.js'
import { pathOf, sharedSql } from '../../db/tenancy.js'
import { NotFound, quoteValue } from '../../errors.js'
import type { FormShape } from '../../forms/validate-form-values.js'
import { camelRow } from '../../lists/rows.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'

/** As much of a form's definition as a conversation needs. */
export interface FormDefinition extends FormShape {
  id: string
  organizationId: string
  isStatic: boolean
  /** Addresses that get its results. */
  email: string[]
}

const SELECT = 'select t.id, t.organization_id, t.name, t.is_static, t.fields, t.email from form t where'

const visibleForms = sharedSql('form')

/** Forms by id, as the conversation's organization sees them: its own, or shared with it by a tag (4.3). */
export async function readForms(
  draft: ConversationDraft,
  ids: readonly string[],
): Promise<Map<string, FormDefinition>> {
  const wanted = ids.filter(isId)
  if (wanted.length === 0) return new Map()
  const values: unknown[] = [wanted]
  const isVisible = visibleForms({ path: pathOf(draft.conversation) }, 't', values)
  const rows = await draft.sql.query<Record<string, unknown>>(
    `${SELECT} t.id = any($1::uuid[]) and ${isVisible}`,
    values,
  )
  return new Map(rows.map((row) => [row.id as string, camelRow<FormDefinition>(row)]))
}

/** By id, or by its name in the conversation's organization. @throws NotFound */
export async function readForm(draft: ConversationDraft, wanted: string): Promise<FormDefinition> {
  const byId = isId(wanted) ? await readForms(draft, [wanted]) : null
  const form = byId ? byId.get(wanted.toLowerCase()) : await readByName(draft, wanted)
  if (!form) throw new NotFound(`meta.form: Form ${quoteValue(wanted)} not found`, { field: 'meta.form' })
  return form
}

async function readByName({ sql, conversation }: ConversationDraft, name: string): Promise<FormDefinition | undefined> {
  const [row] = await sql.query<Record<string, unknown>>(`${SELECT} t.organization_id = $1 and t.name = $2`, [
    conversation.organizationId,
    name,
  ])
  return row && camelRow<FormDefinition>(row)
}

/** The static forms of the conversation's organization, oldest first. */
export async function readStaticForms(draft: ConversationDraft, limit: number): Promise<FormDefinition[]> {
  const rows = await draft.sql.query<Record<string, unknown>>(
    `${SELECT} t.organization_id = $1 and t.is_static order by t.id limit $2`,
    [draft.conversation.organizationId, limit],
    'static-forms',
  )
  return rows.map((row) => camelRow<FormDefinition>(row))
}
