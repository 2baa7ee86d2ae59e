import type { Router } from '../routing/router.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { applyMove } from '../state/transitions.js'

/**
 * Takes a bot that cannot go on out of a conversation, which then waits for a person. Changes nothing if a person has it, or if another
 * bot has it and this one not. Needs the conversation's lock.
 * @param options.isUnanswered true if the consumer waits for more than what was said last
 * @returns true if it was queued
 */
export async function requeueFor(
  change: ConversationChange,
  router: Router,
  bot: string,
  { trigger, isUnanswered = false }: { trigger: string; isUnanswered?: boolean },
): Promise<boolean> {
  const { conversation, participants } = change
  if (conversation.type !== 'contact' || conversation.status !== 'active') return false
  const accepted = [...participants.values()].filter((each) => each.accepted)
  if (accepted.some(({ role }) => role !== 'bot')) return false
  if (accepted.length > 0 && !participants.get(bot)?.accepted) return false
  participants.delete(bot)
  if (accepted.some(({ userId }) => userId !== bot)) return false
  if (isUnanswered) {
    conversation.awaitingReply = true
    conversation.unansweredSince ??= change.now
  }
  applyMove(conversation, 'enqueue')
  await router.queue(change, { trigger })
  return true
}
