import type { InboxReason } from './conversation-enums.js'
import type { ParticipantState } from './conversation-state.js'

/** Puts a conversation into a user's inbox. @param message the one that brought it there */
export function putInInbox(participant: ParticipantState, reason: InboxReason, message: string | null = null): void {
  Object.assign(participant, { inbox: true, inboxReason: reason, inboxMessageId: message })
}
