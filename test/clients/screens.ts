/** The screen that both clients show and ask for: some lists by their nodes, one by its edges. */
export const SCREEN = /* GraphQL */ `
  query Screen($conversation: ID!) {
    queue {
      nodes {
        id
        conversation
        name
        preview
      }
    }
    inbox {
      edges {
        node {
          id
          conversation
          name
          preview
          unreadCount
          status
        }
      }
    }
    conversation(id: $conversation) {
      id
      status
      participants {
        id
        userId
        accepted
      }
      messages {
        nodes {
          id
          position
          text
        }
      }
    }
  }
`
export const SEND = /* GraphQL */ `
  mutation Send($conversation: ID!, $message: MessageInput!) {
    sendMessage(conversation: $conversation, message: $message) {
      __typename
      id
      position
      text
    }
  }
`

export interface Screen {
  queue: { nodes: { id: string; conversation: string; name: string; preview: string | null }[] }
  inbox: {
    edges: { node: { id: string; conversation: string; preview: string | null; unreadCount: number; status: string } }[]
  }
  conversation: {
    id: string
    status: string
    participants: { id: string; userId: string; accepted: boolean }[]
    messages: { nodes: { id: string; position: number; text: string | null }[] }
  }
}

export interface Sent {
  sendMessage: { __typename: 'Message'; id: string; position: number; text: string | null }
}

/** A screen of a real client, kept by `@switchboard/client` and the client's own cache. */
export interface TestClient {
  name: string
  /** Null until everything that it shows has come. */
  screen(): Screen | null
  /** Shows the message at once, and resolves when the server has answered. */
  send(text: string): Promise<void>
  /** Fields whose events were missed for good. */
  resyncs: string[]
  close(): Promise<void>
}

export interface TestClientOptions {
  url: string
  token: string
  conversation: string
  /** Called with each screen that is shown. */
  onScreen(screen: Screen): void
}
