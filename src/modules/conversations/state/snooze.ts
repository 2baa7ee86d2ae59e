import { defineJob } from '../../../platform/jobs/job-type.js'
import type { ConversationState, ParticipantState } from './conversation-state.js'
import { putInInbox } from './inbox-reason.js'

/** Job: the time for which a conversation was snoozed is over, if it is still snoozed until then. */
export const SNOOZE_ENDS = defineJob<{ conversation: string; until: number }>('conversation.snooze', {
  conversation: 'string',
  until: 'number',
})

/** All jobs of a conversation's snoozing have this key: it has one at a time. */
export const snoozeKey = (conversation: string): string => `conversation.snooze:${conversation}`

/** Ends a snooze without telling anybody. */
export function endSnooze(conversation: ConversationState): void {
  if (conversation.snoozedUntil) Object.assign(conversation, { snoozedUntil: null, snoozedBy: null, snoozedAt: null })
}

/** Ends a snooze and brings the conversation to those who have accepted it. @param message the one that woke it */
export function wake(
  { conversation, participants }: { conversation: ConversationState; participants: Map<string, ParticipantState> },
  message: string | null = null,
): void {
  if (!conversation.snoozedUntil) return
  endSnooze(conversation)
  for (const participant of participants.values())
    if (participant.accepted) putInInbox(participant, 'snoozeEnded', message)
}
