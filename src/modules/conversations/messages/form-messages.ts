import { countryOf } from '../../contacts/contact-organization.js'
import { fillContact, parseProfileField } from '../../contacts/fill-contact.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { BadUserInput, quoteValue, Unprocessable } from '../../../platform/errors.js'
import type { FormField } from '../../forms/form-field.js'
import { checkField, isComplete, type FormValues } from '../../forms/validate-form-values.js'
import { isAbsent } from '../../../platform/input.js'
import { isPrototypeKey, type JsonObject } from '../../../platform/json.js'
import type { MessageRow } from '../../messages/message-row.js'
import { addForm, fillForm, removeForm, requireForm, type FormSlot } from './active-forms.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { Sender } from './members.js'
import { readCategory } from './read-category.js'
import { formNotFound, readForm, type FormDefinition } from './read-forms.js'

/**
 * Applies a form message: `+Name` adds, `-Name` removes the form `meta.form`, or the one with that name, in the active
 * category or in that of `meta.categoryIndex` or `meta.category` (2.12, open points). Without a text, adds the form
 * `meta.form` and sets the text accordingly. @throws BadUserInput, NotFound, Unprocessable
 */
export async function applyFormMessage(change: ConversationChange, message: MessageRow, sender: Sender): Promise<void> {
  const { text, meta } = message
  const isNamed = !isAbsent(meta?.form)
  const [, sign, name] = /^([+-])\s*(.*?)\s*$/su.exec(text ?? (isNamed ? '+' : '')) ?? []
  if (!sign) throw new BadUserInput('text', `text of a form message must be +Name or -Name, not ${quoteValue(text)}`)
  const wanted = isNamed ? String(meta!.form) : name!
  // The message of a user shows the form. A guest's does not: it may only remove the form, or add it again.
  if (sender.member && sender.mayNameForms !== true) throw formNotFound(wanted)
  const form = await readFormFor(change, sender, wanted)
  message.text ??= `+${form.name}`
  const slot = await slotOf(change, sender, meta)
  // 2.12: field messages name the form and its category, which may no longer be the active one by then.
  message.meta = { ...meta, form: form.id, ...(slot && !form.isStatic && { categoryIndex: slot.index }) }
  if (sign === '+') addForm(change, form, slot)
  else removeForm(change, form.id, slot)
}

/**
 * Applies a field message: `.key value` fills a field of the active form `meta.form`, validated by the form's
 * definition; without a value, it clears the field. `meta.field` may name the field by id. If the field is linked to
 * the contact's profile, or if there is no form but a profile field `meta.key`, a job also fills the profile (2.12,
 * open points).
 * @throws BadUserInput, NotFound, Unprocessable
 */
export async function applyFieldMessage(
  change: ConversationChange,
  { text, meta, role }: MessageRow,
  sender: Sender,
): Promise<void> {
  // Whether these are the consumer's own words, whoever sends them.
  const isUnverified = role === 'contact' || sender.mayFillContact !== true
  const by = role !== 'contact' && sender.member ? { by: sender.member.userId } : {}
  const { key, value } = readText(text)
  const { conversation, sql } = change
  const country = await countryOf(sql, pathOf(conversation))
  if (isAbsent(meta?.form)) {
    if (typeof meta?.key !== 'string')
      throw new BadUserInput('meta.form', 'meta.form is required in a field message', 'MISSING_VALUE')
    const contactId = sender.contact ?? conversation.contactId
    const kept = parseProfileField(meta.key, value, { at: 'meta.key', country })
    if (contactId) change.addJob(fillContact({ contact: contactId, field: meta.key, value: kept, isUnverified, ...by }))
    return
  }
  const form = await readFormFor(change, sender, String(meta.form))
  const active = form.isStatic
    ? addForm(change, form, null)
    : requireForm(change, form.id, await slotOf(change, sender, meta))
  const field = fieldOf(form, key, meta)
  const kept = checkField(form, field.key, value, { country, at: `text .${field.key}` })
  const { [field.key]: _, ...others } = active.values
  const values: FormValues = kept === null ? others : { ...others, [field.key]: kept }
  fillForm(change, active, values, isComplete(form, values) ? change.now : null)
  // A guest whose conversation was merged into another contact's still fills in its own profile.
  const contact = sender.contact ?? conversation.contactId
  if (!field.profileField || !contact || kept === null) return
  // A form may accept values that a profile refuses, such as a long text: these are stored in the form only.
  const { profileField } = field
  change.addJob(fillContact({ contact, field: profileField, value: String(kept), isUnverified, ...by }))
}

/**
 * Reads a form that the sender may name: an agent any of its organization, all others one that the conversation has.
 * Callers who may not fetch forms do not learn which others exist (section 5). @throws NotFound
 */
async function readFormFor(change: ConversationChange, sender: Sender, wanted: string): Promise<FormDefinition> {
  if (sender.mayNameForms === true) return readForm(change, wanted)
  const { forms } = change.conversation
  const named = forms.find(({ form, name }) => form === wanted.toLowerCase() || name === wanted)
  if (!named) throw formNotFound(wanted)
  return readForm(change, named.form)
}

function readText(text: string | null): { key: string; value: string } {
  const [, key, value] = /^\.(\S+)(?:\s+(.*))?$/su.exec(text ?? '') ?? []
  if (key && !isPrototypeKey(key)) return { key, value: value?.trimEnd() ?? '' }
  throw new BadUserInput('text', `text of a field message must be .key value, not ${quoteValue(text)}`)
}

function fieldOf(form: FormDefinition, key: string, meta: JsonObject): FormField {
  const byId = !isAbsent(meta.field)
  const field = form.fields.find((each) => (byId ? each.id === meta.field : each.key === key))
  if (field) return field
  const [at, wanted] = byId ? ['meta.field', meta.field] : ['text', key]
  throw new BadUserInput(at, `${at}: the form ${quoteValue(form.name)} has no field ${quoteValue(wanted)}`)
}

/**
 * Returns the category that the message names, else the active one. Callers who may not fetch forms name one that the
 * conversation has, and do not learn which others exist.
 */
async function slotOf(change: ConversationChange, sender: Sender, meta: JsonObject | null): Promise<FormSlot> {
  const { category, categoryIndex, forms } = change.conversation
  const slots = [{ category, categoryIndex }, ...forms].flatMap(({ category: name, categoryIndex: index }) =>
    name === null || index === null ? [] : [{ name, index }],
  )
  for (const key of ['categoryIndex', 'category'] as const) {
    const wanted = meta?.[key]
    if (isAbsent(wanted)) continue
    const field = `meta.${key}`
    if (sender.mayNameForms === true) return readCategory(change, wanted as string | number, field)
    const known = slots.find(({ name, index }) => wanted === name || wanted === index)
    if (!known)
      throw new Unprocessable(`${field}: the conversation has no category ${quoteValue(wanted)}`, {
        reason: 'UNKNOWN_CATEGORY',
        field,
      })
    return known
  }
  return category === null || categoryIndex === null ? null : { name: category, index: categoryIndex }
}
