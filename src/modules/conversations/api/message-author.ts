import { createUnionType } from 'type-graphql'
import { Contact } from '../../contacts/contact.js'
import type { Context } from '../../../platform/context.js'
import type { MessageRow } from '../../messages/message-row.js'
import { userProfileLoader } from '../../users/user-profile.js'
import { User } from '../../users/user.js'
import { contactOf } from './contact-of.js'
import { loadConversation } from './conversation.js'

export const MessageAuthor = createUnionType({
  name: 'MessageAuthor',
  description: 'The author of a message: a user or a contact.',
  types: () => [User, Contact] as const,
})

/** Returns the author of a message; null for system messages, and if the user or contact has been deleted. */
export async function authorOf(
  ctx: Context,
  { userId, role, conversationId }: Pick<MessageRow, 'userId' | 'role' | 'conversationId'>,
): Promise<object | null> {
  if (role === 'contact') {
    const conversation = await loadConversation(ctx, conversationId)
    const contact = conversation && (await contactOf(ctx, conversation))
    return contact && { ...contact, __typename: 'Contact' }
  }
  const user = userId ? await ctx.loader(userProfileLoader).load(userId) : null
  return user && { ...user, __typename: 'User' }
}
