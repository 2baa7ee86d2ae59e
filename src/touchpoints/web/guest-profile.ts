import { Field, InputType } from 'type-graphql'
import { settleClaims, type Claims } from '../../contacts/contact-claims.js'
import { emitContact } from '../../contacts/contact-events.js'
import { CONTACT_MATCHED, CONTACT_RENAMED } from '../../contacts/contact-jobs.js'
import { countryOf } from '../../contacts/contact-organization.js'
import { parseProfile } from '../../contacts/contact-profile.js'
import { Contact } from '../../contacts/contact.js'
import { isContactConflict } from '../../contacts/insert-contact.js'
import type { Context } from '../../context.js'
import { pathOf } from '../../db/tenancy.js'
import { Forbidden } from '../../errors.js'
import type { Transact, WriteTx } from '../../events/transact.js'
import { fetchRecord } from '../../lists/fetch-record.js'
import type { GuestLimits } from './guest-limits.js'

@InputType({ description: 'Who a visitor says it is; what is not given stays as it was.' })
export class GuestProfileInput {
  @Field(() => String, { nullable: true, description: 'At most 250 characters.' }) name?: string | null
  @Field(() => String, { nullable: true }) givenName?: string | null
  @Field(() => String, { nullable: true }) familyName?: string | null
  @Field(() => String, { nullable: true }) email?: string | null
  @Field(() => String, { nullable: true, description: "E.164, or a number of the organization's country." })
  telephone?: string | null
}

/**
 * Puts what a guest says of itself into its contact's profile; see `settleClaims`. When it names another contact's
 * identifier, agents get the suggestion to merge (4.8), and the guest learns nothing.
 * @throws Forbidden for anybody but a guest; BadUserInput; RateLimited
 */
export async function identifyGuest(
  { limits, transact }: { limits: GuestLimits; transact: Transact },
  ctx: Context,
  given: GuestProfileInput,
): Promise<true> {
  const { guestCaller } = ctx
  if (!guestCaller) throw new Forbidden('a guest says who it is; others change the contact')
  await limits.countIdentification(guestCaller.contact)
  const identify = (tx: WriteTx): Promise<true> => changeGuest(ctx, tx, guestCaller.contact, given)
  return transact(ctx, identify).catch((error: unknown) => {
    // Another contact took the identifier between our look and our write: now it is a claim.
    if (isContactConflict(error)) return transact(ctx.system(), identify)
    throw error
  })
}

async function changeGuest(ctx: Context, tx: WriteTx, id: string, given: GuestProfileInput): Promise<true> {
  const contact = await fetchRecord(ctx, Contact, id, { em: tx.em, lock: true })
  const said = parseProfile({ ...given }, 'profile', given.telephone ? await countryOf(tx, pathOf(contact)) : null)
  const { profile, claims, others } = await settleClaims(tx, contact, said)
  if (profile.name !== contact.profile.name) {
    tx.addJob({ kind: CONTACT_RENAMED, key: `contact:${id}`, payload: { contact: id } })
  }
  for (const other of others) {
    tx.addJob({ kind: CONTACT_MATCHED, key: `contact:${id}`, payload: { contact: id, other } })
  }
  const earlier = (contact.meta?._claims ?? {}) as Claims
  const known = { ...earlier, ...claims }
  if (Object.keys(known).length > 0) contact.meta = { ...contact.meta, _claims: known }
  contact.profile = profile
  contact.email = profile.email ?? null
  contact.telephone = profile.telephone ?? null
  contact.updatedAt = ctx.now()
  emitContact(tx, contact, 'updated')
  return true
}
