import type { ParticipantState } from './conversation-state.js'

/** A user as shown in a participant. */
export type Member = Pick<ParticipantState, 'userId' | 'name' | 'avatar' | 'role'>

/** A participant who has neither read, accepted nor followed. */
export function newParticipant(conversationId: string, member: Member, now: Date): ParticipantState {
  return {
    conversationId,
    ...member,
    unreadCount: 0,
    readPosition: null,
    inbox: false,
    inboxReason: null,
    inboxMessageId: null,
    accepted: false,
    active: false,
    follow: false,
    acceptedAt: null,
    handledMs: 0,
    createdAt: now,
    updatedAt: now,
  }
}
