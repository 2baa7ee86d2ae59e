import type { GraphQLResolveInfo } from 'graphql'
import { profileAsGiven } from '../../contacts/unverified-identifiers.js'
import { Contact, contactLoader, contactLoaders } from '../../contacts/contact.js'
import type { Context } from '../../../platform/context.js'

/**
 * Returns a conversation's contact as the caller may see it: for a guest its own without metadata, for a viewer the
 * name, for a bot without the grant nothing.
 * @param info describes the field that returns the contact, to read only the selected columns
 */
export async function contactOf(
  ctx: Context,
  { contactId }: { contactId: string | null },
  info?: GraphQLResolveInfo,
): Promise<Contact | null> {
  const { guestCaller: guest } = ctx
  if (!contactId || ctx.hidesContacts) return null
  if (!ctx.seesAsConsumer) return ctx.loader(info ? contactLoaders(info) : contactLoader).load(contactId)
  const contact = await ctx.loader(contactLoader).load(guest?.contact ?? contactId)
  if (!guest) return contact && { ...contact, profile: { name: contact.profile.name }, meta: null }
  return contact && { ...contact, profile: profileAsGiven(contact), meta: null }
}
