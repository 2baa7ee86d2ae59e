// The queue of the signed-in user's channels, live, over graphql-transport-ws:
//   TOKEN=... npx node examples/watch-queue.js
import { createClient } from 'graphql-ws'

const { SERVER_URL = 'http://localhost:4000', TOKEN } = process.env
const client = createClient({
  url: `${SERVER_URL.replace(/^http/, 'ws')}/graphql`,
  connectionParams: { authorization: `Bearer ${TOKEN}` },
  // Come back after a restart, however long it takes; without this a refused connection ends it.
  shouldRetry: () => true,
  retryAttempts: Infinity,
})
const query = `subscription ($after: String) {
  queue(after: $after) {
    __typename
    ... on StreamEvent { cursor at }
    ... on QueueSnapshot { resync entries { name contactName preview } }
    ... on QueueEntryAdded { entry { name contactName preview } }
    ... on QueueEntryRemoved { conversation reason }
  }
}`

// Sent again with each reconnect: the server goes on after this event and misses none.
const variables = { after: undefined }
for await (const { data, errors } of client.iterate({ query, variables })) {
  if (errors) throw new Error(errors[0].message)
  const { cursor, ...event } = data.queue
  variables.after = cursor
  console.log(JSON.stringify(event))
}
