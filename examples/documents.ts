/** What the story sends. Paste any of them into GraphiQL. */

export const SIGN_IN = `mutation ($email: String!, $password: String!) {
  createToken(email: $email, password: $password) { token user scope }
}`

export const MAKE_ORGANIZATION = `mutation ($input: CreateOrganizationInput!) {
  createOrganization(input: $input) { id }
}`
export const MAKE_USER = `mutation ($input: CreateUserInput!) { createUser(input: $input) { id email apiToken } }`
export const MAKE_CHANNEL = `mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }`
export const MAKE_WORKFLOW = `mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }`

export const WRITE_IN = `mutation ($input: CreateConversationInput!) {
  createConversation(input: $input) { id name status url }
}`
export const GUEST_TOKEN = `mutation ($conversation: ID!) { createGuestToken(conversation: $conversation) { token } }`
export const SEND = `mutation ($conversation: ID!, $message: MessageInput!) {
  sendMessage(conversation: $conversation, message: $message) { id }
}`
export const ACCEPT = `mutation ($conversation: ID!) {
  acceptConversation(conversation: $conversation, ifQueued: true) { status }
}`
export const ASSIGN = `mutation ($conversation: ID!, $users: [ID!]!) {
  assignConversation(conversation: $conversation, users: $users) { status }
}`
export const LEAVE = `mutation ($conversation: ID!) { leaveConversation(conversation: $conversation) { status } }`

export const ROUTING_TRACE = `query ($conversation: ID!) {
  conversation(id: $conversation) {
    routingTrace {
      trigger
      entries {
        rule { name } outcome reason delaySeconds channelsNotified
        conditions { kind fact path operator value factValue result }
      }
    }
  }
}`

export const QUEUE = `subscription ($after: String) {
  queue(after: $after) {
    type: __typename
    ... on StreamEvent { cursor at }
    ... on QueueSnapshot { entries { conversation } }
    ... on QueueEntryAdded { entry { conversation channel contactName preview } }
    ... on QueueEntryRemoved { conversation channel reason }
  }
}`
export const INBOX = `subscription ($after: String) {
  inbox(after: $after) {
    type: __typename
    ... on StreamEvent { cursor at }
    ... on InboxSnapshot { entries { conversation } }
    ... on InboxEntryAdded { entry { conversation contactName preview unreadCount status } }
    ... on InboxEntryChanged { entry { conversation contactName preview unreadCount status } }
    ... on InboxEntryRemoved { conversation }
  }
}`
export const CONVERSATION = `subscription ($id: ID!, $after: String) {
  conversation(id: $id, after: $after) {
    type: __typename
    ... on StreamEvent { cursor at }
    ... on ConversationSnapshot { conversation { status } messages { text } }
    ... on MessageAdded { message { text user { displayName } } }
    ... on ConversationChanged { conversation { status } }
    ... on ParticipantsChanged { participants { name accepted } }
  }
}`
