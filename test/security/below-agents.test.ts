import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  newContact,
  rule,
  startConversationFixture,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import { liveClient, subscribe } from '../support/live-client.js'

// Who may fetch a conversation without being an agent of it (section 5), and who may read what decided about it.
let fixture: ConversationFixture
let viewer: string
let narrow: string
beforeAll(async () => {
  fixture = await startConversationFixture()
  viewer = await fixture.tokenFor(await fixture.makeAgent({ role: 'viewer' }))
  const { value } = await fixture.run<{ apiToken: string }>(
    fixture.admin,
    'mutation ($input: CreateUserInput!) { createUser(input: $input) { apiToken } }',
    { input: { email: 'narrow@example.com', role: 'BOT', scopes: ['guest'] } },
  )
  narrow = value.apiToken
})
afterAll(() => fixture.close())

const ALL = `id name meta category channels results { name } preview touchpoints { email { selected } } createdById participants { userId name }
  organization { id meta } contact { id meta profile { name email telephone } } lastMessage { text }
  messages(first: 50) { edges { node { text type likes comments { text } deliveries { recipient } } } } messageIds`

describe('a viewer, and a bot whose token is narrowed to guest', () => {
  it('read the content of a conversation, but not its routing and internal fields', async () => {
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'my question' }] })
    await fixture.command(fixture.ann, id, '/accept')
    await fixture.command(fixture.ann, id, '/set', { meta: { secret: 'of the team' } })
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'my answer' })
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'between us', isBackchannel: true })
    const email = (await fixture.rest(fixture.bot, 'GET', `/v2/conversations/${id}?populate=contact`)).body.contact
      .profile.email
    for (const token of [viewer, narrow]) {
      const { value, code } = await fixture.run<object>(
        token,
        `query ($id: ID!) { conversation(id: $id) { ${ALL} } }`,
        { id },
      )
      expect(code).toBeUndefined()
      expect(value).toMatchObject({ meta: {}, channels: [], results: [] })
      const { body } = await fixture.rest(token, 'GET', `/v2/conversations/${id}?populate=messages,contact`)
      const client = liveClient(fixture.url, token)
      const live = subscribe<object>(
        client,
        'conversation',
        `subscription ($id: ID!) { conversation(id: $id) {
        ... on ConversationSnapshot { conversation { ${ALL} } messages { text } }
        ... on MessageAdded { message { text } } ... on ConversationChanged { conversation { meta } } } }`,
        { id },
      )
      const snapshot = await live.next()
      await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'also between us', isBackchannel: true })
      await fixture.command(fixture.ann, id, `/set secret ${token.slice(-5)} of the team`)
      await fixture.send(fixture.ann, id, { role: 'AGENT', text: `bye ${token.slice(-5)}` })
      const events = [snapshot]
      while (!JSON.stringify(events.at(-1)).includes(`bye ${token.slice(-5)}`)) events.push(await live.next())
      await client.dispose()
      const told = JSON.stringify([value, body, events])
      expect(told).toContain('my question')
      for (const hidden of ['between us', 'of the team', '/accept', '/set', email]) expect(told).not.toContain(hidden)
    }
  })
})

describe('the trace of a queueing', () => {
  it('shows conditions and their values to users who may read workflows', async () => {
    const conditions = { all: [{ fact: 'contact', path: '.meta.credit', operator: 'lessThan', value: 3 }] }
    await fixture.makeWorkflow([rule({ channels: [fixture.channel] }, { conditions })])
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const entriesFor = async (as: Parameters<typeof fixture.show>[1]) =>
      (await fixture.show(id, as)).routingTrace[0]!.entries
    expect(JSON.stringify(await entriesFor(fixture.bot))).toContain('credit')
    const [entry] = await entriesFor(fixture.ann)
    expect(entry).toMatchObject({ workflow: { name: 'Routing' }, conditions: null })
    expect(JSON.stringify(entry)).not.toContain('credit')
  })

  it('names no workflow of an organization above', async () => {
    const customer = await fixture.makeOrganization({ parent: fixture.organization })
    const bot = await fixture.makeUser({ organization: customer, role: 'bot' })
    await fixture.makeWorkflow([rule({ channels: [fixture.channel], name: 'Escalate the difficult ones' })])
    const never = { all: [{ fact: 'contact', path: '.email', operator: 'equal', value: 'x' }] }
    await fixture.makeWorkflow([rule({ channels: [] }, { conditions: never })], {
      organization: customer,
      name: 'Ours',
    })
    const { id } = await fixture.create(
      { organization: customer.id, contact: newContact(), messages: [{ role: 'CONTACT', text: 'hello' }] },
      bot,
    )
    const { entries } = (await fixture.show(id, bot)).routingTrace[0]!
    const [own, above] = [entries.filter(({ workflow }) => workflow), entries.filter(({ workflow }) => !workflow)]
    expect([own.map(({ workflow }) => workflow!.name), above.length > 0]).toEqual([['Ours'], true])
    for (const entry of above) expect(entry).toMatchObject({ rule: null, conditions: null })
    expect(JSON.stringify(entries)).not.toMatch(/Escalate|Routing|credit/)
    expect(JSON.stringify((await fixture.show(id)).routingTrace[0]!.entries)).toContain('Routing')
  })
})
