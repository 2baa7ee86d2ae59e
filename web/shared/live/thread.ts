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
export type Thread = ConversationView<ThreadConversation, ThreadParticipant, ThreadMessage>

/** One conversation, as an agent sees it: every message, so that a missing one is noticed. */
export const THREAD: NamedDocument<Thread> = {
  name: 'thread',
  query: ThreadDocument,
  apply: (state, event) => applyToConversation(state, event),
}
