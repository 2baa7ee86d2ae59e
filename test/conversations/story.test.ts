import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

const QUEUE = `subscription Queue($channels: [ID!], $after: String) {
  queue(channels: $channels, after: $after) {
    __typename
    ... on StreamEvent { cursor at }
    ... on QueueSnapshot { resync entries { channel conversation name contactName preview } }
    ... on QueueEntryAdded { entry { channel conversation organization contactName touchpoint preview queuedAt meta } }
    ... on QueueEntryChanged { entry { conversation preview } }
    ... on QueueEntryRemoved { channel conversation reason }
  }
}`

interface QueueEvent {
  __typename: string
  cursor: string
  resync?: boolean
  entries?: { conversation: string }[]
  entry?: { conversation: string; channel: string; preview: string; contactName: string }
  conversation?: string
  reason?: string
}

describe('the main job', () => {
  let server: TestServer
  let organization: MadeOrganization
  let admin: MadeUser
  let bot: MadeUser
  let agent: MadeUser
  let channel: string

  beforeAll(async () => {
    server = await startTestServer()
    organization = await server.makeOrganization({ name: 'Acme' })
    admin = await server.makeUser({ organization, role: 'admin' })
    bot = await server.makeUser({ organization, role: 'bot' })
    agent = await server.makeUser({ organization, role: 'agent', displayName: 'Ann' })
    const made = await server.gql(
      admin,
      'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }',
      { input: { name: 'Sales', members: [{ user: agent.id }] } },
    )
    expect(made.errors).toBeUndefined()
    channel = made.data.createChannel.id
    const workflow = await server.gql(
      admin,
      'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }',
      {
        input: {
          name: 'Routing',
          rules: [
            {
              conditions: { all: [{ fact: 'message', path: '.text', operator: 'match', value: 'buy' }] },
              event: { type: 'notify', params: { name: 'buyers', channels: [channel] } },
            },
          ],
        },
      },
    )
    expect(workflow.errors).toBeUndefined()
  })
  afterAll(() => server.close())

  it('lets a consumer write, and the right agent see the message live, answer and close', async () => {
    const client = liveClient(server.url, await server.tokenFor(agent))
    const queue = subscribe<QueueEvent>(client, 'queue', QUEUE)
    const snapshot = await queue.next()
    expect(snapshot).toMatchObject({ __typename: 'QueueSnapshot', resync: false, entries: [] })

    const created = await server.gql(
      bot,
      `mutation ($input: CreateConversationInput!) {
        createConversation(input: $input) { id status channels channelsOffline name contact { profile { name email } }
          messages { edges { node { text role position } } } routingTrace { trigger entries { outcome channelsNotified } } }
      }`,
      {
        input: {
          contact: { profile: { name: 'Carl', email: 'carl@example.com' } },
          touchpoint: 'WEB',
          messages: [{ role: 'CONTACT', text: 'I want to buy a boat' }],
        },
      },
    )
    expect(created.errors).toBeUndefined()
    const conversation = created.data.createConversation
    expect(conversation).toMatchObject({
      status: 'QUEUED',
      channels: [channel],
      channelsOffline: [],
      contact: { profile: { name: 'Carl', email: 'carl@example.com' } },
      messages: { edges: [{ node: { text: 'I want to buy a boat', role: 'CONTACT', position: 1 } }] },
      routingTrace: [{ trigger: 'contact message', entries: [{ outcome: 'FIRED', channelsNotified: [channel] }] }],
    })
    const added = await queue.next()
    expect(added).toMatchObject({
      __typename: 'QueueEntryAdded',
      entry: { channel, conversation: conversation.id, contactName: 'Carl', preview: 'I want to buy a boat' },
    })

    const accepted = await server.gql(
      agent,
      `mutation ($id: ID!) { acceptConversation(conversation: $id, ifQueued: true) {
        status channels participants { user { displayName } accepted active unreadCount } } }`,
      { id: conversation.id },
    )
    expect(accepted.data.acceptConversation).toEqual({
      status: 'ACTIVE',
      channels: [],
      participants: [{ user: { displayName: 'Ann' }, accepted: true, active: true, unreadCount: 0 }],
    })
    expect(await queue.next()).toMatchObject({
      __typename: 'QueueEntryRemoved',
      conversation: conversation.id,
      reason: 'ACCEPTED',
    })

    const answered = await server.gql(
      agent,
      'mutation ($id: ID!) { sendMessage(conversation: $id, message: { role: AGENT, text: "Which one?" }) { text user { displayName } } }',
      { id: conversation.id },
    )
    expect(answered.data.sendMessage).toEqual({ text: 'Which one?', user: { displayName: 'Ann' } })
    const left = await server.gql(
      agent,
      'mutation ($id: ID!) { leaveConversation(conversation: $id) { status participants { userId } } }',
      { id: conversation.id },
    )
    expect(left.data.leaveConversation).toEqual({ status: 'CLOSED', participants: [] })
    await client.dispose()
  })
})
