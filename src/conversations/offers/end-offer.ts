import type { Context } from '../../context.js'
import { isId } from '../../db/clock.js'
import { tenantSql } from '../../db/tenancy.js'
import { NotFound, quoteValue, Unprocessable } from '../../errors.js'
import { isAbsent, parseText } from '../../input.js'
import type { LeasedJob } from '../../jobs/job.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { ConversationState } from '../writing/conversation-state.js'
import type { ConversationWriter } from '../writing/conversation-writer.js'
import { clearOffer } from '../writing/transitions.js'

const REASON_CHARS_MAX = 200

/**
 * Declines a pending offer of the caller; the conversation is offered to others.
 * @throws NotFound; Unprocessable `offeredToOther`, `offerEnded`; BadUserInput naming `reason`
 */
export async function declineOffer(
  ctx: Context,
  writer: ConversationWriter,
  { offer, reason }: { offer: string; reason: unknown },
): Promise<ConversationState> {
  const text = isAbsent(reason) ? null : parseText(reason, 'reason', { max: REASON_CHARS_MAX }).trim() || null
  const values: unknown[] = [offer]
  const rows = isId(offer)
    ? await ctx.reads.query<{ conversation: string; user: string }>(
        `select o.conversation_id as conversation, o.user_id as user from offer o join conversation c on c.id = o.conversation_id
         where o.id = $1 and ${tenantSql(ctx.tenant, 'c', values)}`,
        values,
      )
    : []
  const [found] = rows
  if (!found) throw new NotFound(`offer: Offer ${quoteValue(offer)} not found`, { field: 'offer' })
  if (found.user !== ctx.userCaller.user) {
    throw new Unprocessable(`offer ${offer} is for another agent`, { reason: 'offeredToOther' })
  }
  return writer.run(ctx, found.conversation, (draft) => {
    if (draft.conversation.offerId !== offer.toLowerCase()) {
      throw new Unprocessable(`offer ${offer} has ended`, { reason: 'offerEnded' })
    }
    endOffer(draft, 'declined', text)
    return draft.conversation
  })
}

/** The server was away when an offer expired this much later than due: nobody could answer it in its last moments. */
const LATE_MS = 3_000

/** To be asked when the job of its end begins: how long that waits for its turn to write says nothing of the server. */
export const wasAway = ({ runAt }: LeasedJob, now: Date): boolean => now.getTime() - runAt.getTime() > LATE_MS

/**
 * Ends the offer if it is still pending; the job of an offer that has ended does nothing. One whose time passed while
 * nobody ran is withdrawn, so that the agent can be offered the conversation again.
 */
export function expireOffer(draft: ConversationDraft, offer: string, isLate: boolean): void {
  if (draft.conversation.offerId !== offer) return
  if (isLate) endOffer(draft, 'withdrawn', 'the server was away when its time ended')
  else endOffer(draft, 'expired', null)
}

/** Ends the offer if it is still pending. */
export function withdrawOffer(draft: ConversationDraft, offer: string, reason: string): void {
  if (draft.conversation.offerId === offer) endOffer(draft, 'withdrawn', reason)
}

function endOffer(
  draft: ConversationDraft,
  outcome: 'declined' | 'expired' | 'withdrawn',
  reason: string | null,
): void {
  draft.offers.end = { outcome, reason }
  clearOffer(draft.conversation)
}
