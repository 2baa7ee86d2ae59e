import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache, type TypedDocumentNode } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import {
  addSentMessage,
  applyLiveEvent,
  possibleTypes,
  typePolicies,
  UNSENT_POSITION,
} from '@switchboard/client/apollo'
import { ConversationEventsDocument, InboxDocument, QueueDocument } from '@switchboard/client/documents'
import { newId, type LiveEvent } from '@switchboard/client'
import { openSocket, retryingFetch } from './network.js'
import { SCREEN, SEND, type Screen, type Sent, type TestClient, type TestClientOptions } from './screens.js'

const screenQuery: TypedDocumentNode<Screen, { conversation: string }> = gql(SCREEN)
const sendMutation: TypedDocumentNode<Sent, Record<string, unknown>> = gql(SEND)

/** A screen of Apollo Client 4. */
export function openApolloClient({ url, token, conversation, onScreen }: TestClientOptions): TestClient {
  const socket = openSocket(url, token)
  const http = new HttpLink({
    uri: `${url}/graphql`,
    fetch: retryingFetch,
    headers: { authorization: `Bearer ${token}` },
  })
  const client = new ApolloClient({
    cache: new InMemoryCache({ possibleTypes, typePolicies }),
    link: ApolloLink.split(
      ({ operationType }) => operationType === 'subscription',
      new GraphQLWsLink(socket.client),
      http,
    ),
  })
  const live = [
    { query: QueueDocument, variables: {} },
    { query: InboxDocument, variables: {} },
    { query: ConversationEventsDocument, variables: { id: conversation } },
  ].map(({ query, variables }) =>
    client.subscribe<Record<string, LiveEvent>>({ query: gql(query), variables }).subscribe({
      next: ({ data }) => {
        if (data) applyLiveEvent(client.cache, Object.values(data)[0]!, variables)
      },
    }),
  )
  let shown: Screen | null = null
  const watched = client
    .watchQuery({ query: screenQuery, variables: { conversation }, fetchPolicy: 'cache-only' })
    .subscribe(({ data, dataState }) => {
      if (dataState === 'complete' && data) onScreen((shown = data))
    })
  return {
    name: 'Apollo Client',
    resyncs: socket.resyncs,
    screen: () => shown,
    async send(text) {
      const id = newId()
      await client.mutate({
        mutation: sendMutation,
        variables: { conversation, message: { id, type: 'CHAT', role: 'AGENT', text } },
        optimisticResponse: { sendMessage: { __typename: 'Message', id, position: UNSENT_POSITION, text } },
        update: (cache, { data }) => {
          if (data) addSentMessage(cache, conversation, data.sendMessage)
        },
      })
    },
    async close() {
      watched.unsubscribe()
      for (const each of live) each.unsubscribe()
      client.stop()
      await socket.client.dispose()
    },
  }
}
