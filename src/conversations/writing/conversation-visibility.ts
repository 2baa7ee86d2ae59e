import type { Context } from '../../context.js'
import { isWithin } from '../../db/tenancy.js'
import { NotFound } from '../../errors.js'
import type { Aggregate } from './conversation-state.js'

/** A guest sees its own contact's conversations, and only the one its token names, or where that was followed to. */
export function isVisible(ctx: Context, { conversation }: Pick<Aggregate, 'conversation'>): boolean {
  const guest = ctx.guestCaller
  if (guest) {
    const isOwn = conversation.contactId === guest.contact
    return (
      (isOwn && (guest.conversation === null || guest.conversation === conversation.id)) ||
      ctx.guestLine?.current === conversation.id
    )
  }
  return isWithin(ctx.tenant, conversation)
}

/** The text is what legacy clients look for (open points, error body). */
export function conversationNotFound(): NotFound {
  return new NotFound('Conversation not found')
}
