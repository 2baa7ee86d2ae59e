import { isWebAddress } from '../../input.js'
import type { JsonObject } from '../../json.js'
import type { MessageRow } from '../../messages/message-row.js'
import { viewersOf } from '../../presence/presence.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import { suggestMerges } from './merge-suggestions.js'
import { emptyMessage } from './new-message.js'
import type { Router } from '../routing/router.js'
import { applyMove } from '../writing/transitions.js'

/** A consumer message: unanswered now; followers' inboxes; a closed conversation is queued (3.1, 3.2). */
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
  // Of a new one, the create does it.
  if (!draft.isNew) await suggestMerges(draft)
}

/** What is kept of a page that a consumer is on: its events and metadata go to every agent's screen. */
const TITLE_CHARS_MAX = 300
const URL_CHARS_MAX = 2_000

/** `title` and `url` of a consumer message are kept on the conversation; a system message tells of a change (2.12). */
function copyPage(draft: ConversationDraft, { meta }: MessageRow): void {
  const { conversation } = draft
  const { _title: earlierTitle, _url: earlierUrl } = conversation.meta
  const title = typeof meta?.title === 'string' ? shortened(meta.title) : undefined
  const page: JsonObject = {
    ...(title !== undefined && title !== earlierTitle && { _title: title }),
    ...(isPage(meta?.url) && meta.url !== earlierUrl && { _url: meta.url }),
  }
  if (Object.keys(page).length === 0) return
  conversation.meta = { ...conversation.meta, ...page }
  const { _title: shownTitle, _url: url } = conversation.meta
  draft.addMessage({
    ...emptyMessage(draft.clock.newId()),
    role: 'system',
    isBackchannel: true,
    text: [shownTitle, url].filter(Boolean).join(' '),
    meta: page,
  })
}

/** A message may have been stored before its address was checked. */
function isPage(url: unknown): url is string {
  return typeof url === 'string' && url.length <= URL_CHARS_MAX && isWebAddress(url)
}

/** No longer than that, and no half of a character at its end. */
function shortened(title: string): string {
  return title.length <= TITLE_CHARS_MAX ? title : title.slice(0, TITLE_CHARS_MAX).replace(/[\ud800-\udbff]$/, '')
}
