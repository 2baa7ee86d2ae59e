import type { MessageRow } from '../../messages/message-row.js'
import { viewersOf } from '../../../platform/presence/viewers.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { suggestMerges } from './merge-suggestions.js'
import { copyPage } from './consumer-page.js'
import type { Router } from '../routing/router.js'
import { putInInbox } from '../state/inbox-reason.js'
import { wake } from '../state/snooze.js'
import { applyMove } from '../state/transitions.js'

/**
 * Applies the effects of a consumer message: marks the conversation as unanswered, adds it to followers' inboxes, and
 * queues it if closed (3.1, 3.2).
 */
export async function receiveConsumerMessage(
  change: ConversationChange,
  { message, router, isInCreate }: { message: MessageRow; router: Router; isInCreate: boolean },
): Promise<void> {
  const { conversation, participants } = change
  if (message.isBackchannel) return
  conversation.awaitingReply = true
  copyPage(change, message)
  wake(change, message.id)
  const followers = [...participants.values()].filter(({ follow, inbox }) => follow && !inbox)
  if (followers.length > 0) {
    const watching = await viewersOf(change.sql, conversation.id)
    for (const follower of followers) if (!watching.has(follower.userId)) putInInbox(follower, 'followed', message.id)
  }
  const wasQueued = conversation.status === 'queued'
  const { queues } = applyMove(conversation, isInCreate && !wasQueued ? 'firstContactMessage' : 'contactMessage')
  if (!queues) return
  await router.queue(change, { trigger: 'contact message' })
  // A new conversation is queued by the create.
  if (!change.isNew) await suggestMerges(change)
}
