import type { Aggregate } from './conversation-state.js'
import type { OpenStream } from './message-stream.js'

/**
 * Returns the streams that are over with an operation: all if a person has accepted, or the conversation was closed or merged; else
 * those of who had it and has it no more. Finished later, they would take it back.
 */
export function overStreams(
  before: Aggregate | null,
  { conversation: { status }, participants, streams = [] }: Aggregate,
): readonly OpenStream[] {
  if (streams.length === 0) return streams
  const had = (user: string): boolean => before?.participants.get(user)?.accepted === true
  const isOver = status !== before?.conversation.status && (status === 'closed' || status === 'archived')
  const isTaken = participants.values().some(({ userId, accepted, role }) => accepted && role !== 'bot' && !had(userId))
  if (isOver || isTaken) return streams
  return streams.filter(({ userId }) => had(userId) && !participants.get(userId)?.accepted)
}
