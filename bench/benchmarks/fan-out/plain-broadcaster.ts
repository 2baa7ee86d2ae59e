import { buildSchema } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { closeServer, listening, urlOf, type Broadcaster } from './broadcaster.js'

/** The part of the product's schema that the subscribers' document asks for. */
const SCHEMA = buildSchema(`
  type Query { ok: Boolean }
  type Subscription { conversation(id: ID!, after: String): ConversationEvent! }
  union ConversationEvent = ConversationSnapshot | MessageAdded
  interface StreamEvent { cursor: String! at: String! }
  type ConversationSnapshot implements StreamEvent { cursor: String! at: String! conversation: Conversation! }
  type MessageAdded implements StreamEvent { cursor: String! at: String! message: Message! }
  type Conversation { id: ID! status: String! }
  type Message { id: ID! type: String! role: String! text: String createdAt: String! user: User }
  type User { id: ID! displayName: String }
`)

/** graphql-ws over graphql-js as their manuals show them: an iterator and an execution for each subscriber. */
export async function plainBroadcaster(): Promise<Broadcaster> {
  const server = await listening({ perMessageDeflate: false, path: '/' })
  const subscribers = new Set<(event: object) => void>()
  const subscribe = (): AsyncIterable<unknown> => iterate(subscribers, { conversation: { ...SNAPSHOT } })
  useServer({ schema: SCHEMA, roots: { subscription: { conversation: subscribe } } }, server)
  return {
    url: urlOf(server),
    async publish(count, subject) {
      const { data } = (JSON.parse(subject) as { payload: { data: { conversation: object } } }).payload
      const at = performance.now()
      for (let sent = 0; sent < count; sent += 1) {
        const event = { conversation: { __typename: 'MessageAdded', ...data.conversation } }
        for (const send of subscribers) send(event)
      }
      return at
    },
    close: async () => closeServer(server),
  }
}

const SNAPSHOT = {
  __typename: 'ConversationSnapshot',
  cursor: '0',
  at: '2026-11-21T00:00:00.000Z',
  conversation: { id: '1', status: 'ACTIVE' },
}

async function* iterate(subscribers: Set<(event: object) => void>, first: object): AsyncGenerator<object> {
  const waiting = [first]
  let wake: () => void = () => undefined
  const send = (event: object): void => {
    waiting.push(event)
    wake()
  }
  subscribers.add(send)
  try {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift()!
      await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    subscribers.delete(send)
  }
}
