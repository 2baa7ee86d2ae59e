import { Unprocessable } from '../../errors.js'
import type { ConversationWork } from '../conversation-work.js'
import type { Router } from '../router.js'
import { applyMove } from '../transitions.js'
import type { Command } from './command.js'

/**
 * `/leave`, `/close` (3.1): the participant is removed. When it was the last accepting one, the conversation closes if
 * the last consumer message was answered; else it is queued again. In a create, who takes no part may leave too: the
 * command closes what no agent has opened (4.7, rule 5).
 */
export const leave: Command<'leave'> = {
  name: 'leave',
  permission: 'conversation.command',
  async run({ work, router, actor, isInCreate }) {
    if (!work.participants.delete(actor.userId) && !isInCreate) {
      throw new Unprocessable(`user ${actor.userId} is not a participant of the conversation`, {
        field: 'user',
        user: actor.userId,
      })
    }
    await settleAfterLeave(work, router, '/leave')
  },
}

/** Closes or requeues an active conversation that no accepting agent is left in (3.1). */
export async function settleAfterLeave(work: ConversationWork, router: Router, trigger: string): Promise<void> {
  const { conversation, participants } = work
  const stillAccepted = [...participants.values()].some((participant) => participant.accepted)
  if (conversation.type !== 'contact' || conversation.status !== 'active' || stillAccepted) return
  const { queues } = applyMove(conversation, conversation.awaitingReply ? 'leaveUnanswered' : 'leaveAnswered')
  if (queues) await router.queue(work, { trigger })
}
