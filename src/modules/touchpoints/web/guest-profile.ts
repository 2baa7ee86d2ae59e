import { Field, InputType } from 'type-graphql'
import { applyUnverified } from '../../contacts/unverified-identifiers.js'
import { countryOf } from '../../contacts/contact-organization.js'
import { parseProfile } from '../../contacts/contact-profile.js'
import { Contact } from '../../contacts/contact.js'
import { isContactConflict } from '../../contacts/insert-contact.js'
import type { Context } from '../../../platform/context.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { Forbidden } from '../../../platform/errors.js'
import type { Transact, WriteTx } from '../../../platform/events/transact.js'
import { fetchRecord } from '../../../platform/lists/fetch-record.js'
import type { GuestLimits } from '../../../platform/limits/guest-limits.js'

@InputType({ description: 'The profile that a visitor gives; omitted fields keep their values.' })
export class GuestProfileInput {
  @Field(() => String, { nullable: true, description: 'At most 250 characters.' }) name?: string | null
  @Field(() => String, { nullable: true }) givenName?: string | null
  @Field(() => String, { nullable: true }) familyName?: string | null
  @Field(() => String, { nullable: true }) email?: string | null
  @Field(() => String, { nullable: true, description: "E.164, or a number of the organization's country." })
  telephone?: string | null
}

/**
 * Updates the profile of the guest's contact; see `applyUnverified`. An identifier of another contact makes a merge
 * suggestion for the agents (4.8), which the guest does not notice.
 * @throws Forbidden for anybody but a guest; BadUserInput; RateLimited
 */
export async function identifyGuest(
  { limits, transact }: { limits: GuestLimits; transact: Transact },
  ctx: Context,
  given: GuestProfileInput,
): Promise<true> {
  const { guestCaller } = ctx
  if (!guestCaller) throw new Forbidden('only a guest identifies itself; other users change the contact')
  await limits.countIdentification(guestCaller.contact)
  const identify = (tx: WriteTx): Promise<true> => changeGuest(ctx, tx, guestCaller.contact, given)
  return transact(ctx, identify).catch((error: unknown) => {
    // Another contact took the identifier between the check and the write: now it is unverified.
    if (isContactConflict(error)) return transact(ctx.system(), identify)
    throw error
  })
}

async function changeGuest(ctx: Context, tx: WriteTx, id: string, given: GuestProfileInput): Promise<true> {
  const contact = await fetchRecord(ctx, Contact, id, { em: tx.em, lock: true })
  const entered = parseProfile({ ...given }, 'profile', given.telephone ? await countryOf(tx, pathOf(contact)) : null)
  await applyUnverified(tx, contact, entered, { at: ctx.now(), by: 'contact' })
  return true
}
