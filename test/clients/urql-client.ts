import { cacheExchange } from '@urql/exchange-graphcache'
import { Client, fetchExchange, gql, subscriptionExchange } from '@urql/core'
import { newId } from '@switchboard/client'
import { ConversationEventsDocument, InboxDocument, QueueDocument } from '@switchboard/client/documents'
import { keys, resolvers, schema, UNSENT_POSITION, updates } from '@switchboard/client/graphcache'
import { openSocket, retryingFetch } from './network.js'
import { SCREEN, SEND, type Screen, type Sent, type TestClient, type TestClientOptions } from './screens.js'

/** A screen of urql with graphcache. */
export function openUrqlClient({ url, token, conversation, onScreen }: TestClientOptions): TestClient {
  const socket = openSocket(url, token)
  const cache = cacheExchange({
    keys,
    schema,
    resolvers,
    updates,
    optimistic: {
      sendMessage: ({ message }) => {
        const { id, text } = message as { id: string; text: string }
        return { __typename: 'Message', id, position: UNSENT_POSITION, text }
      },
    },
  })
  const client = new Client({
    url: `${url}/graphql`,
    preferGetMethod: false,
    fetch: retryingFetch,
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
    exchanges: [
      cache,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query, variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.client.subscribe(
              { query: query!, variables: variables as Record<string, unknown> },
              sink,
            ),
          }),
        }),
      }),
    ],
  })
  const live = [
    { query: QueueDocument, variables: {} },
    { query: InboxDocument, variables: {} },
    { query: ConversationEventsDocument, variables: { id: conversation } },
  ].map(({ query, variables }) => client.subscription(gql(query), variables).subscribe(() => undefined))
  let shown: Screen | null = null
  const watched = client
    .query<Screen>(gql(SCREEN), { conversation }, { requestPolicy: 'cache-only' })
    .subscribe(({ data }) => {
      if (data?.conversation && data.queue && data.inbox) onScreen((shown = data))
    })
  return {
    name: 'urql',
    resyncs: socket.resyncs,
    screen: () => shown,
    async send(text) {
      const message = { id: newId(), type: 'CHAT', role: 'AGENT', text }
      const { error } = await client.mutation<Sent>(gql(SEND), { conversation, message }).toPromise()
      if (error) throw error
    },
    async close() {
      watched.unsubscribe()
      for (const each of live) each.unsubscribe()
      await socket.client.dispose()
    },
  }
}
