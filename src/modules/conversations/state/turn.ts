import type { MessageRow } from '../../messages/message-row.js'
import type { Aggregate, ConversationState, ParticipantState } from './conversation-state.js'

/** The part of a conversation's change from which its turn derives. */
interface TurnedChange extends Pick<Aggregate, 'conversation' | 'participants'> {
  readonly changedMessages: readonly MessageRow[]
  readonly rewrites: 'deletes' | 'merges' | null
  readonly now: Date
}

/**
 * Counts an operation after which an answer that was written before would be blind, although no message was added at the
 * end: another status, somebody else has accepted, a message was edited or deleted, or a merge put messages before others.
 * @param by the user who did it; null for consumers and the service
 */
export function advanceTurn(change: TurnedChange, before: Aggregate, by: string | null): void {
  if (!turns(change, before)) return
  const { conversation } = change
  // Whoever merges has not read what came with it.
  const author = change.rewrites === 'merges' ? null : by
  if (author === null || author !== conversation.turnBy) conversation.turnOther = conversation.turn
  conversation.turnBy = author
  conversation.turn += 1
}

/** Returns the newest turn that these users did not make themselves. */
export function turnOfOthers(
  { turn, turnBy, turnOther }: Pick<ConversationState, 'turn' | 'turnBy' | 'turnOther'>,
  users: readonly string[],
): number {
  return turnBy !== null && users.includes(turnBy) ? turnOther : turn
}

function turns(
  { conversation, participants, changedMessages, rewrites, now }: TurnedChange,
  before: Aggregate,
): boolean {
  if (rewrites !== null || conversation.status !== before.conversation.status) return true
  if (changedMessages.some(({ editedAt }) => editedAt?.getTime() === now.getTime())) return true
  return !hasSameAccepted(before.participants, participants)
}

type Participants = ReadonlyMap<string, ParticipantState>

function hasSameAccepted(before: Participants, after: Participants): boolean {
  const accepted = (participants: Participants, user: string): boolean => participants.get(user)?.accepted === true
  return [...new Set([...before.keys(), ...after.keys()])].every(
    (user) => accepted(before, user) === accepted(after, user),
  )
}
