import type { Context } from '../../context.js'
import { isWithin } from '../../db/tenancy.js'
import { NotFound } from '../../errors.js'
import type { Aggregate } from './conversation-state.js'

/**
 * Whether the caller may see a conversation. A guest sees only its own contact's conversation that its token names, or
 * the one into which that was merged.
 */
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

/** Legacy clients match this text (open points, error body). */
export function conversationNotFound(): NotFound {
  return new NotFound('Conversation not found')
}
