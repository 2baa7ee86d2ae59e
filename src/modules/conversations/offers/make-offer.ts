import { defineJob } from '../../../platform/jobs/job-type.js'
import type { Assignment } from '../../channels/assignment.js'
import { acceptAs } from '../commands/accept.js'
import { emptyMessage } from '../messages/unplaced-message.js'
import { queueChannels } from '../state/change-events.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { Candidate } from '../state/offer.js'
import { skillsAskedOf, type Pairing } from './match.js'

/** Job: the offer expires, if it is still pending. */
export const OFFER_EXPIRE = defineJob<{ conversation: string; offer: string }>('offer.expire', {
  conversation: 'string',
  offer: 'string',
})

/**
 * Offers a conversation to an agent, or assigns it, if all that was decided on still holds under the locks of the
 * conversation and the agent's row (`agentLocks`). @returns whether it did
 */
export function makeOffer(
  change: ConversationChange,
  { conversation: decided, channel, agent }: Pairing,
  { assignment, candidates }: { assignment: Assignment; candidates: readonly Candidate[] },
): boolean {
  const { conversation, agentLocks, clock, now } = change
  const isUnchanged =
    conversation.version === decided.version && conversation.status === 'queued' && !conversation.offerId
  if (!isUnchanged || !queueChannels(conversation).includes(channel)) return false
  const lockedAgent = agentLocks.of(agent.id)
  if (lockedAgent?.availability !== 'available' || lockedAgent.awaitsVerdict || lockedAgent.wrapsUp) return false
  if (lockedAgent.seats.get(channel) !== assignment.mode) return false
  if (lockedAgent.organization === null || !decided.path.includes(lockedAgent.organization)) return false
  if (!skillsAskedOf(decided, now.getTime()).every((skill) => lockedAgent.skills.has(skill))) return false
  if (!agentLocks.take(agent.id, decided.weight)) return false
  const id = clock.newId()
  const until = new Date(now.getTime() + assignment.offerSeconds * 1_000)
  const isAssigned = assignment.mode === 'assign'
  change.offers.made.push({
    id,
    conversationId: conversation.id,
    queueing: conversation.queueing,
    channelId: channel,
    userId: agent.id,
    madeAt: now,
    until,
    outcome: isAssigned ? 'accepted' : null,
    endedAt: isAssigned ? now : null,
    candidates,
  })
  if (isAssigned) assign(change, agent, id)
  else {
    Object.assign(conversation, { offerId: id, offerUserId: agent.id, offerUntil: until, offerAt: now })
    change.addJob(OFFER_EXPIRE.create({ conversation: conversation.id, offer: id }, { runAt: until }))
  }
  return true
}

/** Accepts in the agent's name, and says so in the conversation as `/accept` does. */
function assign(change: ConversationChange, { id: userId, name, avatar, role }: Pairing['agent'], offer: string): void {
  const channels = queueChannels(change.conversation)
  acceptAs(change, { userId, name, avatar, role })
  change.addMessage({
    ...emptyMessage(change.clock.newId()),
    type: 'command',
    text: '/accept',
    userId,
    isBackchannel: true,
    meta: { channels, isTask: true, offer },
  })
}
