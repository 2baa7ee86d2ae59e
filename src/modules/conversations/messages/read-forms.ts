import { isId } from '../../../platform/db/clock.js'
import { reading } from '../../../platform/db/sql.js'
import { pathOf, sharedSql } from '../../../platform/db/tenancy.js'
import { NotFound, quoteValue } from '../../../platform/errors.js'
import type { FormShape } from '../../forms/validate-form-values.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { ConversationChange } from '../state/conversation-change.js'

/** The parts of a form's definition that a conversation needs. */
export interface FormDefinition extends FormShape {
  id: string
  organizationId: string
  isStatic: boolean
  /** Addresses to which the form's results are mailed. */
  email: string[]
}

/** Maximum number of forms per conversation. */
export const FORMS_MAX = 50

const SELECT = 'select t.id, t.organization_id, t.name, t.is_static, t.fields, t.email from form t where'

const visibleForms = sharedSql('form')

/** Reads forms by id, as visible to the conversation's organization: its own, or shared with it by a tag (4.3). */
export async function readForms(
  change: ConversationChange,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FormDefinition>> {
  const wanted = ids.filter(isId)
  if (wanted.length === 0) return new Map()
  const path = pathOf(change.conversation)
  return change.shared.once(`forms ${wanted.join()} for ${path.join()}`, async () => {
    const values: unknown[] = [wanted]
    const isVisible = visibleForms({ path }, 't', values)
    const text = reading(`${SELECT} t.id = any($1::uuid[]) and ${isVisible}`)
    const rows = await change.sql.query<Record<string, unknown>>(text, values)
    return new Map(rows.map((row) => [row.id as string, camelRow<FormDefinition>(row)]))
  })
}

/** Reads a form by id, or by its name in the conversation's organization. @throws NotFound */
export async function readForm(change: ConversationChange, wanted: string): Promise<FormDefinition> {
  const byId = isId(wanted) ? await readForms(change, [wanted]) : null
  const form = byId ? byId.get(wanted.toLowerCase()) : await readByName(change, wanted)
  if (!form) throw formNotFound(wanted)
  return form
}

export function formNotFound(wanted: string): NotFound {
  return new NotFound(`meta.form: Form ${quoteValue(wanted)} not found`, { field: 'meta.form' })
}

async function readByName(
  { sql, conversation }: ConversationChange,
  name: string,
): Promise<FormDefinition | undefined> {
  const [row] = await sql.query<Record<string, unknown>>(reading(`${SELECT} t.organization_id = $1 and t.name = $2`), [
    conversation.organizationId,
    name,
  ])
  return row && camelRow<FormDefinition>(row)
}

/**
 * Reads the static forms of the conversation's organization, oldest first, at most as many as a conversation may have.
 */
export function readStaticForms({
  sql,
  shared,
  conversation: { organizationId },
}: ConversationChange): Promise<readonly FormDefinition[]> {
  return shared.once(`static forms of ${organizationId}`, async () => {
    const rows = await sql.query<Record<string, unknown>>(
      reading(`${SELECT} t.organization_id = $1 and t.is_static order by t.id limit ${FORMS_MAX}`),
      [organizationId],
      'static-forms',
    )
    return rows.map((row) => camelRow<FormDefinition>(row))
  })
}
