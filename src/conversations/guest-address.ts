import type { GuestCaller } from '../access/caller.js'
import { seeContactAt } from '../contacts/contact-address.js'
import type { Context } from '../context.js'
import { Forbidden } from '../errors.js'

/** Keeps where a guest writes from, for `/block`. @throws Forbidden when that address is blocked (3.1) */
export async function noteGuestAddress(ctx: Context, guest: GuestCaller): Promise<void> {
  const isBlocked = await seeContactAt(ctx.database, {
    contact: guest.contact,
    organization: guest.organization,
    address: ctx.address,
  })
  if (isBlocked) throw new Forbidden('the contact is blocked')
}
