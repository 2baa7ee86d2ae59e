// The queue of the signed-in user's channels, live, over graphql-transport-ws:
//   TOKEN=... npx node examples/watch-queue.js
import { Switchboard } from '@switchboard/client'

const { SERVER_URL = 'http://localhost:4000', TOKEN } = process.env
const query = `subscription ($after: String) {
  queue(after: $after) {
    __typename
    ... on StreamEvent { cursor at isStored }
    ... on QueueSnapshot { resync entries { name contactName preview } }
    ... on QueueEntryAdded { entry { name contactName preview } }
    ... on QueueEntryRemoved { conversation reason }
  }
}`

// A restart of the server, or a lost network, is no end: the client reconnects, and continues after the last event.
new Switchboard({ serverUrl: SERVER_URL, token: TOKEN }).live.open(
  { query, apply: (_state, { cursor: _cursor, isStored: _isStored, ...event }) => event },
  {
    onChange: (event) => console.log(JSON.stringify(event)),
    onEnd: (error) => {
      throw error
    },
  },
)
