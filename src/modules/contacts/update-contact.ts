import type { Context } from '../../platform/context.js'
import { pathOf } from '../../platform/db/tenancy.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { parseOneOf } from '../../platform/input.js'
import { changedMeta } from '../../platform/json.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { BLOCK_CONTACT, unblockContact } from './block-contact.js'
import { emitContact } from './contact-events.js'
import { CONTACT_MATCHED, CONTACT_RENAMED } from './contact-jobs.js'
import { countryOf } from './contact-organization.js'
import { parseProfile, type StoredProfile } from './contact-profile.js'
import { callerId, noteContactChange, noted } from './note-contact-change.js'
import { Contact, CONTACT_STATUSES, requireKept, type UpdateContactInput } from './contact.js'
import { ContactExists, findSameContact, isContactConflict } from './insert-contact.js'

/** Changes a contact; a profile in the patch replaces the stored one. @throws ContactExists */
export async function updateContact(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateContactInput },
): Promise<Contact> {
  return reportingMatches(ctx, transact, id, (tx) => changeContact(ctx, tx, id, patch))
}

/**
 * Runs a change of a contact's profile; if another contact has the same identifiers, adds a job that reports the match
 * (6.5).
 */
export async function reportingMatches<T>(
  ctx: Context,
  transact: Transact,
  contact: string,
  change: (tx: WriteTx) => Promise<T>,
): Promise<T> {
  try {
    return await transact(ctx, change).catch((error: unknown) => {
      // Another contact took the identifier between the check and the write; the second attempt finds it.
      if (isContactConflict(error)) return transact(ctx, change)
      throw error
    })
  } catch (error) {
    if (error instanceof ContactExists) {
      const payload = { contact, other: error.existing.contact }
      await transact(ctx, async (tx) => tx.addJob(CONTACT_MATCHED.create(payload, { key: `contact:${contact}` })))
    }
    throw error
  }
}

async function changeContact(ctx: Context, tx: WriteTx, id: string, patch: UpdateContactInput): Promise<Contact> {
  const contact = await fetchRecord(ctx, Contact, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
  // Nothing is added to one that is being erased.
  requireKept(contact)
  const before = noted(contact)
  if (patch.profile !== undefined) {
    const country = await countryOf(tx, pathOf(contact))
    await changeProfile(tx, contact, parseProfile(patch.profile ?? {}, 'profile', country))
  }
  if (patch.meta !== undefined) contact.meta = changedMeta(contact.meta, patch.meta, 'meta')
  markChanged(contact, ctx.now())
  if (patch.status !== undefined) {
    const status = parseOneOf(patch.status ?? 'active', 'status', CONTACT_STATUSES)
    if (status !== contact.status) {
      if (status === 'blocked') await tx.query(BLOCK_CONTACT, [contact.id, ctx.now()])
      else await unblockContact(tx, { contact: contact.id, now: ctx.now() })
      contact.status = status
      // Both statements count it.
      contact.version++
    }
  }
  await noteContactChange(tx, contact, { before, at: ctx.now(), by: { user: callerId(ctx) } })
  emitContact(tx, contact, 'updated')
  return contact
}

/** Replaces the profile of a locked contact. @throws ContactExists */
export async function changeProfile(tx: WriteTx, contact: Contact, profile: StoredProfile): Promise<void> {
  const existing = await findSameContact(tx, {
    organizationId: contact.organizationId,
    profile,
    except: contact.id,
  })
  if (existing) throw new ContactExists(existing)
  if (profile.name !== contact.profile.name) {
    tx.addJob(CONTACT_RENAMED.create({ contact: contact.id }, { key: `contact:${contact.id}` }))
  }
  contact.profile = profile
  contact.email = profile.email ?? null
  contact.telephone = profile.telephone ?? null
}
