import { Unprocessable } from '../../../platform/errors.js'
import type { FormValues } from '../../forms/validate-form-values.js'
import type { ActiveForm } from '../../forms/active-form.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { Category } from './read-category.js'
import { FORMS_MAX, readForms, readStaticForms, type FormDefinition } from './read-forms.js'

/** Maximum size of a conversation's forms as JSON, since they are stored in its row. */
const FORMS_BYTES_MAX = 262_144

/** Position of a form in a conversation: a topic form under its category, a static form under none (4.6). */
export type FormSlot = Pick<Category, 'name' | 'index'> | null

/** Adds the forms that the organization attached to a category (2.4). */
export async function attachCategoryForms(change: ConversationChange, category: Category): Promise<void> {
  const known = await readForms(change, category.forms)
  for (const id of category.forms) {
    const form = known.get(id)
    // The form may no longer be shared since it was attached.
    if (form) addForm(change, form, category)
  }
}

/** Adds the organization's static forms, which every conversation has. */
export async function attachStaticForms(change: ConversationChange): Promise<void> {
  for (const form of await readStaticForms(change)) addForm(change, form, null)
}

/** Adds a form with the initial values of its fields; an active form stays unchanged. */
export function addForm(change: ConversationChange, form: FormDefinition, slot: FormSlot): ActiveForm {
  const { forms } = change.conversation
  const at = form.isStatic ? null : slot
  const present = forms.find((each) => each.form === form.id && each.categoryIndex === (at?.index ?? null))
  if (present) return present
  if (forms.length >= FORMS_MAX)
    throw new Unprocessable(`the conversation has ${FORMS_MAX} forms already`, { reason: 'TOO_MANY' })
  const begun = form.fields.filter((field) => field.default !== null).map((field) => [field.key, field.default])
  const added: ActiveForm = {
    form: form.id,
    name: form.name,
    category: at?.name ?? null,
    categoryIndex: at?.index ?? null,
    values: Object.fromEntries(begun) as FormValues,
    completedAt: null,
  }
  replaceForms(change, [...forms, added])
  return added
}

/** Removes an active form. @throws Unprocessable if the form is not active */
export function removeForm(change: ConversationChange, form: string, slot: FormSlot): void {
  const active = requireForm(change, form, slot)
  replaceForms(
    change,
    change.conversation.forms.filter((each) => each !== active),
  )
}

/** Sets the values of a form. @param completed time of completion; null while required fields have no value */
export function fillForm(
  change: ConversationChange,
  active: ActiveForm,
  values: FormValues,
  completed: Date | null,
): void {
  const filled = { ...active, values, completedAt: completed?.toISOString() ?? null }
  replaceForms(
    change,
    change.conversation.forms.map((each) => (each === active ? filled : each)),
  )
}

/**
 * Returns the active form in the category, else the static form; without a category, the only active one. @throws
 * Unprocessable
 */
export function requireForm({ conversation }: ConversationChange, form: string, slot: FormSlot): ActiveForm {
  const all = conversation.forms.filter((each) => each.form === form)
  const found =
    all.find(({ categoryIndex }) => categoryIndex === (slot?.index ?? null)) ??
    all.find(({ categoryIndex }) => categoryIndex === null) ??
    (slot === null && all.length === 1 ? all[0] : undefined)
  if (found) return found
  const where = slot ? ` in the category ${slot.name}` : ''
  throw new Unprocessable(`the form ${form} is not active${where} in the conversation`, {
    reason: 'FORM_NOT_ACTIVE',
    field: 'meta.form',
  })
}

function replaceForms({ conversation }: ConversationChange, forms: ActiveForm[]): void {
  const bytes = Buffer.byteLength(JSON.stringify(forms))
  if (bytes > FORMS_BYTES_MAX) {
    throw new Unprocessable(`the conversation's forms would have ${bytes} bytes as JSON; at most ${FORMS_BYTES_MAX}`, {
      reason: 'TOO_LARGE',
    })
  }
  conversation.forms = forms
}
