import type { ThreadSubscription } from '../graphql/live.js'
import { ThreadDocument } from '../graphql/live.js'
import type { NamedDocument } from './live.js'
import { OutOfStep, type LiveEvent } from './live-view.js'

type ThreadEvent = ThreadSubscription['conversation']
type Snapshot = Extract<ThreadEvent, { __typename: 'ConversationSnapshot' }>
export type ThreadConversation = Snapshot['conversation']
export type ThreadParticipant = Snapshot['participants'][number]
export type ThreadMessage = Snapshot['messages'][number]
export type Delivery = ThreadMessage['deliveries'][number]
export type Button = NonNullable<ThreadMessage['actions']>[number]

export interface Thread {
  conversation: ThreadConversation
  participants: ThreadParticipant[]
  /** From the last 50 of the snapshot on. */
  messages: ThreadMessage[]
  /** Of the newest message ever seen, which may be deleted since. */
  lastPosition: number
  /** Names of who types, by user; the consumer by `null`. */
  typing: ReadonlyMap<string | null, Typist>
  /** Who has it open, as far as it was told; null when nothing was. */
  viewers: readonly Viewer[] | null
  /** Leads to the messages before the snapshot's first; null when there are none. */
  startCursor: string | null
}

export interface Typist {
  name: string
  isNote: boolean
}

export interface Viewer {
  userId: string
  user: { displayName: string } | null
}

/** One conversation, as an agent sees it: every message, so that a missing one is noticed. */
export const THREAD: NamedDocument<Thread> = {
  name: 'thread',
  query: ThreadDocument,
  apply(state, event) {
    const given = event as LiveEvent & ThreadEvent
    if (given.__typename === 'ConversationSnapshot') {
      const { conversation, participants, messages, startCursor } = given
      const lastPosition = messages.at(-1)?.position ?? 0
      const viewers = state?.viewers ?? null
      return { conversation, participants, messages, startCursor, lastPosition, viewers, typing: new Map() }
    }
    if (!state) throw new OutOfStep(`${given.__typename} before a snapshot`)
    return next(state, given)
  },
}

function next(thread: Thread, event: Exclude<ThreadEvent, Snapshot>): Thread {
  switch (event.__typename) {
    case 'MessageAdded': {
      const { position, userId } = event.message
      if (position !== thread.lastPosition + 1) throw new OutOfStep(`message ${position} after ${thread.lastPosition}`)
      // Who has sent types no longer.
      const typing = new Map(thread.typing)
      typing.delete(userId)
      return { ...thread, messages: [...thread.messages, event.message], lastPosition: position, typing }
    }
    case 'MessageChanged':
      return {
        ...thread,
        messages: thread.messages.map((each) => (each.id === event.message.id ? event.message : each)),
      }
    case 'MessageRemoved':
      return { ...thread, messages: thread.messages.filter(({ id }) => id !== event.messageId) }
    case 'MessageDeliveryChanged':
      return { ...thread, messages: thread.messages.map((each) => withDeliveries(each, event.deliveries)) }
    case 'ConversationChanged':
      return { ...thread, conversation: event.conversation }
    case 'ParticipantsChanged':
      return { ...thread, participants: event.participants }
    case 'TypingChanged': {
      const typing = new Map(thread.typing)
      if (event.typing) typing.set(event.user, { name: event.name ?? '', isNote: event.isBackchannel })
      else typing.delete(event.user)
      return { ...thread, typing }
    }
    case 'ViewersChanged':
      return { ...thread, viewers: event.viewers }
    default:
      return thread
  }
}

function withDeliveries(message: ThreadMessage, changed: readonly (Delivery & { messageId: string })[]): ThreadMessage {
  const own = changed.filter(({ messageId }) => messageId === message.id)
  if (own.length === 0) return message
  const ids = new Set(own.map(({ id }) => id))
  const deliveries = [...message.deliveries.filter(({ id }) => !ids.has(id)), ...own]
  return { ...message, deliveries: deliveries.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
}
