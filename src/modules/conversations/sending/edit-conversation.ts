import { pathOf } from '../../../platform/db/tenancy.js'
import type { Context } from '../../../platform/context.js'
import { parseText } from '../../../platform/input.js'
import { replaceMeta } from '../../../platform/json.js'
import { requireVersion } from '../../../platform/lists/record-version.js'
import { checkPage } from '../../messages/meta-of-kind.js'
import { selectTouchpoint } from '../commands/select-touchpoint.js'
import { setCategory } from '../commands/set.js'
import type { UpdateConversationInput } from './conversation-input.js'
import type { ConversationState } from '../state/conversation-state.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { WritingChange } from '../state/writing-change.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { parseLanguage } from './create-conversation.js'
import { removeConversation } from './remove-conversation.js'
import type { SendDependencies } from './send-message.js'
import { applySnooze, snoozeLocks } from './snooze-conversation.js'
import { CONVERSATION_DELETED, deletionKey } from '../state/deletion-jobs.js'

/**
 * Updates the given keys; `meta` is replaced except for the system's keys. @throws BadUserInput, NotFound,
 * Unprocessable
 */
export async function updateConversation(
  { writer, ...snoozing }: Pick<SendDependencies, 'writer' | 'router' | 'assignments'>,
  ctx: Context,
  id: string,
  patch: UpdateConversationInput,
): Promise<ConversationState> {
  const { snoozedUntil: until } = patch
  const update = async (change: ConversationChange): Promise<ConversationState> => {
    const { conversation } = change
    requireVersion('Conversation', conversation, patch.ifVersion)
    if (patch.name !== undefined) conversation.name = parseText(patch.name, 'name', { min: 1, max: 200 })
    if (patch.language !== undefined) conversation.language = parseLanguage(patch.language)
    if (patch.touchpoint !== undefined) await selectTouchpoint(change, patch.touchpoint, 'touchpoint')
    if (patch.meta !== undefined) {
      conversation.meta = replaceMeta(conversation.meta, patch.meta, 'meta')
      checkPage(conversation.meta, 'meta')
    }
    if (patch.category !== undefined) await setCategory(change, patch.category, 'category')
    return conversation
  }
  if (until === undefined) return writer.run(ctx, id, update)
  const operation = async (change: WritingChange): Promise<ConversationState> => {
    const conversation = await update(change)
    await applySnooze(change, ctx, snoozing, { until, field: 'snoozedUntil' })
    return conversation
  }
  return writer.runExclusive(ctx, id, operation, await snoozeLocks(ctx, snoozing.assignments))
}

/**
 * Deletes a conversation with its content. Queues and inboxes receive events; jobs erase the content from events,
 * webhooks and stored responses. @throws NotFound; OnHold
 */
export async function deleteConversation(writer: ConversationWriter, ctx: Context, id: string): Promise<boolean> {
  await writer.runExclusive(ctx, id, async (change) => {
    const { conversation } = change
    await removeConversation(change, { isErased: false })
    const deleted = { conversations: [conversation.id], path: pathOf(conversation) }
    change.addJob(CONVERSATION_DELETED.create(deleted, deletionKey(conversation.id)))
  })
  return true
}
