import type { MessageRow } from '../../messages/message-row.js'
import type { Aggregate, ConversationState, ParticipantState } from './conversation-state.js'

/** Commands that change nothing that an answer could be about: who takes part counts as a turn. */
export const QUIET_COMMANDS = ['join', 'follow', 'unfollow', 'action', 'set', 'accept', 'transcript']

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
  if (rewritesMessages({ changedMessages, rewrites, now })) return true
  if (conversation.status !== before.conversation.status) return true
  return !hasSameAccepted(before.participants, participants)
}

/** Tells whether earlier messages say something else now: some were edited, deleted, or merged in before others. */
export function rewritesMessages({
  changedMessages,
  rewrites,
  now,
}: Pick<TurnedChange, 'changedMessages' | 'rewrites' | 'now'>): boolean {
  return rewrites !== null || changedMessages.some(({ editedAt }) => editedAt?.getTime() === now.getTime())
}

type Participants = ReadonlyMap<string, ParticipantState>

function hasSameAccepted(before: Participants, after: Participants): boolean {
  const accepted = (participants: Participants, user: string): boolean => participants.get(user)?.accepted === true
  return [...new Set([...before.keys(), ...after.keys()])].every(
    (user) => accepted(before, user) === accepted(after, user),
  )
}
