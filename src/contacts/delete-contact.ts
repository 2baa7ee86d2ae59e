import type { Context } from '../context.js'
import type { Transact } from '../events/transact.js'
import { Unprocessable } from '../errors.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { emitContact } from './contact-events.js'
import { CONTACT_DELETED } from './contact-jobs.js'
import { Contact } from './contact.js'

/**
 * Deletes a contact with all its conversations and what it uploaded, as a consumer may demand. One with a queued or
 * active conversation is not deleted: agents would lose it from under their hands.
 * @throws Unprocessable naming one such conversation
 */
export function deleteContact(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    // Seen first, so that nobody locks the conversations of a foreign contact.
    await fetchRecord(ctx, Contact, id, { em: tx.em })
    // Conversations before their contact, the order in which sends take their locks.
    await tx.query('select id from conversation where contact_id = $1 order by id for update', [id])
    const contact = await fetchRecord(ctx, Contact, id, { em: tx.em, lock: true })
    const open = await tx.query<{ id: string; status: string }>(
      `select id, status from conversation where contact_id = $1 and status in ('queued', 'active')
       order by id limit 1`,
      [id],
    )
    if (open[0]) {
      throw new Unprocessable(`contact ${id} has the ${open[0].status} conversation ${open[0].id}: close it first`, {
        conversation: open[0].id,
      })
    }
    await tx.query('delete from contact where id = $1', [id])
    tx.addJob({ kind: CONTACT_DELETED, payload: { contact: contact.id } })
    emitContact(tx, contact, 'deleted')
    return true
  })
}
