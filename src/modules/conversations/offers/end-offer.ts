import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { tenantSql } from '../../../platform/db/tenancy.js'
import { Unprocessable } from '../../../platform/errors.js'
import { isAbsent, parseText } from '../../../platform/input.js'
import type { LeasedJob } from '../../../platform/jobs/job.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { clearOffer } from '../state/transitions.js'

const REASON_CHARS_MAX = 200

/**
 * Declines a pending offer of the caller; the conversation is offered to others.
 * @throws NotFound; Unprocessable `OFFERED_TO_OTHER`, `OFFER_ENDED`; BadUserInput naming `reason`
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
  if (!found) throw recordNotFound('Offer', offer, 'offer')
  if (found.user !== ctx.userCaller.user) {
    throw new Unprocessable(`offer ${offer} is for another agent`, { reason: 'OFFERED_TO_OTHER' })
  }
  return writer.run(ctx, found.conversation, (change) => {
    change.grants.pass()
    if (change.conversation.offerId !== offer.toLowerCase()) {
      throw new Unprocessable(`offer ${offer} has ended`, { reason: 'OFFER_ENDED' })
    }
    endOffer(change, 'declined', text)
    return change.conversation
  })
}

/** The server was away when an offer expired this much later than due: nobody could answer it in its last moments. */
const LATE_MS = 3_000

/** Tells by the first lease of its end's job: the time for which that waits afterwards says nothing of the server. */
export const wasAway = ({ attempts, leasedAt, runAt }: LeasedJob): boolean =>
  attempts === 1 && leasedAt.getTime() - runAt.getTime() > LATE_MS

/**
 * Ends the offer if it is still pending; the job of an offer that has ended does nothing. One whose time passed while
 * nobody ran is withdrawn, so that the agent can be offered the conversation again.
 */
export function expireOffer(change: ConversationChange, offer: string, isLate: boolean): void {
  if (change.conversation.offerId !== offer) return
  if (isLate) endOffer(change, 'withdrawn', 'the server was away when its time ended')
  else endOffer(change, 'expired', null)
}

/** Ends the offer if it is still pending. */
export function withdrawOffer(change: ConversationChange, offer: string, reason: string): void {
  if (change.conversation.offerId === offer) endOffer(change, 'withdrawn', reason)
}

function endOffer(
  change: ConversationChange,
  outcome: 'declined' | 'expired' | 'withdrawn',
  reason: string | null,
): void {
  change.offers.end = { outcome, reason }
  clearOffer(change.conversation)
}
