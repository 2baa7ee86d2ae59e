import { isToConsumer, type NewMessage } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import { depthOf, disclosureFor } from '../messages/automation.js'
import type { Sender } from '../messages/members.js'
import { unplacedMessage } from '../messages/unplaced-message.js'
import { wayOf } from '../delivery/way-of-message.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { Member } from '../state/new-participant.js'
import { isSaid, previewOf } from '../state/preview.js'

/** A message with whoever says it: the actor is its `user`, else the sender; null for the consumer. */
export interface Said {
  id: string
  newMessage: NewMessage
  sender: Sender
  actor: Member | null
}

/** Adds a message at the end of the conversation, and to what lists show of it. Its effects are `processMessage`'s. */
export async function placeMessage(
  change: ConversationChange,
  { id, newMessage, sender, actor }: Said,
  more: Pick<MessageRow, 'crossedAnswer' | 'isDelayedOfCreate' | 'ending'>,
): Promise<MessageRow> {
  const { conversation } = change
  const isAutomated = sender.isBot && actor?.role === 'bot'
  const isDisclosed = isAutomated && isToConsumer(newMessage) && conversation.type === 'contact'
  const message = change.addMessage({
    ...unplacedMessage(id, newMessage, actor),
    isAutomated: isAutomated ? true : null,
    depth: depthOf(newMessage),
    provenance: newMessage.provenance ?? null,
    disclosure: isDisclosed ? await disclosureFor(change, actor) : null,
    touchpoint: await wayOf(change, newMessage),
    ...more,
  })
  countUnread(change, actor)
  if (isSaid(newMessage)) {
    conversation.lastMessageRole = newMessage.role
    conversation.preview = previewOf(message) ?? conversation.preview
  }
  return message
}

function countUnread({ participants }: ConversationChange, actor: Member | null): void {
  for (const participant of participants.values()) {
    if (participant.userId === actor?.userId) participant.unreadCount = 0
    else participant.unreadCount++
  }
}
