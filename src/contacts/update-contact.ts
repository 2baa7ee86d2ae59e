import type { Context } from '../context.js'
import { pathOf } from '../db/tenancy.js'
import type { Transact, WriteTx } from '../events/transact.js'
import { parseOneOf } from '../input.js'
import { changedMeta } from '../json.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { blockContact, unblockContact } from './block-contact.js'
import { emitContact } from './contact-events.js'
import { CONTACT_RENAMED } from './contact-jobs.js'
import { countryOf } from './contact-organization.js'
import { parseProfile, type StoredProfile } from './contact-profile.js'
import { Contact, CONTACT_STATUSES, type UpdateContactInput } from './contact.js'
import { ContactExists, findSameContact, isContactConflict } from './insert-contact.js'

/** Changes a contact; a profile in the patch replaces the stored one. @throws ContactExists */
export async function updateContact(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateContactInput },
): Promise<Contact> {
  try {
    return await transact(ctx, (tx) => changeContact(ctx, tx, id, patch))
  } catch (error) {
    // Another contact took the identifier between our look and our write.
    if (isContactConflict(error)) return transact(ctx, (tx) => changeContact(ctx, tx, id, patch))
    throw error
  }
}

async function changeContact(ctx: Context, tx: WriteTx, id: string, patch: UpdateContactInput): Promise<Contact> {
  const contact = await fetchRecord(ctx, Contact, id, { em: tx.em, lock: true })
  if (patch.profile !== undefined) {
    const country = await countryOf(tx, pathOf(contact))
    const { name } = contact.profile
    await changeProfile(tx, contact, parseProfile(patch.profile ?? {}, 'profile', country))
    if (contact.profile.name !== name) {
      tx.addJob({ kind: CONTACT_RENAMED, key: `contact:${contact.id}`, payload: { contact: contact.id } })
    }
  }
  if (patch.meta !== undefined) contact.meta = changedMeta(contact.meta, patch.meta, 'meta')
  contact.updatedAt = ctx.now()
  if (patch.status !== undefined) {
    const status = parseOneOf(patch.status ?? 'active', 'status', CONTACT_STATUSES)
    if (status !== contact.status) {
      const change = { contact: contact.id, now: ctx.now() }
      await (status === 'blocked' ? blockContact(tx, change) : unblockContact(tx, change))
      contact.status = status
    }
  }
  emitContact(tx, contact, 'updated')
  return contact
}

async function changeProfile(tx: WriteTx, contact: Contact, profile: StoredProfile): Promise<void> {
  const existing = await findSameContact(tx, {
    organizationId: contact.organizationId,
    profile,
    besides: contact.id,
  })
  if (existing) throw new ContactExists(existing)
  contact.profile = profile
  contact.email = profile.email ?? null
  contact.telephone = profile.telephone ?? null
}
