import { defineJob } from '../../jobs/job-type.js'
import type { Assignment } from '../../channels/assignment.js'
import { acceptAs } from '../commands/accept.js'
import { emptyMessage } from '../messages/new-message.js'
import { queueChannels } from '../writing/change-events.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { Candidate } from '../writing/offer.js'
import { skillsAskedOf, type Pairing } from './match.js'

/** Job: the offer expires, if it is still pending. */
export const OFFER_EXPIRE = defineJob<{ conversation: string; offer: string }>('offer.expire', {
  conversation: 'string',
  offer: 'string',
})

/**
 * Offers a conversation to an agent, or assigns it, if all that was decided on still holds under the locks of the
 * conversation and the agent's row (`claims`). @returns whether it did
 */
export function makeOffer(
  draft: ConversationDraft,
  { conversation: decided, channel, agent }: Pairing,
  { assignment, candidates }: { assignment: Assignment; candidates: readonly Candidate[] },
): boolean {
  const { conversation, claims, clock, now } = draft
  const isUnchanged =
    conversation.version === decided.version && conversation.status === 'queued' && !conversation.offerId
  if (!isUnchanged || !queueChannels(conversation).includes(channel)) return false
  const claimed = claims.of(agent.id)
  if (claimed?.availability !== 'available' || claimed.seats.get(channel) !== assignment.mode) return false
  if (claimed.organization === null || !decided.path.includes(claimed.organization)) return false
  if (!skillsAskedOf(decided, now.getTime()).every((skill) => claimed.skills.has(skill))) return false
  if (!claims.take(agent.id, decided.weight)) return false
  const id = clock.newId()
  const until = new Date(now.getTime() + assignment.offerSeconds * 1_000)
  const isAssigned = assignment.mode === 'assign'
  draft.offers.made.push({
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
  if (isAssigned) assign(draft, agent, id)
  else {
    Object.assign(conversation, { offerId: id, offerUserId: agent.id, offerUntil: until, offerAt: now })
    draft.addJob(OFFER_EXPIRE.create({ conversation: conversation.id, offer: id }, { runAt: until }))
  }
  return true
}

/** Accepts in the agent's name, and says so in the conversation as `/accept` does. */
function assign(draft: ConversationDraft, { id: userId, name, avatar, role }: Pairing['agent'], offer: string): void {
  const channels = queueChannels(draft.conversation)
  acceptAs(draft, { userId, name, avatar, role })
  draft.addMessage({
    ...emptyMessage(draft.clock.newId()),
    type: 'command',
    text: '/accept',
    userId,
    isBackchannel: true,
    meta: { channels, isTask: true, offer },
  })
}
