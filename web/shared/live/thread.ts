import { applyToConversation, type ConversationView } from '@switchboard/client'
import type { ThreadSubscription } from '../graphql/live.js'
import { ThreadDocument } from '../graphql/live.js'
import type { NamedDocument } from './live.js'

type Snapshot = Extract<ThreadSubscription['conversation'], { __typename: 'ConversationSnapshot' }>
export type ThreadConversation = Snapshot['conversation']
export type ThreadParticipant = Snapshot['participants'][number]
export type ThreadMessage = Snapshot['messages'][number]
export type Delivery = ThreadMessage['deliveries'][number]
export type Button = NonNullable<ThreadMessage['actions']>[number]
export interface Thread extends ConversationView<ThreadConversation, ThreadParticipant, ThreadMessage> {
  /** Messages before the snapshot's first, by id, as they became since it was opened; null for a deleted one. */
  changedEarlier: ReadonlyMap<string, ThreadMessage | null>
}

/** One conversation, as an agent sees it: every message, so that a missing one is noticed. */
export const THREAD: NamedDocument<Thread> = {
  name: 'thread',
  query: ThreadDocument,
  apply: (state, event) => ({
    ...applyToConversation(state, event),
    changedEarlier: withChange(state, event as ThreadSubscription['conversation']),
  }),
}

function withChange(state: Thread | null, event: ThreadSubscription['conversation']): Thread['changedEarlier'] {
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
