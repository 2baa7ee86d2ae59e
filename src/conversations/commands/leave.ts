import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { Router } from '../routing/router.js'
import { applyMove } from '../writing/transitions.js'
import type { Command } from './command.js'

/**
 * `/leave`, `/close` (3.1): the participant is removed. When it was the last accepting one, the conversation closes if
 * the last consumer message was answered; else it is queued again. Who takes no part leaves without
 * effect, since commands of one client may arrive in any order; but in a create, the command closes what no agent has
 * opened (4.7, rule 5).
 */
export const leave: Command = {
  name: 'leave',
  aliases: ['close'],
  permission: 'conversation.command',
  takesUser: true,
  async run({ draft, router, actor, isInCreate }) {
    if (!draft.participants.delete(actor.userId) && !isInCreate) return
    await settleAfterLeave(draft, router, '/leave')
  },
}

/** Closes or requeues an active conversation that no accepting agent is left in (3.1). */
export async function settleAfterLeave(draft: ConversationDraft, router: Router, trigger: string): Promise<void> {
  const { conversation, participants } = draft
  const stillAccepted = [...participants.values()].some((participant) => participant.accepted)
  if (conversation.type !== 'contact' || conversation.status !== 'active' || stillAccepted) return
  const { queues } = applyMove(conversation, conversation.awaitingReply ? 'leaveUnanswered' : 'leaveAnswered')
  if (queues) await router.queue(draft, { trigger })
}
