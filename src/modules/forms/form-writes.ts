import { parseEmailAddress } from '../contacts/identifiers.js'
import type { Context } from '../../platform/context.js'
import { quoteValue, Unprocessable } from '../../platform/errors.js'
import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { isAbsent, parseBoolean, parseList, refuseCleared } from '../../platform/input.js'
import { changedMeta, parseMeta } from '../../platform/json.js'
import { isUniqueViolation } from '../../platform/limits/idempotency.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { BotMasked } from '../../platform/masking/bot-masked.js'
import { detachForm } from '../organizations/category-forms.js'
import { parseName } from '../organizations/organization-input.js'
import { insertOwned, owningPath } from '../organizations/owned-record.js'
import { fetchOwn } from '../sharing/shared-records.js'
import { parseTags } from '../sharing/tags.js'
import { Form, sharedForms, shownForm, type CreateFormInput, type UpdateFormInput } from './form.js'
import { parseFormFields } from './parse-form-fields.js'

const ADDRESSES_MAX = 20

/** @throws NotFound naming `organization`; Unprocessable when the name is taken; Forbidden for tags; BadUserInput */
export function createForm(ctx: Context, transact: Transact, input: CreateFormInput): Promise<Form> {
  const email = parseAddresses(input.email)
  refuseShowing(ctx, [], email)
  const fields = {
    name: parseName(input.name, 'name'),
    isStatic: parseFlag(input.isStatic),
    fields: parseFormFields(input.fields ?? [], 'fields', { stored: [], newId: () => ctx.newId() }),
    email,
    tags: parseTags(input.tags),
    meta: isAbsent(input.meta) ? null : parseMeta(input.meta, 'meta'),
  }
  return namedOnce(fields.name, () =>
    transact(ctx, async (tx) => {
      const path = await owningPath(ctx, tx, input.organization)
      const form = await insertOwned(ctx, tx, Form, { path, ...fields, isTemplate: false })
      emitForm(tx, form, 'created')
      return shownForm(ctx, form)
    }),
  )
}

/** Changes the given fields (section 1, PATCH). @throws as {@link createForm}; NotFound, or Forbidden for a template */
export function updateForm(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateFormInput },
): Promise<Form> {
  refuseCleared(patch, 'name')
  const name = patch.name === undefined ? undefined : parseName(patch.name, 'name')
  return namedOnce(name, () =>
    transact(ctx, async (tx) => {
      const form = await fetchOwn(ctx, tx, sharedForms, id, patch.ifVersion)
      if (name !== undefined) form.name = name
      if (patch.isStatic !== undefined) form.isStatic = parseFlag(patch.isStatic)
      if (patch.fields !== undefined) {
        form.fields = parseFormFields(patch.fields ?? [], 'fields', { stored: form.fields, newId: () => ctx.newId() })
      }
      if (patch.email !== undefined) {
        const email = parseAddresses(patch.email)
        refuseShowing(ctx, form.email, email)
        form.email = email
      }
      if (patch.tags !== undefined) form.tags = parseTags(patch.tags)
      if (patch.meta !== undefined) form.meta = changedMeta(form.meta, patch.meta, 'meta')
      markChanged(form, ctx.now())
      await tx.em.flush()
      emitForm(tx, form, 'updated')
      return shownForm(ctx, form)
    }),
  )
}

/** Deletes a form and removes it from categories. Conversations keep its values and submitted results. */
export function deleteForm(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const form = await fetchOwn(ctx, tx, sharedForms, id)
    await detachForm(ctx, tx, form)
    emitForm(tx, form, 'deleted')
    tx.em.remove(form)
    return true
  })
}

/** Refuses a bot for which texts are masked to have filled forms mailed to whom it chooses. @throws BotMasked */
function refuseShowing({ mask }: Context, before: readonly string[], email: readonly string[]): void {
  if (!mask || email.every((address) => before.includes(address))) return
  throw new BotMasked('email: who gets the mails would read what is masked for the bot', 'email')
}

async function namedOnce(name: string | undefined, write: () => Promise<Form>): Promise<Form> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'form_name')) throw error
    throw new Unprocessable(`the organization already has a form named ${quoteValue(name)}`, {
      reason: 'NAME_TAKEN',
      field: 'name',
    })
  }
}

/** The public values of a form. */
type FormData = Pick<Form, 'name' | 'isStatic' | 'fields' | 'tags' | 'meta'>

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'form', FormData> {}
}

/** Emits the public values of a form. Webhooks send events to third parties, so they contain no mail addresses. */
function emitForm(tx: WriteTx, form: Form, what: RecordChange): void {
  const { id, organizationId, name, isStatic, fields, tags, meta } = form
  tx.emit(organizationStream(organizationId), `form.${what}`, {
    id,
    organization: organizationId,
    name,
    isStatic,
    fields,
    tags,
    meta,
  })
}

function parseFlag(value: unknown): boolean {
  return isAbsent(value) ? false : parseBoolean(value, 'isStatic')
}

function parseAddresses(value: unknown): string[] {
  if (isAbsent(value)) return []
  const given = parseList(value, 'email', ADDRESSES_MAX)
  return [...new Set(given.map((each, index) => parseEmailAddress(each, `email[${index}]`)))]
}
