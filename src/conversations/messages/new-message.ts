import type { MessageDraft } from '../../messages/message-content.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { Member } from '../writing/new-participant.js'

export type NewMessage = Parameters<ConversationDraft['addMessage']>[0]

/** Returns a message without content. */
export function emptyMessage(id: string): NewMessage {
  return {
    id,
    type: 'chat',
    role: 'system',
    isBackchannel: false,
    userId: null,
    contentType: 'text/plain',
    text: null,
    serviceId: null,
    touchpoint: null,
    actions: null,
    items: null,
    meta: null,
    likes: [],
    comments: [],
    version: 1,
  }
}

/** Returns a draft in its stored form: empty values are absent. */
export function newMessage(id: string, messageDraft: MessageDraft, actor: Pick<Member, 'userId'> | null): NewMessage {
  return {
    ...emptyMessage(id),
    type: messageDraft.type,
    role: messageDraft.role,
    isBackchannel: messageDraft.isBackchannel,
    userId: actor?.userId ?? null,
    contentType: messageDraft.contentType,
    text: messageDraft.text,
    serviceId: messageDraft.service,
    touchpoint: messageDraft.touchpoint,
    actions: messageDraft.actions.length > 0 ? messageDraft.actions : null,
    items: messageDraft.items.length > 0 ? messageDraft.items : null,
    results: messageDraft.results?.length ? messageDraft.results : null,
    meta: Object.keys(messageDraft.meta).length > 0 ? messageDraft.meta : null,
  }
}
