import type { Context } from '../../../platform/context.js'
import { Unprocessable } from '../../../platform/errors.js'
import type { ClockPolicies } from './clock-policies.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { recountCase } from './recount-case.js'

/**
 * Chooses the policy of the current case anew, by the facts as they are now, and counts its clocks again by its current
 * version from the milestones of the case. Clocks that have stopped stay as they are; those for which it has no target are
 * cancelled.
 * @throws NotFound; Unprocessable if the conversation is closed
 */
export function reapplySla(
  ctx: Context,
  { writer, clockPolicies }: { writer: ConversationWriter; clockPolicies: ClockPolicies },
  conversation: string,
): Promise<ConversationState> {
  return writer.run(ctx, conversation, async (change) => {
    const { conversation: state } = change
    if (state.status !== 'queued' && state.status !== 'active') {
      throw new Unprocessable(`the conversation is ${state.status}: clocks run only in open ones`, {
        reason: 'CONVERSATION_STATUS',
        status: state.status,
      })
    }
    await recountCase(change, await clockPolicies.choose(change))
    return state
  })
}
