import { hasChanges, participantsDiffer } from './change-events.js'
import type { ConversationChange } from './conversation-change.js'
import type { Aggregate } from './conversation-state.js'

/** Tells whether an operation leaves anything behind in a conversation. @param before the conversation as it was locked */
export function leavesTraces(before: Aggregate, change: ConversationChange): boolean {
  const { messages, changedMessages, deliveries, changedDeliveries, begunStreams, endedStreams } = change
  const lists = [messages, changedMessages, deliveries, changedDeliveries, begunStreams, endedStreams]
  return (
    change.isNew ||
    lists.some(({ length }) => length > 0) ||
    [change.jobs, change.noted, change.lastStatements].some(({ length }) => length > 0) ||
    hasChanges(before.conversation, change.conversation) ||
    participantsDiffer(before.participants, change.participants)
  )
}
