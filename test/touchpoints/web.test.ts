import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import {
  startConversationFixture,
  texts,
  until,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import { liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'

interface Session {
  tokens: { token: string; refreshToken: string; scope: string }
  contactId: string
  conversationId: string
  greeting: string | null
}

interface Event {
  __typename: string
  typing?: boolean
  user?: string | null
  message?: { text: string; role: string }
  deliveries?: { status: string }[]
}

const START = `mutation ($service: ID!, $profile: GuestProfileInput) { startGuestSession(service: $service, profile: $profile) {
  tokens { token refreshToken scope } contactId conversationId greeting } }`
const HEAR = `subscription ($id: ID!) { conversation(id: $id) { __typename
  ... on MessageAdded { message { text role } } ... on TypingChanged { typing user }
  ... on MessageDeliveryChanged { deliveries { status } } } }`

let fixture: ConversationFixture
let service: string
const clients: Client[] = []
beforeAll(async () => {
  fixture = await startConversationFixture({ ALLOWED_ORIGINS: '*', TRUST_PROXY: 'true' })
  service = await makeService({ allowedOrigins: ['https://shop.example'], greeting: 'Ahoy' })
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.dispose()))
  await fixture.close()
})

async function makeService(params: object, type = 'web'): Promise<string> {
  const { value, message } = await fixture.run<{ id: string }>(
    fixture.admin,
    'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
    { input: { type, params } },
  )
  if (message) throw new Error(message)
  return value.id
}

async function start(profile?: object): Promise<Session> {
  const { value, message } = await fixture.run<Session>(null, START, { service, profile })
  if (message) throw new Error(message)
  return value
}

function hear(token: string, id: string): LiveSubscription<Event> {
  const client = liveClient(fixture.url, token)
  clients.push(client)
  return subscribe<Event>(client, 'conversation', HEAR, { id })
}

async function fromPage(origin: string | null, asked = service, address = '198.51.100.7'): Promise<string | undefined> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address, ...(origin && { origin }) }
  const body = JSON.stringify({ query: START, variables: { service: asked } })
  const answer = (await (await fetch(`${fixture.url}/graphql`, { method: 'POST', headers, body })).json()) as {
    errors?: { extensions: { code: string } }[]
  }
  return answer.errors?.[0]?.extensions.code
}

const deliveryOf = async (conversation: string): Promise<string | undefined> => {
  const { value } = await fixture.run<{ lastMessage: { deliveries: { status: string }[] } }>(
    fixture.ann,
    'query ($id: ID!) { conversation(id: $id) { lastMessage { deliveries { status } } } }',
    { id: conversation },
  )
  return value.lastMessage.deliveries[0]?.status
}

const presenceOf = async (conversation: string): Promise<{ touchpoint: string; online: boolean } | undefined> => {
  const { value } = await fixture.run<{ contact: { presences: { touchpoint: string; online: boolean }[] } }>(
    fixture.ann,
    'query ($id: ID!) { conversation(id: $id) { contact { presences { touchpoint online } } } }',
    { id: conversation },
  )
  return value.contact.presences[0]
}

describe('a visitor of the web widget', () => {
  it('talks with an agent, without an account (1, 4.7)', async () => {
    const session = await start({ name: 'Carl' })
    const {
      conversationId: id,
      tokens: { token },
    } = session
    expect(session).toMatchObject({ greeting: 'Ahoy', tokens: { scope: 'guest' } })
    expect(await fixture.show(id)).toMatchObject({ status: 'CLOSED', touchpoint: 'WEB', participants: [] })

    const guest = hear(token, id)
    const agent = hear(await fixture.tokenFor(fixture.ann), id)
    await Promise.all([guest.next(), agent.next()])
    await until(
      () => presenceOf(id),
      (presence) => presence?.touchpoint === 'WEB' && presence.online,
    )

    await fixture.run(token, 'mutation ($id: ID!) { setTyping(conversation: $id, typing: true) }', { id })
    expect(await agent.next(({ typing }) => typing === true)).toMatchObject({ user: null })
    await fixture.send(token, id, { text: 'A boat, please' })
    await agent.next(({ message }) => message?.text === 'A boat, please')
    expect((await fixture.show(id)).status).toBe('QUEUED')

    await fixture.run(fixture.ann, 'mutation ($id: ID!) { setTyping(conversation: $id, typing: true) }', { id })
    // A guest hears its own typing as well.
    await guest.next(({ typing, user }) => typing === true && user === fixture.ann.id)
    const { value: answer } = await fixture.send(fixture.ann, id, {
      role: 'AGENT',
      text: 'Sail or motor?',
      actions: [{ type: 'REPLY', text: 'Sail', payload: 'SAIL' }],
    })
    await guest.next(({ message }) => message?.text === 'Sail or motor?')
    await agent.next(({ deliveries }) => deliveries?.[0]?.status === 'DELIVERED')
    const READ = 'mutation ($id: ID!, $message: ID!) { markRead(conversation: $id, message: $message) { id } }'
    expect((await fixture.run(token, READ, { id, message: answer.id })).code).toBeUndefined()
    await agent.next(({ deliveries }) => deliveries?.[0]?.status === 'READ')
    expect(guest.events.some(({ deliveries }) => deliveries)).toBe(false)

    const CLICK =
      'mutation ($id: ID!, $message: ID!) { clickAction(conversation: $id, message: $message, action: 0) { text } }'
    expect((await fixture.run(token, CLICK, { id, message: answer.id })).value).toEqual({ text: 'SAIL' })
    await agent.next(({ message }) => message?.text === 'SAIL')
    guest.stop()
    await until(
      () => presenceOf(id),
      (presence) => presence?.online === false,
    )
  })

  it('marks what it fetches as delivered, also over /v2 (section 5)', async () => {
    const {
      conversationId: id,
      tokens: { token },
    } = await start()
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'Are you there?' })
    expect(await deliveryOf(id)).toBe('SENT')
    const { status, body } = await fixture.rest(token, 'GET', `/v2/conversations/${id}?populate=messages`)
    expect([status, body.messages.length]).toEqual([200, 1])
    await until(
      () => deliveryOf(id),
      (now) => now === 'DELIVERED',
    )
    const sent = await fixture.rest(token, 'POST', `/v2/conversations/${id}/messages`, { text: 'Yes' })
    expect([sent.status, sent.body.role]).toEqual([201, 'contact'])
    expect(texts(await fixture.show(id))).toEqual(['Are you there?', 'Yes'])
  })

  it("resumes with its refresh token, and sees no other visitor's conversation (4.1)", async () => {
    const [mine, other] = [await start(), await start()]
    const REFRESH = `mutation ($refreshToken: String!, $clientId: String) {
      refreshToken(refreshToken: $refreshToken, clientId: $clientId) { token } }`
    const { value } = await fixture.run<{ token: string }>(null, REFRESH, {
      refreshToken: mine.tokens.refreshToken,
      clientId: mine.contactId,
    })
    const show = (id: string) => fixture.run(value.token, 'query ($id: ID!) { conversation(id: $id) { id } }', { id })
    expect((await show(mine.conversationId)).value).toEqual({ id: mine.conversationId })
    expect((await show(other.conversationId)).code).toBe('NOT_FOUND')
  })

  it("enters its identity; another contact's address is unverified, which agents see, and reveals nothing to it (4.8, 6.5)", async () => {
    const email = 'known@example.com'
    const known = await fixture.create({ contact: { profile: { name: 'Known', email } } })
    const IDENTIFY = 'mutation ($profile: GuestProfileInput!) { identifyGuest(profile: $profile) }'
    const SEE = 'query ($id: ID!) { conversation(id: $id) { contact { id meta profile { name email telephone } } } }'
    const seen: unknown[] = []
    for (const address of [email, 'new@example.com']) {
      const {
        conversationId: id,
        tokens: { token },
      } = await start()
      await fixture.send(token, id, { text: 'Hello' })
      const { value } = await fixture.run(token, IDENTIFY, {
        profile: { name: 'Dora', email: address, telephone: '+31612345678' },
      })
      const own = await fixture.run<{ contact: { id: string } & Record<string, unknown> }>(token, SEE, { id })
      const { id: contact, ...shown } = own.value.contact
      seen.push([value, { ...shown, profile: { ...(shown.profile as object), email: null } }])
      expect(shown).toMatchObject({ meta: null, profile: { name: 'Dora', email: address, telephone: '+31612345678' } })
      expect(contact).not.toBe(known.contactId)
      if (address !== email) continue
      const shownTo = await until(
        () => fixture.show(id, fixture.admin),
        (now) => texts(now).some((text) => text?.includes('/import')),
      )
      expect(texts(shownTo).at(-1)).toContain(known.id)
      const { value: contactOf } = await fixture.run(
        fixture.bot,
        'query ($id: ID!) { contact(id: $id) { meta profile { email } } }',
        {
          id: contact,
        },
      )
      expect(contactOf).toEqual({ meta: { _unverified: { email } }, profile: { email: null } })
    }
    expect(seen[0]).toEqual(seen[1])
  })

  it('is one contact with an unverified address when sessions begin with the same address concurrently', async () => {
    const email = 'together@example.com'
    const sessions = await Promise.all(Array.from({ length: 8 }, () => start({ email })))
    expect(new Set(sessions.map(({ contactId }) => contactId)).size).toBe(8)
    const [{ count }] = (await fixture.server.database.query<{ count: number }>(
      'select count(*)::int as count from contact where email = $1',
      [email],
    )) as [{ count: number }]
    expect(count).toBe(1)
  })

  it('must come from a page of the service, an active one of type web', async () => {
    const sms = await makeService({}, 'sms')
    const inactive = await makeService({})
    await fixture.run(
      fixture.admin,
      'mutation ($id: ID!) { updateService(id: $id, patch: {status: "inactive"}) { id } }',
      {
        id: inactive,
      },
    )
    const codes = await Promise.all([
      fromPage('https://shop.example'),
      fromPage(null),
      fromPage('https://evil.example'),
      fromPage(null, sms),
      fromPage(null, inactive),
      fromPage(null, 'x'),
    ])
    expect(codes).toEqual([undefined, undefined, 'FORBIDDEN', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'])
    const own = await makeService({ allowedOrigins: [new URL(fixture.url).origin] })
    expect([await fromPage('https://shop.example', own), await fromPage(fixture.url, own)]).toEqual([
      'FORBIDDEN',
      undefined,
    ])
    await expect(makeService({ allowedOrigins: ['shop.example/path'] })).rejects.toThrow('params.allowedOrigins[0]')
    await expect(makeService({ allowedOrigins: [] })).rejects.toThrow('params.allowedOrigins [] is empty')
  })

  it("gets the service's public settings from /widget, if its page is on one of the service's sites", async () => {
    const looks = { title: 'Harbour Boats', accent: '#0b5c8f' }
    const dressed = await makeService({
      ...looks,
      allowedOrigins: ['https://shop.example'],
      greeting: 'Ahoy',
    })
    const ask = async (id: string, origin: string) => {
      const response = await fetch(`${fixture.url}/widget/${id}.json`, { headers: { origin } })
      return { status: response.status, cache: response.headers.get('cache-control'), body: await response.json() }
    }
    expect(await ask(dressed, 'https://shop.example')).toEqual({
      status: 200,
      cache: 'public, max-age=15',
      body: {
        greeting: 'Ahoy',
        looks,
        languages: ['en', 'nl', 'de', 'fr'],
        online: false,
        reach: 'NOBODY',
        opensAt: null,
        waitSeconds: null,
        copies: false,
      },
    })
    const refused = await ask(dressed, 'https://evil.example')
    expect([refused.status, (refused.body as { message: string }).message]).toEqual([
      403,
      expect.stringContaining('https://evil.example'),
    ])
    await expect(makeService({ accent: 'red; background: url(x)' })).rejects.toThrow('params.accent')
  })

  it('is refused after 60 sessions of its address in 10 minutes, and from a blocked address (3.1, section 8)', async () => {
    const address = '203.0.113.9'
    const codes = await Promise.all(Array.from({ length: 62 }, () => fromPage(null, service, address)))
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(2)
    const blocked = '203.0.113.77'
    await fixture.server.database.query(
      'insert into blocked_address (organization_id, address, created_at) values ($1, $2, now())',
      [fixture.organization.id, blocked],
    )
    expect(await fromPage(null, service, blocked)).toBe('FORBIDDEN')
  })
})
