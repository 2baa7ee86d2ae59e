import { Unprocessable } from '../../../platform/errors.js'
import type { ConversationState } from './conversation-state.js'
import type { ConversationStatus } from './conversation-enums.js'
import { endSnooze } from './snooze.js'

/** An action that changes the status of a conversation (3.1). */
export type Move =
  | 'contactMessage'
  | 'firstContactMessage'
  | 'agentMessage'
  | 'notify'
  | 'enqueue'
  | 'accept'
  | 'leaveAnswered'
  | 'leaveUnanswered'
  | 'close'
  | 'block'
  | 'importedFrom'
  | 'importedInto'

export interface Transition {
  move: Move
  from: readonly ConversationStatus[]
  to: ConversationStatus
  /** True if workflows run and channels are notified. */
  queues?: true
  /** The decision where the table of 3.1 is silent. */
  decided?: string
}

/**
 * Section 3.1 as data. A move that is not listed for a status is impossible in it; a move to the current status changes
 * nothing.
 */
export const TRANSITIONS: readonly Transition[] = [
  { move: 'firstContactMessage', from: ['closed', 'active'], to: 'queued', queues: true },
  { move: 'contactMessage', from: ['closed'], to: 'queued', queues: true },
  { move: 'contactMessage', from: ['active'], to: 'active' },
  { move: 'contactMessage', from: ['queued'], to: 'queued' },
  {
    move: 'agentMessage',
    from: ['queued', 'closed', 'active'],
    to: 'active',
    decided: 'an answer by an agent accepts (4.7, rule 4), whatever the status',
  },
  { move: 'notify', from: ['closed'], to: 'queued', queues: true },
  { move: 'notify', from: ['queued'], to: 'queued', queues: true, decided: 'a queued conversation is routed again' },
  {
    move: 'notify',
    from: ['active'],
    to: 'active',
    decided: 'an active conversation stays active: only channels named for a task are notified',
  },
  { move: 'enqueue', from: ['closed', 'active', 'queued'], to: 'queued', queues: true },
  { move: 'accept', from: ['queued'], to: 'active' },
  { move: 'accept', from: ['active'], to: 'active', decided: 'several agents may accept' },
  { move: 'accept', from: ['closed'], to: 'active', decided: 'an agent may reopen a closed conversation' },
  { move: 'leaveAnswered', from: ['active'], to: 'closed' },
  { move: 'leaveUnanswered', from: ['active'], to: 'queued', queues: true },
  { move: 'close', from: ['active'], to: 'closed', decided: '`closeConversation` closes, answered or not' },
  { move: 'block', from: ['queued', 'active', 'closed'], to: 'closed' },
  { move: 'importedFrom', from: ['queued', 'active', 'closed'], to: 'archived' },
  {
    move: 'importedInto',
    from: ['closed'],
    to: 'queued',
    queues: true,
    decided: 'a consumer who waited in the origin, for an answer or in a queue, keeps waiting in the target',
  },
]

/** Returns the transition of a move. @throws Unprocessable naming the status and the move */
export function transitionFor(status: ConversationStatus, move: Move): Transition {
  const transition = TRANSITIONS.find((row) => row.move === move && row.from.includes(status))
  if (!transition)
    throw new Unprocessable(`the conversation is ${status}: ${WORDS[move]} is not possible`, {
      reason: 'CONVERSATION_STATUS',
      status,
    })
  return transition
}

/** Applies a move to the status; nothing else writes the status. */
export function applyMove(conversation: ConversationState, move: Move): Transition {
  const transition = transitionFor(conversation.status, move)
  const isSame = conversation.status === transition.to
  conversation.status = transition.to
  if (transition.to !== 'active') endSnooze(conversation)
  if (transition.to === 'closed' || transition.to === 'archived') conversation.handOverNoteId = null
  if (move === 'leaveAnswered' || move === 'close') leaveQueue(conversation, conversation.taskChannels)
  else if (transition.to !== 'queued' && (!isSame || move === 'accept')) leaveQueue(conversation)
  return transition
}

/**
 * Removes a conversation from queues. Dequeue notifications derive from the emptied lists (3.1, `/accept`).
 * @param tasks channels that keep the conversation until it is accepted
 */
export function leaveQueue(conversation: ConversationState, tasks: readonly string[] = []): void {
  const isTask = (channel: string): boolean => tasks.includes(channel)
  conversation.channels = conversation.channels.filter(isTask)
  conversation.channelsOffline = conversation.channelsOffline.filter(isTask)
  conversation.taskChannels = [...tasks]
  conversation.routingRemainder = null
  clearOffer(conversation)
  conversation.needs = null
  if (tasks.length === 0) conversation.queuedAt = null
}

/** Ends the pending offer, if there is one: its events and its outcome derive from the difference. */
export function clearOffer(conversation: ConversationState): void {
  Object.assign(conversation, { offerId: null, offerUserId: null, offerUntil: null, offerAt: null })
}

const WORDS: Readonly<Record<Move, string>> = {
  contactMessage: 'a consumer message',
  firstContactMessage: 'a consumer message',
  agentMessage: 'an agent message',
  notify: '/notify',
  enqueue: '/enqueue',
  accept: '/accept',
  leaveAnswered: '/leave',
  leaveUnanswered: '/leave',
  close: 'closing',
  block: '/block',
  importedFrom: '/import',
  importedInto: '/import',
}
