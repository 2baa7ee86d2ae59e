import { assignmentOf, type Assignment, type ChannelAssignment } from '../../channels/assignment.js'
import { Unprocessable } from '../../../platform/errors.js'
import { reading } from '../../../platform/db/sql.js'
import { weightOf } from '../../staffing/load.js'
import { queueChannels } from '../state/change-events.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { Member } from '../state/new-participant.js'

/**
 * Checks that the member may accept: nobody else's offer that others may not accept is pending, and the channel's limit
 * of pulls leaves room. What a channel says binds its own members; others too if all channels of the queue say it. An own
 * offer was counted when it was made.
 * @throws Unprocessable `OFFERED_TO_OTHER`, `AT_CAPACITY`
 */
export async function requireMayAccept(change: ConversationChange, { userId }: Member): Promise<void> {
  const { conversation, participants, agentLocks } = change
  const isOwn = conversation.offerUserId === userId
  const lockedAgent = agentLocks.of(userId)
  const isHeld = conversation.status === 'active' && participants.get(userId)?.accepted === true
  if (isOwn || isHeld || (!conversation.offerId && !lockedAgent)) return
  const rows = await change.sql.query<QueueRow>(QUEUES, [queueChannels(conversation), userId])
  const queues = rows.map(({ assignment, isMember }) => ({ ...assignmentOf(assignment), isMember }))
  const isBound = (says: (queue: Assignment) => boolean): boolean =>
    queues.some((queue) => says(queue) && (queue.isMember || queues.every(says)))
  if (conversation.offerId && isBound(({ mode, othersMayAccept }) => mode !== 'pull' && !othersMayAccept)) {
    const details = { reason: 'OFFERED_TO_OTHER', offeredTo: conversation.offerUserId } as const
    throw new Unprocessable('the conversation is offered to another agent', details)
  }
  if (!lockedAgent || !isBound(({ limitPulls }) => limitPulls)) return
  const weights = queues.flatMap((queue) => queue.weight ?? [])
  const weight = weightOf({ ...conversation, channelWeight: weights.length > 0 ? Math.max(...weights) : null })
  if (agentLocks.take(userId, weight)) return
  const { load, capacity } = lockedAgent
  throw new Unprocessable(
    `the agent has ${load} of ${capacity} units; the conversation needs ${weight}, and the channel limits what agents accept`,
    { reason: 'AT_CAPACITY', load, capacity, weight },
  )
}

interface QueueRow {
  assignment: ChannelAssignment | null
  isMember: boolean
}

const QUEUES = reading(`select c.assignment, exists (
    select from channel_member m where m.channel_id = c.id and m.user_id = $2) as "isMember"
  from channel c where c.id = any($1::uuid[])`)
