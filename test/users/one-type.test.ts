import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { RestAnswer } from '../support/test-server.js'
import { liveClient, subscribe } from '../support/live-client.js'

// A user is one type wherever it is referred to; what it shows is decided by who asks (2.2, section 5).
let app: ConversationFixture
let id: string

beforeAll(async () => {
  app = await startConversationFixture()
  ;({ id } = await app.inStatus('ACTIVE'))
  await app.send(app.ann, id, { role: 'AGENT', text: 'Good morning' })
})
afterAll(() => app.close())

const SEEN = '__typename id displayName role'
const WHOLE = `${SEEN} email status settings { locale } organizations { level } apiTokens { id }`
const QUERY = `query ($id: ID!) {
  conversation(id: $id) {
    participants { user { ${WHOLE} } }
    messages(last: 1) { edges { node { user { ${WHOLE} } author { ... on User { ${WHOLE} } } } } }
  }
}`
type Json = RestAnswer['body']
const usersOf = ({ conversation }: Json): Json[] => [
  ...conversation.participants.map(({ user }: Json) => user),
  ...conversation.messages.edges.flatMap(({ node }: Json) => [node.user, node.author]),
]

describe('a user in a conversation', () => {
  it('is whole for those who may fetch users, and for itself', async () => {
    const email = (await app.gql(app.ann, '{ me { email } }')).data.me.email
    for (const caller of [app.admin, app.ann]) {
      const { data, errors } = await app.gql(caller, QUERY, { id })
      expect(errors).toBeUndefined()
      const [first, ...others] = usersOf(data)
      expect(first).toMatchObject({ __typename: 'User', id: app.ann.id, email, status: 'ACTIVE' })
      expect(first).toMatchObject({ settings: { locale: 'EN' }, organizations: [{ level: 1 }] })
      for (const other of others) expect(other).toEqual(first)
    }
  })

  it('is its profile for other agents', async () => {
    const { data } = await app.gql(app.ben, QUERY, { id })
    const users = usersOf(data)
    expect(users.length).toBe(3)
    for (const user of users) {
      expect(user).toMatchObject({ __typename: 'User', id: app.ann.id, displayName: expect.any(String), role: 'AGENT' })
      expect(user).toMatchObject({ email: null, status: null, settings: null, organizations: null, apiTokens: [] })
    }
  })

  it('is for each live subscriber what that one may see', async () => {
    const query = `subscription ($id: ID!) { conversation(id: $id) {
      ... on ConversationSnapshot { messages { id } } ... on MessageAdded { message { user { id email } } } } }`
    const clients = await Promise.all(
      [app.admin, app.ben].map(async (user) => liveClient(app.url, await app.tokenFor(user))),
    )
    const views = clients.map((client) => subscribe<Json>(client, 'conversation', query, { id }))
    for (const view of views) await view.next()
    await app.send(app.ann, id, { role: 'AGENT', text: 'Anything else?' })
    const [told, toldAgent] = await Promise.all(views.map((view) => view.next(({ message }) => message)))
    expect(told.message.user).toEqual({ id: app.ann.id, email: expect.stringContaining('@') })
    expect(toldAgent.message.user).toEqual({ id: app.ann.id, email: null })
    await Promise.all(clients.map((client) => client.dispose()))
  })

  it('is never of another contact center', async () => {
    const other = await app.makeOrganization({ name: 'Elsewhere' })
    const stranger = await app.makeUser({ organization: other, role: 'admin' })
    const { data } = await app.gql(stranger, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: [app.ann.id] })
    expect(data.nodes).toEqual([null])
  })
})
