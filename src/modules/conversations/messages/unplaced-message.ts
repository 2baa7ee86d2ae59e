import type { NewMessage } from '../../messages/message-content.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { Member } from '../state/new-participant.js'

export type UnplacedMessage = Parameters<ConversationChange['addMessage']>[0]

/** Returns a message without content. */
export function emptyMessage(id: string): UnplacedMessage {
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

/** Returns a new message in its stored form: empty values are absent. */
export function unplacedMessage(
  id: string,
  newMessage: NewMessage,
  actor: Pick<Member, 'userId'> | null,
): UnplacedMessage {
  return {
    ...emptyMessage(id),
    type: newMessage.type,
    role: newMessage.role,
    isBackchannel: newMessage.isBackchannel,
    userId: actor?.userId ?? null,
    contentType: newMessage.contentType,
    text: newMessage.text,
    serviceId: newMessage.service,
    touchpoint: newMessage.touchpoint,
    actions: newMessage.actions.length > 0 ? newMessage.actions : null,
    items: newMessage.items.length > 0 ? newMessage.items : null,
    results: newMessage.results?.length ? newMessage.results : null,
    meta: Object.keys(newMessage.meta).length > 0 ? newMessage.meta : null,
  }
}
