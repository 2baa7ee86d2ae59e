// The screens of a client by gql.tada: types come from the documents' texts, and the compiler holds them.
import { initGraphQLTada } from 'gql.tada'
import type { introspection } from '../made/introspection.js'

export const graphql = initGraphQLTada<{
  introspection: introspection
  scalars: { DateTime: string; ID: string; JSON: unknown; JSONObject: Record<string, unknown> }
}>()

const messageFields = graphql(`
  fragment MessageFields on Message {
    id
    position
    type
    text
    author {
      __typename
      ... on User {
        displayName
      }
    }
  }
`)

const thread = graphql(
  `
    query Thread($id: ID!) {
      conversation(id: $id) {
        id
        status
        messages(last: 50) {
          edges {
            node {
              ...MessageFields
            }
          }
        }
      }
      closed: conversations(filter: { status: { eq: CLOSED } }, orderBy: [{ field: LAST_MESSAGE_AT }]) {
        totalCount
      }
    }
  `,
  [messageFields],
)

const send = graphql(`
  mutation Send($conversation: ID!, $message: MessageInput!) {
    sendMessage(conversation: $conversation, message: $message) {
      id
      position
    }
  }
`)

type Data<Document> = Document extends { __apiType?: (variables: never) => infer Result } ? Result : never
type Variables<Document> = Document extends { __apiType?: (variables: infer Given) => unknown } ? Given : never

declare const shown: Data<typeof thread>
// A record that is not there is null, so that the rest of the screen stays.
export const status: 'QUEUED' | 'ACTIVE' | 'CLOSED' | 'ARCHIVED' | undefined = shown.conversation?.status
// @ts-expect-error closed lists are enums
export const wrong: 'GONE' | undefined = shown.conversation?.status

export const variables: Variables<typeof send> = {
  conversation: '01900000-0000-7000-8000-000000000000',
  message: { id: '01900000-0000-7000-8000-000000000001', type: 'CHAT', role: 'AGENT', text: 'Good morning' },
}
// @ts-expect-error a message has no field of the name
export const misspelt: Variables<typeof send> = { conversation: '', message: { texts: 'Good morning' } }
