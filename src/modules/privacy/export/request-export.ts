import type { Context } from '../../../platform/context.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import type { Transact } from '../../../platform/events/transact.js'
import { defineJob } from '../../../platform/jobs/job-type.js'
import { Unprocessable } from '../../../platform/errors.js'
import { fetchRecord } from '../../../platform/lists/fetch-record.js'
import { Contact, requireKept } from '../../contacts/contact.js'
import { insertOwned } from '../../organizations/owned-record.js'
import { ContactExport } from './contact-export.js'

/** Writes the file of an export. Ids only, so that no erasure drops it: it removes what it has written of an erased contact. */
export const EXPORT_WRITE = defineJob<{ export: string; organization: string }>('contactExport.write', {
  export: 'string',
  organization: 'string',
})

/** Exports of a contact whose files are kept. */
const LIVE_MAX = 10

/**
 * Asks for the export of a contact, which a job writes. One that is being written, and has the same, is returned instead.
 * @throws NotFound; Unprocessable `TOO_MANY`
 */
export function requestExport(
  ctx: Context,
  transact: Transact,
  { id, notes }: { id: string; notes: boolean },
): Promise<ContactExport> {
  return transact(ctx, async (tx) => {
    const contact = await fetchRecord(ctx, Contact, id, { em: tx.em, lock: true })
    requireKept(contact)
    const begun = await tx.em.findOne(ContactExport, { contactId: contact.id, notes, status: 'pending' })
    if (begun) return begun
    const status = { $in: ['pending', 'ready'] as const }
    const live = await tx.em.count(ContactExport, { contactId: contact.id, status })
    if (live >= LIVE_MAX) {
      const message = `contact ${contact.id} has ${LIVE_MAX} exports already, which are kept for 7 days`
      throw new Unprocessable(message, { reason: 'TOO_MANY' })
    }
    const wanted = await insertOwned(ctx, tx, ContactExport, {
      path: pathOf(contact),
      contactId: contact.id,
      requestedById: ctx.userCaller.user,
      notes,
      status: 'pending',
      conversations: 0,
      messages: 0,
      files: 0,
      size: null,
      sha256: null,
      expiresAt: null,
      records: [],
    })
    const payload = { export: wanted.id, organization: contact.organizationId }
    // One at a time of a contact center: whoever asks for many waits for nobody but itself.
    tx.addJob(EXPORT_WRITE.create(payload, { key: `contactExport:${contact.org1}` }))
    return wanted
  })
}
