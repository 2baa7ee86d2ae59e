import { countryOf } from '../contacts/contact-organization.js'
import { fillContact, parseProfileField } from '../contacts/fill-contact.js'
import { pathOf } from '../db/tenancy.js'
import { BadUserInput, shown } from '../errors.js'
import type { FormField } from '../forms/form-field.js'
import { checkField, isComplete, type FormValues } from '../forms/validate-form-values.js'
import { isAbsent } from '../input.js'
import { isPrototypeKey, type JsonObject } from '../json.js'
import type { MessageRow } from '../messages/message-row.js'
import { addForm, fillForm, removeForm, requireForm, type FormSlot } from './active-forms.js'
import type { ConversationWork } from './conversation-work.js'
import { readCategory } from './read-category.js'
import { readForm, type FormDefinition } from './read-forms.js'

/**
 * `+Name` adds, `-Name` removes the form `meta.form`, else that of the name, in the active category or in that of
 * `meta.categoryIndex` or `meta.category` (2.12, open points). @throws BadUserInput, NotFound, Unprocessable
 */
export async function applyFormMessage(work: ConversationWork, { text, meta }: MessageRow): Promise<void> {
  const [, sign, name] = /^([+-])\s*(.*?)\s*$/su.exec(text ?? '') ?? []
  if (!sign) throw new BadUserInput('text', `text of a form message must be +Name or -Name, not ${shown(text)}`)
  const form = await readForm(work, isAbsent(meta?.form) ? name! : String(meta.form))
  const slot = await slotOf(work, meta)
  if (sign === '+') addForm(work, form, slot)
  else removeForm(work, form.id, slot)
}

/**
 * `.key value` fills a field of the active form `meta.form`, checked by the form's definition; without a value it is
 * cleared. `meta.field` may name the field by its id. A field that is tied to the contact's profile, or without a form
 * the field `meta.key` of the profile, is filled in there besides, by a job (2.12, open points).
 * @throws BadUserInput, NotFound, Unprocessable
 */
export async function applyFieldMessage(work: ConversationWork, { text, meta }: MessageRow): Promise<void> {
  const { key, value } = readText(text)
  const { conversation, sql } = work
  const country = await countryOf(sql, pathOf(conversation))
  if (isAbsent(meta?.form)) {
    if (typeof meta?.key !== 'string') throw new BadUserInput('meta.form', 'meta.form is required in a field message')
    const { contactId } = conversation
    const kept = parseProfileField(meta.key, value, { at: 'meta.key', country })
    if (contactId) work.addJob(fillContact({ contact: contactId, field: meta.key, value: kept }))
    return
  }
  const form = await readForm(work, String(meta.form))
  const active = form.isStatic ? addForm(work, form, null) : requireForm(work, form.id, await slotOf(work, meta))
  const field = fieldOf(form, key, meta)
  const kept = checkField(form, field.key, value, { country, at: `text .${field.key}` })
  const { [field.key]: _, ...others } = active.values
  const values: FormValues = kept === null ? others : { ...others, [field.key]: kept }
  fillForm(work, active, values, isComplete(form, values) ? work.now : null)
  if (!field.profileField || !conversation.contactId || kept === null) return
  // The form may take what a profile does not, such as a long text: then it stays in the form alone.
  work.addJob(fillContact({ contact: conversation.contactId, field: field.profileField, value: String(kept) }))
}

function readText(text: string | null): { key: string; value: string } {
  const [, key, value] = /^\.(\S+)(?:\s+(.*))?$/su.exec(text ?? '') ?? []
  if (key && !isPrototypeKey(key)) return { key, value: value?.trimEnd() ?? '' }
  throw new BadUserInput('text', `text of a field message must be .key value, not ${shown(text)}`)
}

function fieldOf(form: FormDefinition, key: string, meta: JsonObject): FormField {
  const byId = !isAbsent(meta.field)
  const field = form.fields.find((each) => (byId ? each.id === meta.field : each.key === key))
  if (field) return field
  const [at, wanted] = byId ? ['meta.field', meta.field] : ['text', key]
  throw new BadUserInput(at, `${at}: the form ${shown(form.name)} has no field ${shown(wanted)}`)
}

/** The category that the message names, else the active one. */
async function slotOf(work: ConversationWork, meta: JsonObject | null): Promise<FormSlot> {
  const { category, categoryIndex } = work.conversation
  for (const key of ['categoryIndex', 'category'] as const) {
    const wanted = meta?.[key]
    if (!isAbsent(wanted)) return readCategory(work, wanted as string | number, `meta.${key}`)
  }
  return category === null || categoryIndex === null ? null : { name: category, index: categoryIndex }
}
