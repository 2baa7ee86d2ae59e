import { defineJob } from '../../../platform/jobs/job-type.js'
import { CONVERSATION_COLUMNS } from './conversation-columns.js'
import type { ConversationState, ParticipantState } from './conversation-state.js'
import type { MilestoneRow } from './milestone.js'

/** Time during which a closing can be undone. */
export const UNDO_MS = 15_000

/**
 * Job: the time to undo a closing is over. Until then it holds all that an undoing needs: the state from before, and the
 * milestones of the closing, which are written when it stands, so that one that was undone has left none.
 */
export const CLOSING_STANDS = defineJob<Closing>('conversation.closing', {
  conversation: 'string',
  user: 'string',
  at: 'number',
  until: 'number',
  lastMessage: 'any',
  before: 'object',
  milestones: 'array',
  users: 'array',
})

export interface Closing {
  conversation: string
  /** The agent who closed it. */
  user: string
  /** The time of the closing, and the end of the time to undo it: milliseconds since 1970. */
  at: number
  until: number
  lastMessage: string | null
  before: OpenState
  milestones: MilestoneRow[]
  /** Those who had accepted it: by them, what the milestones say of each is found. */
  users: string[]
}

/** The fields that a closing changes, as they were. Times are texts after it was stored. */
interface OpenState {
  conversation: Pick<ConversationState, (typeof CHANGED)[number]>
  participants: Pick<ParticipantState, 'userId' | 'accepted' | 'active' | 'inbox' | 'acceptedAt' | 'handledMs'>[]
}

/** Not the count of milestones: while it was closed, others may have taken the numbers that follow. */
const CHANGED = [
  'status',
  'channels',
  'channelsOffline',
  'taskChannels',
  'queuedAt',
  'queueing',
  'routingRemainder',
  'needs',
  'urgency',
  'awaitingReply',
  'caseAt',
  'caseTurns',
  'caseChannels',
  'caseBots',
  'waitingSince',
  'hoursTold',
  'unansweredSince',
  'sla',
  'nextDue',
  'riskAt',
  'snoozedUntil',
  'snoozedBy',
  'snoozedAt',
  'handOverNoteId',
] as const satisfies (keyof ConversationState)[]

/** SQL of when the last conversation of a user was closed, of those whose closing can still be undone. */
export const closedAtSql = (user: string): string => `(
  select to_timestamp(max((j.payload ->> 'at')::bigint) / 1000.0) from job j
  where j.kind = '${CLOSING_STANDS.kind}' and j.payload -> 'users' @> to_jsonb(${user}))`

/** All jobs of a conversation's closings have this key. */
export const closingKey = (conversation: string): string => `conversation.closing:${conversation}`

/** Copies the fields that a closing changes. */
export function openStateOf(
  conversation: ConversationState,
  participants: ReadonlyMap<string, ParticipantState>,
): OpenState {
  return structuredClone({
    conversation: Object.fromEntries(CHANGED.map((key) => [key, conversation[key]])) as OpenState['conversation'],
    participants: [...participants.values()].map(({ userId, accepted, active, inbox, acceptedAt, handledMs }) => {
      return { userId, accepted, active, inbox, acceptedAt, handledMs }
    }),
  })
}

/** Puts the fields back as they were. Participants who have left since stay away. */
export function restoreOpenState(
  { conversation, participants }: { conversation: ConversationState; participants: Map<string, ParticipantState> },
  before: OpenState,
): void {
  const entries = CHANGED.map((key) => {
    const value: unknown = before.conversation[key]
    return [key, CONVERSATION_COLUMNS[key].sql === 'timestamptz' ? dateOf(value) : value]
  })
  Object.assign(conversation, Object.fromEntries(entries))
  for (const { userId, acceptedAt, ...flags } of before.participants) {
    const participant = participants.get(userId)
    if (participant) Object.assign(participant, flags, { acceptedAt: dateOf(acceptedAt) })
  }
}

const dateOf = (value: unknown): Date | null => (value === null ? null : new Date(value as string))
