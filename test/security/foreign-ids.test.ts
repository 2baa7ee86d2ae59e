import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { systemClock } from '../../src/platform/db/clock.js'
import type { MadeUser } from '../support/factories.js'
import { until } from '../conversations/conversation-fixture.js'
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
})
afterAll(() => app.close())

async function makeTenant(text: string, parent?: MadeUser['organization']): Promise<Tenant> {
  const organization = await app.makeOrganization({ parent })
  const admin = await app.makeUser({ organization, role: 'admin' })
  const agent = await app.makeUser({ organization })
  const channel = await app.gql(admin, 'mutation { createChannel(input: { name: "C" }) { id } }')
  const { id: conversation, message } = await makeConversation({ admin, agent }, text)
  return { admin, agent, channel: channel.data.createChannel.id, conversation, message }
}

async function makeConversation(
  { admin, agent }: Pick<Tenant, 'admin' | 'agent'>,
  text: string,
): Promise<{ id: string; message: string }> {
  const made = await app.gql(
    admin,
    'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id lastMessage { id } } }',
    {
      input: {
        touchpoint: 'WEB',
        contact: { profile: { email: `c-${systemClock.newId()}@example.com` } },
        messages: [{ role: 'AGENT', text, user: agent.id }],
      },
    },
  )
  expect(made.errors).toBeUndefined()
  const { id, lastMessage } = made.data.createConversation
  return { id, message: lastMessage.id }
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

describe('an id that another tenant cancels', () => {
  const CANCEL = 'mutation ($c: ID!, $id: ID!) { cancelMessage(conversation: $c, id: $id) }'
  const cancel = (as: MadeUser, c: string, id: string) => app.gql(as, CANCEL, { c, id })
  let others: Tenant[]
  beforeAll(async () => {
    others = [attacker, await makeTenant('of a customer below', victim.admin.organization)]
  })

  it('can still be sent', async () => {
    for (const other of others) {
      const m = { id: systemClock.newId(), role: 'AGENT', text: 'mine' }
      expect((await cancel(other.agent, other.conversation, m.id)).errors).toBeUndefined()
      expect((await app.gql(victim.agent, SEND, { c: victim.conversation, m })).errors).toBeUndefined()
    }
  })

  it('gives the same answer whether it is that of a message, of a delayed one, or of none; nothing of it changes', async () => {
    const delayed = systemClock.newId()
    const m = { id: delayed, role: 'AGENT', text: 'to come', delay: 60_000 }
    expect((await app.gql(victim.agent, SEND, { c: victim.conversation, m })).errors).toBeUndefined()
    for (const other of others) {
      for (const id of [victim.message, delayed, systemClock.newId()]) {
        const { data, errors } = await cancel(other.agent, other.conversation, id)
        expect([data?.cancelMessage, errors]).toEqual([id, undefined])
      }
      expect((await cancel(other.agent, victim.conversation, delayed)).errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    }
    app.clock.advance(61_000)
    const sent = async () => app.server.database.query('select 1 from message where id = $1', [delayed])
    await until(sent, (rows) => rows.length === 1)
    expect((await cancel(victim.agent, victim.conversation, delayed)).errors?.[0]?.extensions.reason).toBe(
      'ALREADY_SENT',
    )
  })

  it('is refused after a merge of the conversation where it was cancelled', async () => {
    const id = systemClock.newId()
    const { id: origin } = await makeConversation(victim, 'one')
    const { id: target } = await makeConversation(victim, 'two')
    expect((await cancel(victim.agent, origin, id)).errors).toBeUndefined()
    const { errors } = await app.gql(
      victim.agent,
      'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }',
      { id: target, origin },
    )
    expect(errors).toBeUndefined()
    for (const c of [origin, target]) {
      const late = await app.gql(victim.agent, SEND, { c, m: { id, role: 'AGENT', text: 'late' } })
      expect(late.errors?.[0]?.extensions).toMatchObject({ code: 'UNPROCESSABLE', reason: 'MESSAGE_DELETED' })
    }
  })
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
