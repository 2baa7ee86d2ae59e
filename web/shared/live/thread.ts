import { applyToConversation, type ConversationView } from '@switchboard/client'
import type { ThreadSubscription } from '../../generated/live.js'
import { ThreadDocument } from '../../generated/live.js'
import type { NamedDocument } from './live.js'

type Event = ThreadSubscription['conversation']
type Snapshot = Extract<Event, { __typename: 'ConversationSnapshot' }>
export type ThreadConversation = Extract<Event, { __typename: 'ConversationChanged' }>['conversation']
export type ThreadClock = Snapshot['conversation']['clocks'][number]
export type ThreadProposal = Snapshot['conversation']['proposals'][number]
export type ThreadParticipant = Snapshot['participants'][number]
export type ThreadMessage = Snapshot['messages'][number]
export type Delivery = ThreadMessage['deliveries'][number]
export type Button = NonNullable<ThreadMessage['actions']>[number]
export interface Thread extends ConversationView<ThreadConversation, ThreadParticipant, ThreadMessage> {
  /** Cursor of the snapshot that it began with: a fresh one may leave out what came before it. */
  snapshot: string
  /** Messages before the snapshot's first, by id, as they became since it was opened; null for a deleted one. */
  changedEarlier: ReadonlyMap<string, ThreadMessage | null>
  /** The latest first. */
  clocks: readonly ThreadClock[]
  /** Suggestions of bots on which nobody has decided, in the order in which they came. */
  proposals: readonly ThreadProposal[]
}

/** All but what is said in it, which changes most. */
export interface ThreadFrame extends Pick<Thread, 'conversation' | 'participants' | 'clocks' | 'viewers'> {
  /** The consumer's. */
  name: string
  /** Number of messages that changed the contact. */
  fieldCount: number
}

/** One conversation, as an agent sees it: every message, so that a missing one is noticed. */
export const THREAD: NamedDocument<Thread> = {
  name: 'thread',
  query: ThreadDocument,
  apply: (state, event) => ({
    ...applyToConversation(state, event),
    snapshot: event.__typename === 'ConversationSnapshot' ? event.cursor : (state?.snapshot ?? ''),
    changedEarlier: withChange(state, event as Event),
    clocks: clocksAfter(state, event as Event),
    proposals: proposalsAfter(state, event as Event),
  }),
}

function withChange(state: Thread | null, event: ThreadSubscription['conversation']): Thread['changedEarlier'] {
  if (event.__typename === 'ConversationSnapshot') return new Map()
  const before: Thread['changedEarlier'] = state?.changedEarlier ?? new Map()
  const isShown = (of: string): boolean => state?.messages.some(({ id }) => id === of) ?? false
  if (event.__typename === 'MessageChanged' && !isShown(event.message.id)) {
    return new Map(before).set(event.message.id, event.message)
  }
  if (event.__typename === 'MessageRemoved' && !isShown(event.messageId)) {
    return new Map(before).set(event.messageId, null)
  }
  return before
}

function clocksAfter(state: Thread | null, event: Event): Thread['clocks'] {
  if (event.__typename === 'ConversationSnapshot') return event.conversation.clocks
  const clocks = state?.clocks ?? []
  if (event.__typename !== 'ClockChanged') return clocks
  const { clock } = event
  if (!clocks.some(({ id }) => id === clock.id)) return [clock, ...clocks]
  return clocks.map((each) => (each.id === clock.id ? clock : each))
}

function proposalsAfter(state: Thread | null, event: Event): Thread['proposals'] {
  if (event.__typename === 'ConversationSnapshot') return event.conversation.proposals
  const proposals = state?.proposals ?? []
  if (event.__typename !== 'ProposalChanged') return proposals
  const { proposalId, proposal } = event
  const others = proposals.filter(({ id }) => id !== proposalId)
  return proposal?.status === 'PENDING' ? [...others, proposal] : others
}
