import type { GuestCaller } from '../../../platform/access/caller.js'
import { recordContactAddress } from '../../contacts/contact-address.js'
import type { Context } from '../../../platform/context.js'
import { Forbidden } from '../../../platform/errors.js'
import { seeContacts } from '../../../platform/presence/contact-presence.js'

/** Records a guest's presence and network address, for `/block`. @throws Forbidden if that address is blocked (3.1) */
export async function noteGuestAddress(ctx: Context, guest: GuestCaller): Promise<void> {
  const sighting = { contact: guest.contact, organization: guest.organization, address: ctx.address }
  const [isBlocked] = await Promise.all([
    recordContactAddress(ctx.database, sighting),
    // Repeated by the next message when it is lost: not worth a flush of the disk for each.
    seeContacts(ctx.database.asyncCommit, [{ contact: guest.contact, touchpoint: 'web' }]),
  ])
  if (isBlocked) throw new Forbidden('the contact is blocked', { reason: 'CONTACT_BLOCKED' })
}
