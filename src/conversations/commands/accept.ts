import { Unprocessable } from '../../errors.js'
import { isAbsent, parseBoolean, parseOneOf } from '../../input.js'
import { OFFER_ANSWERED } from '../../staffing/staffing-jobs.js'
import { queueChannels } from '../writing/change-events.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { Member } from '../writing/new-participant.js'
import { applyMove } from '../writing/transitions.js'
import { requireMayAccept } from './accept-offered.js'
import type { Command } from './command.js'
import { idsOf } from './meta-ids.js'

const TRIGGERS = ['inbox', 'channel', 'notification', 'shortkey', 'command', 'open', 'link'] as const // 2.12

/**
 * `/accept` (4.8, 3.1): with `meta.ifQueued`, only one of several agents succeeds; the others get an error that names
 * that agent.
 */
export const accept: Command = {
  name: 'accept',
  permission: 'conversation.command',
  takesUser: true,
  async run({ draft, actor, meta, message }) {
    if (!isAbsent(meta.trigger)) parseOneOf(meta.trigger, 'meta.trigger', TRIGGERS)
    const ifQueued = !isAbsent(meta.ifQueued) && parseBoolean(meta.ifQueued, 'meta.ifQueued')
    const channels = idsOf(meta, 'channels') ?? queueChannels(draft.conversation)
    const { offerId, offerUserId, taskChannels } = draft.conversation
    const isOffered = offerId !== null && offerUserId === actor.userId
    const isTask = isOffered || channels.some((channel) => taskChannels.includes(channel))
    if (ifQueued && draft.conversation.status !== 'queued' && !hasAccepted(draft, actor)) throw alreadyTaken(draft)
    await requireMayAccept(draft, actor)
    acceptAs(draft, actor)
    const { userId: user } = actor
    if (!isOffered && draft.claims.of(user)?.availability === 'notResponding')
      draft.addJob(OFFER_ANSWERED.create({ user, isAccepted: true }))
    // 2.12: only the server sets `isTask`. `channels`: the channels whose queues the conversation leaves.
    message.meta = { ...meta, ...(channels.length > 0 && { channels }), isTask }
  },
}

/** Makes the member an accepting participant and the conversation active; also used when an agent answers (4.7). */
export function acceptAs(draft: ConversationDraft, member: Member, move: 'accept' | 'agentMessage' = 'accept'): void {
  const { conversation, participants } = draft
  // An acceptance from before the conversation was last queued or closed no longer counts toward the last accepting
  // agent.
  if (conversation.status !== 'active') for (const participant of participants.values()) participant.accepted = false
  applyMove(conversation, move)
  const participant = draft.join(member)
  if (!participant.accepted) showAgent(draft, member)
  Object.assign(participant, { active: true, accepted: true, inbox: false })
}

/** Sets `_agent` and `_agentAvatar`, from which backend automations know the name shown to the consumer (2.12). */
function showAgent({ conversation }: ConversationDraft, { name, avatar }: Member): void {
  const { _agent, _agentAvatar, ...meta } = conversation.meta
  const agentMeta = { ...(name !== null && { _agent: name }), ...(avatar !== null && { _agentAvatar: avatar }) }
  conversation.meta = { ...meta, ...agentMeta }
}

/**
 * Whether the member has accepted already: a repeat succeeds, since the first response may have been lost (open
 * points).
 */
function hasAccepted({ conversation, participants }: ConversationDraft, { userId }: Member): boolean {
  return conversation.status === 'active' && participants.get(userId)?.accepted === true
}

/** Creates the error that names the agent who accepted first. */
function alreadyTaken({ conversation, participants }: ConversationDraft): Unprocessable {
  const winner = [...participants.values()].find((participant) => participant.accepted)
  const by = winner ? ` by ${winner.name ?? winner.userId}` : ''
  return new Unprocessable(
    winner ? `the conversation was already accepted${by}` : `the conversation is ${conversation.status}, not queued`,
    { status: conversation.status, acceptedBy: winner?.userId ?? null },
  )
}
