import type { Context } from '../../context.js'
import { parseText } from '../../input.js'
import { replaceMeta } from '../../json.js'
import { checkPage } from '../../messages/meta-of-kind.js'
import { selectTouchpoint, setCategory } from '../commands/set.js'
import type { UpdateConversationInput } from './conversation-input.js'
import type { ConversationState } from '../writing/conversation-state.js'
import type { ConversationWriter } from '../writing/conversation-writer.js'
import { parseLanguage } from './create-conversation.js'
import { CONVERSATION_DELETED, deletionKey } from '../writing/deletion-jobs.js'

/**
 * Updates the given keys; `meta` is replaced except for the system's keys. @throws BadUserInput, NotFound,
 * Unprocessable
 */
export function updateConversation(
  writer: ConversationWriter,
  ctx: Context,
  id: string,
  patch: UpdateConversationInput,
): Promise<ConversationState> {
  return writer.run(ctx, id, async (draft) => {
    const { conversation } = draft
    if (patch.name !== undefined) conversation.name = parseText(patch.name, 'name', { min: 1, max: 200 })
    if (patch.language !== undefined) conversation.language = parseLanguage(patch.language)
    if (patch.touchpoint !== undefined) selectTouchpoint(conversation, patch.touchpoint)
    if (patch.meta !== undefined) {
      conversation.meta = replaceMeta(conversation.meta, patch.meta, 'meta')
      checkPage(conversation.meta, 'meta')
    }
    if (patch.category !== undefined) await setCategory(draft, patch.category, 'category')
    return conversation
  })
}

/**
 * Deletes a conversation with its content. Queues and inboxes receive events; jobs erase the content from events,
 * webhooks and stored responses.
 */
export async function deleteConversation(writer: ConversationWriter, ctx: Context, id: string): Promise<boolean> {
  await writer.runExclusive(ctx, id, (draft) => {
    const { conversation } = draft
    draft.remove()
    draft.afterWrites('delete from conversation where id = $1', [conversation.id])
    const deleted = { deleted: conversation.id }
    draft.addJob(CONVERSATION_DELETED.create(deleted, deletionKey(conversation.organizationId)))
  })
  return true
}
