// A console of Relay's: what its compiler has to accept. Nothing runs it.
declare const graphql: (text: TemplateStringsArray) => unknown

export const queue = graphql`
  query screensQueueQuery($first: Int!, $after: String) {
    queue(first: $first, after: $after) @connection(key: "screens_queue") {
      edges {
        node {
          id
          name
          preview
          queuedAt
          channelRecord {
            name
          }
          contact {
            profile {
              name
            }
          }
          conversationRecord {
            unreadCount
            ...screens_thread
          }
        }
      }
    }
  }
`

export const thread = graphql`
  fragment screens_thread on Conversation
  @refetchable(queryName: "screensThreadQuery")
  @argumentDefinitions(last: { type: "Int", defaultValue: 30 }, before: { type: "String" }) {
    status
    myParticipant {
      accepted
      unreadCount
    }
    messages(last: $last, before: $before) @connection(key: "screens_messages") {
      edges {
        node {
          id
          text
          author {
            __typename
            ... on User {
              displayName
            }
            ... on Contact {
              profile {
                name
              }
            }
          }
        }
      }
    }
  }
`

export const person = graphql`
  fragment screens_person on User {
    displayName
    avatar
  }
`

export const inbox = graphql`
  query screensInboxQuery($first: Int!, $after: String) {
    me {
      ...screens_person
      channels {
        id
        name
      }
    }
    inbox(first: $first, after: $after) @connection(key: "screens_inbox") {
      edges {
        node {
          id
          unreadCount
          status
        }
      }
    }
  }
`

export const live = graphql`
  subscription screensLiveSubscription($id: ID!, $after: String, $connections: [ID!]!) {
    conversation(id: $id, after: $after) {
      __typename
      ... on StreamEvent {
        cursor
      }
      ... on MessageAdded {
        message @appendNode(connections: $connections, edgeTypeName: "MessageEdge") {
          id
          text
        }
      }
      ... on MessageRemoved {
        messageId @deleteRecord
      }
    }
  }
`

export const send = graphql`
  mutation screensSendMutation($conversation: ID!, $message: MessageInput!, $connections: [ID!]!) {
    sendMessage(conversation: $conversation, message: $message)
      @appendNode(connections: $connections, edgeTypeName: "MessageEdge") {
      id
      text
      position
    }
  }
`

export const remove = graphql`
  mutation screensRemoveMutation($id: ID!, $connections: [ID!]!) {
    deleteConversation(id: $id) @deleteEdge(connections: $connections)
  }
`
