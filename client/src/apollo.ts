import { CONNECTION_TYPES, LIST_FIELDS, PART_TYPES, POSSIBLE_TYPES } from './generated/schema.js'
import {
  changedKeys,
  changesOf,
  sentChange,
  UNSENT_TYPE,
  type CacheChange,
  type Entity,
  type LiveVariables,
  type SentMessage,
} from './live/cache-changes.js'
import type { LiveEvent } from './live/live-view.js'

export { UNSENT_POSITION } from './live/cache-changes.js'

interface Reference {
  readonly __ref: string
}

/** The part of Apollo Client's `InMemoryCache` in use, which this package does not depend on. */
export interface ApolloCache {
  identify(entity: { __typename: string; id: string }): string | undefined
  batch(options: { update: (cache: never) => void }): unknown
  // Documents are given as what `gql` makes of them.
  readFragment(options: { id: string; fragment: never }): unknown
  writeFragment(options: { id: string; fragment: never; data: never; overwrite: boolean }): unknown
}

/** Arguments that Apollo gives to the functions of a field's policy. */
interface FieldOptions {
  args: Record<string, unknown> | null
  toReference(entity: Entity): Reference | undefined
  canRead(value: unknown): boolean
  readField(
    field: string | { fieldName: string; args?: Record<string, unknown>; from?: unknown },
    from?: unknown,
  ): unknown
}

interface Edge {
  __typename?: string
  cursor?: string
  node: Reference
}

interface Connection {
  edges?: Edge[]
  nodes?: Reference[]
  pageInfo?: unknown
}

/** For `new InMemoryCache({ possibleTypes })`. */
export const possibleTypes: Record<string, string[]> = POSSIBLE_TYPES

/**
 * For `new InMemoryCache({ typePolicies })`. A record that is in the cache is read by its id without a request; `queue`,
 * `inbox` and `Conversation.messages` are the lists that `applyLiveEvent` keeps, once a subscription has begun.
 */
export const typePolicies: Record<string, object> = /* @__PURE__ */ buildPolicies()

/**
 * Takes an event of `queue`, `inbox` or `conversation` over into the cache. Apollo itself has written the records of the
 * event before: documents select `__typename` and `id` of all of them.
 * @param variables of the subscription
 */
export function applyLiveEvent(cache: ApolloCache, event: LiveEvent, variables: LiveVariables = {}): void {
  cache.batch({
    update() {
      for (const change of changesOf(event, variables)) applyChange(cache, change, variables)
    },
  })
}

/**
 * Shows a message that the caller sends: for `update` of the mutation, with its optimistic answer, whose position is
 * `UNSENT_POSITION`, and with the real one.
 */
export function addSentMessage(cache: ApolloCache, conversation: string, message: SentMessage): void {
  const id = cache.identify({ __typename: 'Conversation', id: conversation })!
  const fragment = listFragment('Conversation', 'liveMessages', null, false)
  // Without a subscription the list is what was fetched.
  if (cache.readFragment({ id, fragment })) applyChange(cache, sentChange(conversation, message), {})
}

function applyChange(
  cache: ApolloCache,
  { owner, field, how, entities, startCursor }: CacheChange,
  { channels }: LiveVariables,
): void {
  const id = owner ? cache.identify(owner)! : 'ROOT_QUERY'
  const fragment = listFragment(
    owner?.__typename ?? 'Query',
    field,
    field === 'liveQueue' ? channels : null,
    startCursor !== undefined,
  )
  const read = how === 'replace' ? null : (cache.readFragment({ id, fragment }) as Record<string, Entity[]> | null)
  const before = read?.[field] ?? []
  const known = new Map([...before, ...entities].map((each) => [each.id, { __typename: each.__typename, id: each.id }]))
  const ids = changedKeys(
    before.map((each) => each.id),
    how,
    entities.map((each) => each.id),
  )
  const data = {
    ...owner,
    __typename: owner?.__typename ?? 'Query',
    [field]: ids.map((each) => known.get(each)!),
    ...(startCursor !== undefined && { liveStartCursor: startCursor }),
  }
  cache.writeFragment({ id, fragment, data: data as never, overwrite: true })
}

function buildPolicies(): Record<string, object> {
  const policies: Record<string, { merge?: boolean; fields?: Record<string, object> }> = {}
  const fieldsOf = (type: string): Record<string, object> => ((policies[type] ??= {}).fields ??= {})
  for (const type of PART_TYPES) policies[type] = { merge: true }
  for (const type of CONNECTION_TYPES) policies[type] = { merge: false }
  for (const [type, fields] of Object.entries(LIST_FIELDS)) {
    for (const field of fields) fieldsOf(type)[field] = { merge: false }
  }
  const query = fieldsOf('Query')
  for (const type of POSSIBLE_TYPES.Node) {
    query[type[0]!.toLowerCase() + type.slice(1)] = {
      read: (existing: unknown, { args, toReference, canRead }: FieldOptions) => {
        if (existing !== undefined || typeof args?.id !== 'string') return existing
        const record = toReference({ __typename: type, id: args.id })
        return canRead(record) ? record : undefined
      },
    }
  }
  query.queue = { keyArgs: ['channels'], merge: mergePages('QueueEntry'), read: readEntries('liveQueue', 'QueueEntry') }
  query.inbox = { keyArgs: false, merge: mergePages('InboxEntry'), read: readEntries('liveInbox', 'InboxEntry') }
  for (const field of ['liveQueue', 'liveInbox']) query[field] = { merge: false }
  const conversation = fieldsOf('Conversation')
  conversation.messages = { keyArgs: false, merge: mergePages('Message'), read: readMessages }
  conversation.liveMessages = { merge: false }
  fieldsOf(UNSENT_TYPE).sentMessages = { merge: false }
  const subscription = fieldsOf('Subscription')
  for (const field of ['queue', 'inbox', 'myConversations', 'conversation']) subscription[field] = { merge: false }
  return policies
}

/** A page that was fetched takes nothing away: what is gone is no longer readable. */
function mergePages(type: string) {
  // What was fetched by `nodes` has no cursors, which a document that selects them fetches.
  const known = ({ edges, nodes = [] }: Connection): Edge[] =>
    edges ?? nodes.map((node) => ({ __typename: `${type}Edge`, node }))
  return (existing: Connection | undefined, incoming: Connection): Connection => {
    const pages = [...(existing ? known(existing) : []), ...known(incoming)]
    const edges = [...new Map(pages.map((edge) => [edge.node.__ref, edge])).values()]
    return { ...existing, ...incoming, edges, nodes: edges.map(({ node }) => node) }
  }
}

function readEntries(live: string, type: string) {
  return (existing: Connection | undefined, { args, readField, canRead }: FieldOptions): unknown => {
    const channels = args?.channels as string[] | null | undefined
    const entries = readField({ fieldName: live, ...(channels && { args: { channels } }) }) as Reference[] | undefined
    if (!entries) return existing
    const nodes = entries.filter(canRead)
    return {
      __typename: `${type}Connection`,
      edges: edgesOf(type, nodes),
      nodes,
      totalCount: nodes.length,
      pageInfo: pageInfo(null),
    }
  }
}

function readMessages(existing: Connection | undefined, { readField, canRead, toReference }: FieldOptions): unknown {
  const live = readField('liveMessages') as Reference[] | undefined
  const unsent = toReference({ __typename: UNSENT_TYPE, id: readField('id') as string })
  const sent = (readField('sentMessages', unsent) as Reference[] | undefined) ?? []
  if (!live) return existing
  const fetched = existing?.edges?.map(({ node }) => node) ?? []
  const all = [...new Map([...fetched, ...live, ...sent].map((message) => [message.__ref, message])).values()]
  const position = (message: Reference): number => (readField('position', message) as number | undefined) ?? Infinity
  const nodes = all.filter(canRead).sort((a, b) => position(a) - position(b))
  const startCursor = (readField('liveStartCursor') as string | null | undefined) ?? null
  const info = existing?.pageInfo ?? pageInfo(startCursor)
  return { ...existing, __typename: 'MessageConnection', edges: edgesOf('Message', nodes), nodes, pageInfo: info }
}

function edgesOf(type: string, nodes: readonly Reference[]): object[] {
  // Lists of live events have no cursors but the page's.
  return nodes.map((node) => ({ __typename: `${type}Edge`, cursor: '', node }))
}

function pageInfo(startCursor: string | null): object {
  const hasPreviousPage = startCursor !== null
  return { __typename: 'PageInfo', hasNextPage: false, hasPreviousPage, startCursor, endCursor: null }
}

const name = (value: string) => ({ kind: 'Name', value })
const fieldNode = (value: string, selections: object[] = [], args: object[] = []) => ({
  kind: 'Field',
  name: name(value),
  arguments: args,
  ...(selections.length > 0 && { selectionSet: { kind: 'SelectionSet', selections } }),
})

/** `fragment LiveList on <type> { <field> { __typename id } }`, as `gql` would make it. */
function listFragment(
  type: string,
  field: string,
  channels: readonly string[] | null | undefined,
  withCursor: boolean,
): never {
  const values = (channels ?? []).map((value) => ({ kind: 'StringValue', value }))
  const args = channels ? [{ kind: 'Argument', name: name('channels'), value: { kind: 'ListValue', values } }] : []
  const selections = [
    fieldNode('__typename'),
    fieldNode(field, [fieldNode('__typename'), fieldNode('id')], args),
    ...(withCursor ? [fieldNode('liveStartCursor')] : []),
  ]
  const definition = {
    kind: 'FragmentDefinition',
    name: name('LiveList'),
    typeCondition: { kind: 'NamedType', name: name(type) },
    selectionSet: { kind: 'SelectionSet', selections },
  }
  return { kind: 'Document', definitions: [definition] } as never
}
