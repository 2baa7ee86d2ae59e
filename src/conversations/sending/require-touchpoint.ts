import { BadUserInput } from '../../errors.js'
import { parseCommand } from '../commands/parse-command.js'
import type { MessageDraft } from '../../messages/message-content.js'
import { isConsumerVisible } from '../../messages/message-row.js'
import type { ConversationState } from '../writing/conversation-state.js'

/**
 * Checks that the first message to be delivered has a touchpoint, its own or the conversation's (4.7, create rule 3;
 * open points). Checked when messages are sent, also for delayed ones, since nobody would notice a later refusal.
 * @param at returns the path of the n-th draft
 * @throws BadUserInput naming the draft's touchpoint
 */
export function requireTouchpoint(
  { type, touchpoint }: Pick<ConversationState, 'type' | 'touchpoint'>,
  drafts: readonly MessageDraft[],
  at: (index: number) => string,
): void {
  if (type !== 'contact' || touchpoint !== null) return
  for (const [index, messageDraft] of drafts.entries()) {
    if (messageDraft.touchpoint !== null || messageDraft.service !== null || choosesTouchpoint(messageDraft)) return
    if (messageDraft.role !== 'agent' || !isConsumerVisible(messageDraft)) continue
    const field = `${at(index)}touchpoint`
    throw new BadUserInput(field, `${field} is required: the conversation has none`)
  }
}

function choosesTouchpoint({ type, text }: MessageDraft): boolean {
  if (type !== 'command') return false
  const parsed = parseCommand(text ?? '')
  return parsed.name === 'set' && parsed.attribute === 'touchpoint'
}
