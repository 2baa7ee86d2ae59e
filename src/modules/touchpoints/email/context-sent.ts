import { emitContact } from '../../contacts/contact-events.js'
import { Contact } from '../../contacts/contact.js'
import type { Context } from '../../../platform/context.js'
import { ifThere } from '../../../platform/if-there.js'
import type { Transact } from '../../../platform/events/transact.js'
import { fetchRecord } from '../../../platform/lists/fetch-record.js'
import { markChanged } from '../../../platform/lists/record-version.js'

/** Records that a contact has received its first mail with the preceding messages (2.12, `contact._contextSent`). */
export function contextNoter(
  transact: Transact,
  systemContext: (requestId: string) => Context,
): (contact: string) => Promise<void> {
  return async (id) => {
    const ctx = systemContext(`contact:${id}`)
    const note = transact(ctx, async (tx) => {
      const contact = await fetchRecord(ctx, Contact, id, { em: tx.em, lock: true })
      contact.meta = { ...contact.meta, _contextSent: true }
      markChanged(contact, ctx.now())
      emitContact(tx, contact, 'updated')
    })
    await ifThere(note)
  }
}
