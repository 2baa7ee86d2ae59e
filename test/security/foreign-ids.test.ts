import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { systemClock } from '../../src/db/clock.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

const SEND = `mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id text } }`
const HAND_OVER = `mutation ($c: ID!, $user: ID, $channel: ID) {
  handOverConversation(conversation: $c, user: $user, channel: $channel) { id } }`

interface Tenant {
  admin: MadeUser
  agent: MadeUser
  channel: string
  conversation: string
  message: string
}

let app: TestServer
let victim: Tenant
let attacker: Tenant

beforeAll(async () => {
  app = await startTestServer()
  victim = await makeTenant('the secret word')
  attacker = await makeTenant('mine')
}, 60_000)
afterAll(() => app.close())

async function makeTenant(text: string): Promise<Tenant> {
  const organization = await app.makeOrganization()
  const admin = await app.makeUser({ organization, role: 'admin' })
  const agent = await app.makeUser({ organization })
  const channel = await app.gql(admin, 'mutation { createChannel(input: { name: "C" }) { id } }')
  const made = await app.gql(
    admin,
    'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id lastMessage { id } } }',
    {
      input: {
        touchpoint: 'WEB',
        contact: { profile: { email: `c-${organization.id}@example.com` } },
        messages: [{ role: 'AGENT', text, user: agent.id }],
      },
    },
  )
  expect(made.errors).toBeUndefined()
  const { id: conversation, lastMessage } = made.data.createConversation
  return { admin, agent, channel: channel.data.createChannel.id, conversation, message: lastMessage.id }
}

it("the id of another tenant's message reveals nothing of it, stores nothing, and changes nothing there", async () => {
  const own = systemClock.newId()
  const first = { id: own, role: 'AGENT', text: 'first' }
  expect((await app.gql(attacker.agent, SEND, { c: attacker.conversation, m: first })).errors).toBeUndefined()
  const foreign = await app.gql(attacker.agent, SEND, {
    c: attacker.conversation,
    m: { id: victim.message, role: 'AGENT', text: 'taken' },
  })
  expect(foreign.errors?.[0]?.extensions).toMatchObject({ code: 'UNPROCESSABLE', field: 'id' })
  expect(JSON.stringify(foreign)).not.toContain('secret word')
  const rows = await app.server.database.query<{ text: string; conversation_id: string }>(
    'select text, conversation_id from message where id = $1',
    [victim.message],
  )
  expect(rows).toEqual([{ text: 'the secret word', conversation_id: victim.conversation }])
  const into = await app.gql(attacker.agent, SEND, { c: victim.conversation, m: { ...first, id: victim.message } })
  expect(into.errors?.[0]?.extensions.code).toBe('NOT_FOUND')
})

it("a conversation cannot be handed over to another tenant, nor another tenant's to anyone", async () => {
  const { agent, conversation } = attacker
  for (const to of [{ user: victim.agent.id }, { user: victim.admin.id }, { channel: victim.channel }]) {
    const { errors } = await app.gql(agent, HAND_OVER, { c: conversation, ...to })
    expect(errors?.[0]?.extensions.code).toMatch(/^(NOT_FOUND|BAD_USER_INPUT|UNPROCESSABLE)$/)
    expect(JSON.stringify(errors)).not.toContain(victim.agent.email)
  }
  for (const to of [{ user: agent.id }, { user: attacker.admin.id }, { channel: attacker.channel }]) {
    const { errors } = await app.gql(agent, HAND_OVER, { c: victim.conversation, ...to })
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND')
  }
  const participants = await app.server.database.query<{ user_id: string }>(
    'select user_id from participant where conversation_id = any($1::uuid[]) order by conversation_id, user_id',
    [[conversation, victim.conversation]],
  )
  expect(participants.map(({ user_id: user }) => user).toSorted()).toEqual([agent.id, victim.agent.id].toSorted())
})

it('a guest, a viewer and an anonymous caller cannot hand over a conversation', async () => {
  const viewer = await app.makeUser({ organization: victim.admin.organization, role: 'viewer' })
  const guest = await app.gql(victim.admin, 'mutation ($c: ID!) { createGuestToken(conversation: $c) { token } }', {
    c: victim.conversation,
  })
  const { token } = guest.data.createGuestToken
  for (const [as, code] of [
    [viewer, 'FORBIDDEN'],
    [token, 'FORBIDDEN'],
    [null, 'UNAUTHENTICATED'],
  ] as const) {
    const { errors } = await app.gql(as, HAND_OVER, { c: victim.conversation, user: victim.admin.id })
    expect(errors?.[0]?.extensions.code).toBe(code)
  }
})
