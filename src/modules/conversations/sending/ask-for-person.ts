import type { Context } from '../../../platform/context.js'
import { Forbidden, Unprocessable } from '../../../platform/errors.js'
import { emptyMessage } from '../messages/unplaced-message.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { inGuestsConversation, requireUnblockedGuest } from '../state/guest-line.js'
import { applyMove } from '../state/transitions.js'
import { endStream } from './end-stream.js'
import type { SendDependencies } from './send-message.js'

/**
 * A consumer wants a person: bots leave the conversation, and it is queued for agents unless one of them has it. Repeating it
 * changes nothing.
 * @returns false if a person has it already
 * @throws Forbidden for users; Unprocessable for an archived or a team conversation; RateLimited as for messages
 */
export function askForPerson(
  { writer, router, guestLimits }: SendDependencies,
  ctx: Context,
  conversationId: string,
): Promise<boolean> {
  const { guestCaller: guest, address } = ctx
  if (!guest) throw new Forbidden('only a guest asks for a person: an agent or a bot hands over')
  const ask = async (change: ConversationChange): Promise<boolean> => {
    const { conversation, participants } = change
    await requireUnblockedGuest(ctx, change)
    requireOpen(change)
    const taking = [...participants.values()].filter(({ accepted }) => accepted && conversation.status === 'active')
    if (taking.some(({ role }) => role !== 'bot')) return false
    const bots = [...participants.values()].filter(
      ({ role, active, accepted }) => role === 'bot' && (active || accepted),
    )
    for (const stream of change.streams) await endStream(change, stream, 'stopped')
    if (conversation.status === 'queued' && bots.length === 0) return true
    for (const { userId } of bots) participants.delete(userId)
    change.addMessage({
      ...emptyMessage(change.clock.newId()),
      isBackchannel: true,
      text: 'The consumer asks for a person.',
    })
    conversation.awaitingReply = true
    conversation.unansweredSince ??= change.now
    if (conversation.status === 'queued') return true
    applyMove(conversation, 'enqueue')
    await router.queue(change, { trigger: 'asked for a person' })
    return true
  }
  return guestLimits
    .countMessages({ guest, address }, conversationId, 1)
    .then(() => inGuestsConversation(ctx, conversationId, (id) => writer.run(ctx, id, ask)))
}

function requireOpen({ conversation: { status, type } }: ConversationChange): void {
  if (type !== 'contact')
    throw new Unprocessable('nobody waits in a team conversation', { reason: 'CONVERSATION_TYPE', type })
  if (status === 'archived')
    throw new Unprocessable('the conversation is archived', { reason: 'CONVERSATION_STATUS', status })
}
