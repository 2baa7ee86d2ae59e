import { Unprocessable } from '../../../platform/errors.js'
import { isAbsent, parseBoolean, parseOneOf } from '../../../platform/input.js'
import { OFFER_ANSWERED } from '../../staffing/staffing-jobs.js'
import { queueChannels } from '../state/change-events.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { Member } from '../state/new-participant.js'
import { applyMove } from '../state/transitions.js'
import { requireMayAccept } from './accept-offered.js'
import type { Command } from './command.js'
import { parseIds } from './parse-ids.js'

interface AcceptArguments {
  /** Accepts only a conversation that is still queued. */
  ifQueued?: boolean
  /** Origin of the acceptance (2.12). */
  trigger?: (typeof TRIGGERS)[number]
  /** Channels whose queues the conversation leaves; by default all of its queue. */
  channels?: string[]
}

const TRIGGERS = ['inbox', 'channel', 'notification', 'shortkey', 'command', 'open', 'link'] as const // 2.12

/**
 * `/accept` (4.8, 3.1): with `ifQueued`, only one of several agents succeeds; the others get an error that names
 * that agent.
 */
export const accept: Command<AcceptArguments> = {
  name: 'accept',
  permission: 'conversation.command',
  grant: 'accept',
  takesUser: true,
  check: ({ ifQueued, trigger, channels }, at) => ({
    ...(!isAbsent(ifQueued) && { ifQueued: parseBoolean(ifQueued, at('ifQueued')) }),
    ...(!isAbsent(trigger) && { trigger: parseOneOf(trigger, at('trigger'), TRIGGERS) }),
    ...(!isAbsent(channels) && { channels: parseIds(channels, at('channels')) }),
  }),
  async run({ change, actor, given, message }) {
    const { ifQueued, channels = queueChannels(change.conversation) } = given
    const { offerId, offerUserId, taskChannels } = change.conversation
    const isOffered = offerId !== null && offerUserId === actor.userId
    const isTask = isOffered || channels.some((channel) => taskChannels.includes(channel))
    if (ifQueued && change.conversation.status !== 'queued' && !hasAccepted(change, actor)) throw alreadyTaken(change)
    await requireMayAccept(change, actor)
    acceptAs(change, actor)
    const { userId: user } = actor
    if (!isOffered && change.agentLocks.of(user)?.availability === 'notResponding')
      change.addJob(OFFER_ANSWERED.create({ user, isAccepted: true }))
    // 2.12: only the server sets `isTask`. `channels`: the channels whose queues the conversation leaves.
    message.meta = { ...message.meta, ...(channels.length > 0 && { channels }), isTask }
  },
}

/** Makes the member an accepting participant and the conversation active; also used when an agent answers (4.7). */
export function acceptAs(change: ConversationChange, member: Member, move: 'accept' | 'agentMessage' = 'accept'): void {
  const { conversation, participants } = change
  // An acceptance from before the conversation was last queued or closed no longer counts toward the last accepting
  // agent.
  if (conversation.status !== 'active') for (const participant of participants.values()) participant.accepted = false
  applyMove(conversation, move)
  const participant = change.join(member)
  if (!participant.accepted) showAgent(change, member)
  Object.assign(participant, { active: true, accepted: true, inbox: false })
}

/** Sets `_agent` and `_agentAvatar`, from which backend automations know the name shown to the consumer (2.12). */
function showAgent({ conversation }: ConversationChange, { name, avatar }: Member): void {
  const { _agent, _agentAvatar, ...meta } = conversation.meta
  const agentMeta = { ...(name !== null && { _agent: name }), ...(avatar !== null && { _agentAvatar: avatar }) }
  conversation.meta = { ...meta, ...agentMeta }
}

/**
 * Tells whether the member has accepted already: a repeat succeeds, since the first response may have been lost (open
 * points).
 */
function hasAccepted({ conversation, participants }: ConversationChange, { userId }: Member): boolean {
  return conversation.status === 'active' && participants.get(userId)?.accepted === true
}

/** Creates the error that names the agent who accepted first. */
function alreadyTaken({ conversation, participants }: ConversationChange): Unprocessable {
  const winner = [...participants.values()].find((participant) => participant.accepted)
  const by = winner ? ` by ${winner.name ?? winner.userId}` : ''
  return new Unprocessable(
    winner ? `the conversation was already accepted${by}` : `the conversation is ${conversation.status}, not queued`,
    {
      reason: winner ? 'ALREADY_ACCEPTED' : 'CONVERSATION_STATUS',
      status: conversation.status,
      acceptedBy: winner?.userId ?? null,
    },
  )
}
