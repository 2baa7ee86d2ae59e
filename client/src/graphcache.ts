import { KEYLESS_TYPES, POSSIBLE_TYPES } from './generated/schema.js'
import { TYPE_FIELDS } from './generated/type-fields.js'
import {
  changedKeys,
  changesOf,
  sentChange,
  UNSENT_TYPE,
  type CacheChange,
  type LiveVariables,
  type SentMessage,
} from './live/cache-changes.js'
import type { LiveEvent } from './live/live-view.js'

export { UNSENT_POSITION } from './live/cache-changes.js'

type Key = string | null
type Field = string | number | boolean | null | Field[] | { [name: string]: Field }
interface Resolved {
  __typename: string
  [field: string]: Field
}
type Values = Record<string, unknown>
type Arguments = { channels: string[] } | null

/** The part of graphcache's `Cache` in use, which this package does not depend on. */
interface Cache {
  keyOfEntity(entity: { __typename: string; id: string }): Key
  resolve(entity: Key, field: string, args?: Arguments): unknown
  link(entity: string, field: string, args: Arguments, link: string[]): void
}

/**
 * For `cacheExchange({ schema })`: without it graphcache guesses which fragment fits an event, and says so in the console.
 */
export const schema = /* @__PURE__ */ buildIntrospection()

/** For `cacheExchange({ keys })`: types that have no identity, so that graphcache does not ask for one. */
export const keys: Record<string, () => null> = /* @__PURE__ */ Object.fromEntries(
  KEYLESS_TYPES.map((type) => [type, () => null]),
)

/** For `cacheExchange({ updates })`: what live events and sends change in `queue`, `inbox` and `Conversation.messages`. */
export const updates = {
  Subscription: {
    queue: (result: Values, args: Values, cache: Cache) => applyEvent(cache, result.queue, args),
    inbox: (result: Values, args: Values, cache: Cache) => applyEvent(cache, result.inbox, args),
    conversation: (result: Values, args: Values, cache: Cache) => applyEvent(cache, result.conversation, args),
  },
  Mutation: {
    sendMessage(result: Values, { conversation }: Values, cache: Cache): void {
      const sent = result.sendMessage as SentMessage | null
      if (!sent) return
      const id = conversation as string
      const list = cache.resolve(cache.keyOfEntity({ __typename: 'Conversation', id }), 'liveMessages')
      // Without a subscription the list is what was fetched.
      if (Array.isArray(list)) applyChange(cache, sentChange(id, sent), {})
    },
  },
}

/** For `cacheExchange({ resolvers })`: records by their ids without a request, and the lists that events keep. */
export const resolvers = {
  Query: {
    .../* @__PURE__ */ Object.fromEntries(
      POSSIBLE_TYPES.Node.map((type) => [
        type[0]!.toLowerCase() + type.slice(1),
        (_parent: Values, { id }: Values): Resolved => ({ __typename: type, id: id as string }),
      ]),
    ),
    queue: (_parent: Values, args: Values, cache: Cache): Fetched =>
      entries(cache.resolve('Query', 'liveQueue', listArguments(args)), 'QueueEntry') ??
      fetched(cache, 'Query', 'queue', args),
    inbox: (_parent: Values, args: Values, cache: Cache): Fetched =>
      entries(cache.resolve('Query', 'liveInbox'), 'InboxEntry') ?? fetched(cache, 'Query', 'inbox', args),
  },
  Conversation: {
    messages(_parent: Values, args: Values, cache: Cache, { parentKey }: { parentKey: string }): Fetched {
      const live = cache.resolve(parentKey, 'liveMessages') as string[] | undefined
      if (!live) return fetched(cache, parentKey, 'messages', args)
      const unsent = cache.keyOfEntity({ __typename: UNSENT_TYPE, id: cache.resolve(parentKey, 'id') as string })
      const sent = (cache.resolve(unsent, 'sentMessages') as string[] | undefined) ?? []
      const position = (key: string): number => (cache.resolve(key, 'position') as number | undefined) ?? Infinity
      const shown = [...new Set([...live, ...sent])].filter((key) => typeof cache.resolve(key, 'id') === 'string')
      return connection(
        'Message',
        shown.sort((a, b) => position(a) - position(b)),
      )
    },
  },
}

/** Entry of the cache for a request, as graphcache has it. */
type Fetched = Resolved | string | undefined

function fetched(cache: Cache, owner: string, field: string, args: Values): Fetched {
  return cache.resolve(owner, field, args as Arguments) as string | undefined
}

function listArguments({ channels }: LiveVariables): Arguments {
  return channels ? { channels: [...channels] } : null
}

function applyEvent(cache: Cache, event: unknown, args: Values): void {
  const variables = args as LiveVariables
  for (const change of changesOf(event as LiveEvent, variables)) applyChange(cache, change, variables)
}

function applyChange(cache: Cache, { owner, field, how, entities }: CacheChange, variables: LiveVariables): void {
  const holder = owner ? cache.keyOfEntity(owner)! : 'Query'
  const args = field === 'liveQueue' ? listArguments(variables) : null
  const before = (cache.resolve(holder, field, args) as string[] | undefined) ?? []
  const after = entities.map(({ __typename, id }) => cache.keyOfEntity({ __typename, id })!)
  cache.link(holder, field, args, changedKeys(before, how, after))
}

/** Undefined while no event has come. */
function entries(live: unknown, type: string): Resolved | undefined {
  return Array.isArray(live) ? { ...connection(type, live as string[]), totalCount: live.length } : undefined
}

function connection(type: string, nodes: readonly string[]): Resolved {
  return {
    __typename: `${type}Connection`,
    // Lists of live events have no cursors.
    edges: nodes.map((node) => ({ __typename: `${type}Edge`, cursor: '', node })),
    nodes: [...nodes],
    pageInfo: {
      __typename: 'PageInfo',
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: null,
    },
  }
}

interface TypeReference {
  kind: 'NON_NULL' | 'LIST' | 'OBJECT'
  name?: string
  ofType?: TypeReference
}

function buildIntrospection() {
  const abstracts = Object.entries(POSSIBLE_TYPES)
  const types = Object.entries(TYPE_FIELDS).map(([name, fields]) => ({
    kind: name in POSSIBLE_TYPES ? 'INTERFACE' : 'OBJECT',
    name,
    interfaces: abstracts
      .filter(([of, each]) => of in TYPE_FIELDS && each.includes(name))
      .map(([of]) => ({ name: of })),
    fields: fields.split(' ').map((field) => {
      const [own, type] = field.split(':')
      return { name: own!, type: typeReference(type!), args: [] }
    }),
  }))
  const unions = abstracts
    .filter(([name]) => !(name in TYPE_FIELDS))
    .map(([name, each]) => ({ kind: 'UNION', name, possibleTypes: each.map((type) => ({ name: type })) }))
  const roots = {
    queryType: { name: 'Query' },
    mutationType: { name: 'Mutation' },
    subscriptionType: { name: 'Subscription' },
  }
  return { __schema: { ...roots, types: [...types, ...unions] } }
}

/** `[Message!]!` as introspection has it; a cache asks only whether it is a list and whether it may be null. */
function typeReference(text: string): TypeReference {
  if (text.endsWith('!')) return { kind: 'NON_NULL', ofType: typeReference(text.slice(0, -1)) }
  if (text.startsWith('[')) return { kind: 'LIST', ofType: typeReference(text.slice(1, -1)) }
  return { kind: 'OBJECT', name: text }
}
