import type { JsonObject } from '../json.js'
import type { MessageRow } from '../messages/message-row.js'
import { viewersOf } from '../presence/presence.js'
import type { ConversationWork } from './conversation-work.js'
import { suggestMerges } from './merge-suggestions.js'
import { emptyMessage } from './new-message.js'
import type { Router } from './router.js'
import { applyMove } from './transitions.js'

/** A consumer message: unanswered now; followers' inboxes; a closed conversation is queued (3.1, 3.2). */
export async function receiveConsumerMessage(
  work: ConversationWork,
  { message, router, isInCreate }: { message: MessageRow; router: Router; isInCreate: boolean },
): Promise<void> {
  const { conversation, participants } = work
  if (message.isBackchannel) return
  conversation.awaitingReply = true
  copyPage(work, message)
  const followers = [...participants.values()].filter(({ follow, inbox }) => follow && !inbox)
  if (followers.length > 0) {
    const watching = await viewersOf(work.sql, conversation.id)
    for (const follower of followers) if (!watching.has(follower.userId)) follower.inbox = true
  }
  const wasQueued = conversation.status === 'queued'
  const { queues } = applyMove(conversation, isInCreate && !wasQueued ? 'firstContactMessage' : 'contactMessage')
  if (!queues) return
  await router.queue(work, { trigger: 'contact message' })
  // Of a new one, the create does it.
  if (!work.isNew) await suggestMerges(work)
}

/** `title` and `url` of a consumer message are kept on the conversation; a system message tells of a change (2.12). */
function copyPage(work: ConversationWork, { meta }: MessageRow): void {
  const { conversation } = work
  const { _title: earlierTitle, _url: earlierUrl } = conversation.meta
  const page: JsonObject = {
    ...(typeof meta?.title === 'string' && meta.title !== earlierTitle && { _title: meta.title }),
    ...(typeof meta?.url === 'string' && meta.url !== earlierUrl && { _url: meta.url }),
  }
  if (Object.keys(page).length === 0) return
  conversation.meta = { ...conversation.meta, ...page }
  const { _title: title, _url: url } = conversation.meta
  work.addMessage({
    ...emptyMessage(work.clock.newId()),
    role: 'system',
    isBackchannel: true,
    text: [title, url].filter(Boolean).join(' '),
    meta: page,
  })
}
