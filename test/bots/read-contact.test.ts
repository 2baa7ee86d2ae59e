import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  must,
  newContact,
  startConversationFixture,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import { connectOfficial } from '../mcp/official-client.js'
import type { MadeUser } from '../support/factories.js'
import { closeCodeOf, liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { acting, governing, refused } from './governed-bot.js'

const HIDDEN = { action: 'READ_CONTACT', mode: 'NONE' }
const AUTHOR = 'author { __typename ... on Contact { profile { email } } }'

describe('a bot from which contacts are kept', () => {
  let fixture: ConversationFixture
  let other: TestServer
  let by: ReturnType<typeof governing>
  beforeAll(async () => {
    fixture = await startConversationFixture()
    other = await startTestServer({}, { beside: fixture })
    by = governing(fixture)
  })
  afterAll(async () => {
    await other?.close()
    await fixture?.close()
  })
  const made = async (): Promise<{ id: string; contactId: string }> => {
    const contact = newContact('Zoe Quillfeather')
    return fixture.create({ contact, messages: [{ role: 'CONTACT', text: 'hello' }] }, fixture.admin)
  }
  const hiding = (): Promise<MadeUser> => by.governed([HIDDEN, ...acting('REPLY', 'OTHER')])
  const contactIn = async (as: MadeUser, id: string, node: TestServer = fixture): Promise<unknown> => {
    const { data } = await node.gql(as, 'query ($id: ID!) { conversation(id: $id) { contact { id } } }', { id })
    return data.conversation.contact
  }

  it('reads them unless a line says otherwise, as it did before there was one', async () => {
    const { id, contactId } = await made()
    const bot = await by.governed([])
    expect(await contactIn(bot, id)).toEqual({ id: contactId })
    await must(by.govern(bot, [{ action: 'READ_CONTACT', mode: 'ACT' }]))
    expect(await contactIn(bot, id)).toEqual({ id: contactId })
  })

  it.each([
    ['contact', 'query ($id: ID!) { contact(id: $id) { id } }'],
    ['a list', 'query { contacts(first: 1) { nodes { id } } }'],
    ['a search for them', 'query { search(text: "Quillfeather", types: [CONTACT]) { nodes { __typename } } }'],
    ['its notes', 'query ($id: ID!) { contactNotes(contact: $id, first: 1) { nodes { id } } }'],
    ['what a change answers', 'mutation ($id: ID!) { updateContact(id: $id, patch: {}) { id } }'],
  ])('is refused %s', async (_, query) => {
    const { contactId } = await made()
    const bot = await hiding()
    const variables = query.includes('$id') ? { id: contactId } : {}
    expect(await fixture.run(fixture.admin, query, variables)).not.toHaveProperty('code')
    expect(await fixture.run(bot, query, variables)).toMatchObject(refused('READ_CONTACT'))
  })

  it('finds none by /v2, by /mcp, by its id, and in what a search finds', async () => {
    const { id, contactId } = await made()
    const bot = await hiding()
    for (const path of ['/v2/contacts', `/v2/contacts/${contactId}`])
      expect(await fixture.rest(bot, 'GET', path)).toMatchObject({ status: 403, body: { reason: 'NO_GRANT' } })
    expect((await fixture.rest(bot, 'GET', `/v2/conversations/${id}`)).body).toMatchObject({ id })
    const populated = await fixture.rest(bot, 'GET', `/v2/conversations/${id}?populate=contact`)
    expect(JSON.stringify(populated.body)).not.toContain('Quillfeather')
    const client = await connectOfficial([fixture.url], await fixture.tokenFor(bot), '2026-07-28')
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('read_contact')
    await client.close()
    const node = 'query ($id: ID!) { node(id: $id) { id } }'
    expect(await fixture.run(bot, node, { id: contactId })).toMatchObject({ code: 'NOT_FOUND' })
    const search = 'query { search(text: "Quillfeather") { nodes { __typename } } }'
    const found = async (as: MadeUser): Promise<string[]> => {
      const { nodes } = await must(fixture.run<{ nodes: { __typename: string }[] }>(as, search))
      return nodes.map(({ __typename }) => __typename)
    }
    await until(async () => (await found(fixture.ann)).includes('Contact'))
    expect(await found(bot)).toEqual([])
  })

  it('finds no conversation by what its contact is, and gets no token of a guest who reads it', async () => {
    const { id } = await made()
    const bot = await hiding()
    const listed = 'query { conversations(filter: { q: "Quillf" }) { nodes { id } } }'
    const found = async (as: MadeUser, query: string): Promise<string[]> =>
      (await must(fixture.run<{ nodes: { id: string }[] }>(as, query))).nodes.map((node) => node.id)
    const searched = 'query { search(text: "Quillf", types: [CONVERSATION]) { nodes { ... on Conversation { id } } } }'
    const counted = 'query { search(text: "Quillf", types: [CONVERSATION]) { totalCount } }'
    for (const query of [listed, searched]) {
      expect(await found(fixture.ann, query)).toContain(id)
      expect(await found(bot, query)).toEqual([])
    }
    expect(await must(fixture.run(bot, counted))).toEqual({ totalCount: 0 })
    const rest = await fixture.rest(bot, 'GET', '/v2/conversations?q=Quillf')
    expect(JSON.stringify(rest.body)).not.toContain(id)
    expect(await found(bot, 'query { conversations(filter: { q: "hello" }) { nodes { id } } }')).toContain(id)
    const token = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
    expect(await fixture.run(bot, token, { id })).toMatchObject(refused('READ_CONTACT'))
    // One that it got before ends, by an API token as by a sign-in.
    const seeing = await by.governed(acting('REPLY', 'OTHER'))
    const rotate = 'mutation ($user: ID!) { rotateApiToken(user: $user) { apiToken } }'
    const { apiToken } = await must(fixture.run<{ apiToken: string }>(fixture.admin, rotate, { user: seeing.id }))
    const guests = await Promise.all(
      [apiToken, seeing].map(async (as) => must(fixture.run<{ token: string }>(as, token, { id }))),
    )
    const read = 'query ($id: ID!) { conversation(id: $id) { contact { profile { name } } } }'
    for (const guest of guests) expect(await fixture.run(guest.token, read, { id })).not.toHaveProperty('code')
    await must(by.govern(seeing, [HIDDEN]))
    for (const guest of guests) {
      expect(await fixture.run(guest.token, read, { id })).toMatchObject({ code: 'UNAUTHENTICATED' })
      expect(await other.gql(guest.token, read, { id })).toMatchObject({ status: 401 })
    }
  })

  it('sees conversations without them: one, a list, what it wrote, authors', async () => {
    const { id } = await made()
    const bot = await hiding()
    expect(await contactIn(bot, id)).toBeNull()
    const list = 'query { conversations(first: 50) { nodes { id contact { id } } } }'
    const { nodes } = await must(fixture.run<{ nodes: { contact: unknown }[] }>(bot, list))
    expect(nodes.map(({ contact }) => contact)).toEqual(nodes.map(() => null))
    const send = `mutation ($id: ID!) { sendMessage(conversation: $id, message: { role: AGENT, text: "hi" }) {
      conversation { contact { id } messages(first: 1) { nodes { ${AUTHOR} } } } } }`
    expect(await must(fixture.run(bot, send, { id }))).toEqual({
      conversation: { contact: null, messages: { nodes: [{ author: null }] } },
    })
  })

  it('is shown none by subscriptions that others share, and a new line ends those that it has, on every node', async () => {
    const { id } = await made()
    const [bot, seeing] = [await hiding(), await by.governed([])]
    const query = `subscription ($id: ID!) { conversation(id: $id) { __typename ... on MessageAdded { message { text ${AUTHOR} } } } }`
    interface Added {
      message?: { text: string; author: unknown }
    }
    const clients = await Promise.all(
      [bot, seeing].map(async (as) => liveClient(other.url, await fixture.tokenFor(as))),
    )
    const [hidden, shown] = clients.map((client) => subscribe<Added>(client, 'conversation', query, { id }))
    for (const { events } of [hidden!, shown!]) await until(() => events.length > 0)
    await must(fixture.send(fixture.admin, id, { role: 'CONTACT', text: 'and now?' }))
    const isThat = ({ message }: Added): boolean => message?.text === 'and now?'
    expect((await hidden!.next(isThat)).message!.author).toBeNull()
    expect((await shown!.next(isThat)).message!.author).toMatchObject({ __typename: 'Contact' })
    const closed = closeCodeOf(clients[1]!)
    await must(by.govern(seeing, [HIDDEN]))
    expect(await contactIn(seeing, id)).toBeNull()
    expect(await closed).toBe(4403)
    await until(async () => (await contactIn(seeing, id, other)) === null)
    hidden!.stop()
    await must(by.release(seeing))
    expect(await contactIn(seeing, id)).not.toBeNull()
  })

  it.each([
    [{ mode: 'APPROVE' }, 'grants[0].mode'],
    [
      {
        mode: 'NONE',
        conditions: { any: [{ fact: 'conversation', path: '.category', operator: 'equal', value: 'x' }] },
      },
      'grants[0].conditions',
    ],
  ])('has no line such as %j', async (line, field) => {
    const bot = await by.makeBot()
    const given = [{ action: 'READ_CONTACT', ...line }]
    expect(await by.govern(bot, given)).toMatchObject({ code: 'BAD_USER_INPUT', details: { field } })
  })

  it('has one line for all that it sees', async () => {
    const bot = await by.makeBot()
    const customer = await fixture.makeOrganization({ parent: fixture.organization })
    expect(await by.govern(bot, [HIDDEN], { organization: customer.id })).toMatchObject({
      details: { field: 'organization' },
    })
    expect(await by.govern(bot, [HIDDEN, HIDDEN])).toMatchObject({ details: { field: 'grants[1].action' } })
  })
})
