import type { MessageRow } from '../../messages/message-row.js'
import { viewersOf } from '../../presence/viewers.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import { suggestMerges } from './merge-suggestions.js'
import { copyPage } from './consumer-page.js'
import type { Router } from '../routing/router.js'
import { applyMove } from '../writing/transitions.js'

/**
 * Applies the effects of a consumer message: marks the conversation as unanswered, adds it to followers' inboxes, and
 * queues it if closed (3.1, 3.2).
 */
export async function receiveConsumerMessage(
  draft: ConversationDraft,
  { message, router, isInCreate }: { message: MessageRow; router: Router; isInCreate: boolean },
): Promise<void> {
  const { conversation, participants } = draft
  if (message.isBackchannel) return
  conversation.awaitingReply = true
  copyPage(draft, message)
  const followers = [...participants.values()].filter(({ follow, inbox }) => follow && !inbox)
  if (followers.length > 0) {
    const watching = await viewersOf(draft.sql, conversation.id)
    for (const follower of followers) if (!watching.has(follower.userId)) follower.inbox = true
  }
  const wasQueued = conversation.status === 'queued'
  const { queues } = applyMove(conversation, isInCreate && !wasQueued ? 'firstContactMessage' : 'contactMessage')
  if (!queues) return
  await router.queue(draft, { trigger: 'contact message' })
  // A new conversation is queued by the create.
  if (!draft.isNew) await suggestMerges(draft)
}
