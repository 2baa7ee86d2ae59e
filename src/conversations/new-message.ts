import type { MessageDraft } from '../messages/message-content.js'
import type { ConversationWork, Member } from './conversation-work.js'

export type NewMessage = Parameters<ConversationWork['addMessage']>[0]

/** A message that says nothing yet. */
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

/** A draft as it is stored; what is empty is absent. */
export function newMessage(id: string, draft: MessageDraft, actor: Pick<Member, 'userId'> | null): NewMessage {
  return {
    id,
    type: draft.type,
    role: draft.role,
    isBackchannel: draft.isBackchannel,
    userId: actor?.userId ?? null,
    contentType: draft.contentType,
    text: draft.text,
    serviceId: draft.service,
    touchpoint: draft.touchpoint,
    actions: draft.actions.length > 0 ? draft.actions : null,
    items: draft.items.length > 0 ? draft.items : null,
    meta: Object.keys(draft.meta).length > 0 ? draft.meta : null,
    likes: [],
    comments: [],
    version: 1,
  }
}
