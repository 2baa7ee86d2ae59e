import { isId } from '../../../platform/db/clock.js'
import type { Context } from '../../../platform/context.js'
import { isWithin } from '../../../platform/db/tenancy.js'
import { NotFound } from '../../../platform/errors.js'
import type { Aggregate } from './conversation-state.js'

/**
 * Tells whether the caller may see a conversation. A guest sees only its own contact's conversation that its token
 * names, or the one into which that was merged.
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

/** Legacy clients match this text (open points, error body); of a malformed id the reason tells. */
export function conversationNotFound(id?: string): NotFound {
  return new NotFound('Conversation not found', id === undefined || isId(id) ? {} : { reason: 'MALFORMED_ID', id })
}
