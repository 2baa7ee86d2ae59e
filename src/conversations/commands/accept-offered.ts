import { assignmentOf, type ChannelAssignment } from '../../channels/assignment.js'
import { Unprocessable } from '../../errors.js'
import { reading } from '../../db/sql.js'
import { weightOf } from '../../staffing/load.js'
import { queueChannels } from '../writing/change-events.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { Member } from '../writing/new-participant.js'

/**
 * Checks that the member may accept: nobody else's offer that others may not accept is pending, and the channel's limit
 * of pulls leaves room. An own offer was counted when it was made.
 * @throws Unprocessable `offeredToOther`, `atCapacity`
 */
export async function requireMayAccept(draft: ConversationDraft, { userId }: Member): Promise<void> {
  const { conversation, participants, claims } = draft
  const isOwn = conversation.offerUserId === userId
  const claimed = claims.of(userId)
  const isHeld = conversation.status === 'active' && participants.get(userId)?.accepted === true
  if (isOwn || isHeld || (!conversation.offerId && !claimed)) return
  const rows = await draft.sql.query<{ assignment: ChannelAssignment }>(ASSIGNMENTS, [queueChannels(conversation)])
  const assignments = rows.map(({ assignment }) => assignmentOf(assignment))
  if (conversation.offerId && assignments.some(({ othersMayAccept }) => !othersMayAccept)) {
    const details = { reason: 'offeredToOther', offeredTo: conversation.offerUserId }
    throw new Unprocessable('the conversation is offered to another agent', details)
  }
  if (!claimed || !assignments.some(({ limitPulls }) => limitPulls)) return
  const weight = weightOf(conversation)
  if (claims.take(userId, weight)) return
  const { load, capacity } = claimed
  throw new Unprocessable(
    `the agent has ${load} of ${capacity} units; the conversation needs ${weight}, and the channel limits what agents accept`,
    { reason: 'atCapacity', load, capacity, weight },
  )
}

const ASSIGNMENTS = reading('select assignment from channel where id = any($1::uuid[]) and assignment is not null')
