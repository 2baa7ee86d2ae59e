import type { ConversationChange } from '../state/conversation-change.js'
import type { Router } from '../routing/router.js'
import { applyMove } from '../state/transitions.js'
import type { Command } from './command.js'

/**
 * `/leave`, `/close` (3.1): removes the participant. If this was the last accepting participant, the conversation
 * closes if the last consumer message was answered; otherwise it is queued again. For a user who is not a participant,
 * the command has no effect, since commands of one client may arrive in any order; but while creating a conversation,
 * it closes a conversation that no agent has opened (4.7, rule 5).
 */
export const leave: Command = {
  name: 'leave',
  aliases: ['close'],
  permission: 'conversation.command',
  grant: null,
  takesUser: true,
  async run({ change, router, actor, sender, isInCreate }) {
    // A governed bot may give up whenever it likes; not others, and not so that nobody looks at it again.
    if (actor.userId === sender.member?.userId) change.grants.pass()
    else await change.grants.require('other')
    if (!change.participants.delete(actor.userId) && !isInCreate) return
    const { conversation } = change
    const wasClosed = conversation.status === 'closed'
    const wasActive = conversation.status === 'active'
    await settleAfterLeave(change, router, '/leave')
    if (conversation.status === 'closed' && !wasClosed) await change.grants.require('close')
    // Else it would be offered straight back, as preferLastSeconds has it.
    if (wasActive && conversation.status === 'queued')
      conversation.needs = { ...conversation.needs, leftBy: [actor.userId] }
  },
}

/** Closes or requeues an active conversation that has no accepting agent left (3.1). */
export async function settleAfterLeave(change: ConversationChange, router: Router, trigger: string): Promise<void> {
  const { conversation, participants } = change
  const stillAccepted = [...participants.values()].some((participant) => participant.accepted)
  if (conversation.type !== 'contact' || conversation.status !== 'active' || stillAccepted) return
  const { queues } = applyMove(conversation, conversation.awaitingReply ? 'leaveUnanswered' : 'leaveAnswered')
  if (queues) await router.queue(change, { trigger })
}
