import type { MessageRow } from '../../messages/message-row.js'
import { isAnswer } from '../state/answer.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { ConversationState } from '../state/conversation-state.js'
import { MERGED_TURN } from '../state/milestone.js'
import { isSaid } from '../state/preview.js'
import type { MergedMessages } from './merge-messages.js'

/**
 * Derives whether the consumer of a merged conversation waits for an answer: if one of both waited, and the other one has no
 * later answer. Not from the last message: an agent may have closed a case whose last word needed none.
 * @returns whether the consumer of the origin waits
 */
export function mergeWaits(
  change: ConversationChange,
  origin: Readonly<ConversationState>,
  { tail, copies }: MergedMessages,
): boolean {
  const { conversation } = change
  const copied = new Set(copies)
  const own = tail.filter((message) => !copied.has(message))
  const ofTarget = waitOf(conversation, own, copies)
  // What nobody answered before `/block` is not waited for.
  const ofOrigin = origin.status === 'closed' ? null : waitOf(origin, copies, own)
  conversation.awaitingReply = ofTarget !== null || ofOrigin !== null
  const isAnswered = noteAnswer(change, copies)
  const beginsTurn = conversation.unansweredSince === null && (ofOrigin !== null || (isAnswered && ofTarget !== null))
  if (beginsTurn) conversation.unansweredSince = earlierOf(ofTarget?.since ?? null, ofOrigin?.since ?? null)
  // The origin's last turn becomes one of the target, which counts it.
  const isCounted = beginsTurn && conversation.unansweredSince !== null
  conversation.caseTurns = Math.max(conversation.caseTurns, origin.caseTurns - Number(isCounted))
  return ofOrigin !== null
}

interface Wait {
  /** Time of the first message that has not been answered, where it is known. */
  since: Date | null
}

/** Returns the wait of one of both that is left after the answers of the other one. */
function waitOf(
  { awaitingReply, unansweredSince }: Pick<ConversationState, 'awaitingReply' | 'unansweredSince'>,
  own: readonly MessageRow[],
  others: readonly MessageRow[],
): Wait | null {
  if (!awaitingReply) return null
  const asked = own.slice(own.findLastIndex(isAnswer) + 1).filter(isQuestion)
  const times = [...(unansweredSince ? [unansweredSince] : []), ...asked.map(({ createdAt }) => createdAt)]
  const answer = others.findLast(isAnswer)
  if (!answer) return { since: times[0] ?? null }
  const since = times.find((at) => at > answer.createdAt)
  return since ? { since } : null
}

const isQuestion = (message: MessageRow): boolean => message.role === 'contact' && isSaid(message)

/** The consumer of the target was answered in the origin: its clocks end with that answer. */
function noteAnswer({ conversation, noted }: ConversationChange, copies: readonly MessageRow[]): boolean {
  const { unansweredSince: since, caseTurns: turn } = conversation
  const answer = since && copies.find((message) => isAnswer(message) && message.createdAt >= since)
  if (!answer) return false
  const { userId, createdAt: at } = answer
  noted.push({ kind: 'agentTurn', userId, at, ms: null, turn, detail: MERGED_TURN })
  conversation.unansweredSince = null
  return true
}

/** Returns the earlier of two times, or the one that there is. */
export const earlierOf = (one: Date | null, other: Date | null): Date | null =>
  one && other && other < one ? other : (one ?? other)
