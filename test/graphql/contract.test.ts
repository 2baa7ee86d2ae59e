import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { buildSchema, isNonNullType } from 'graphql'
import { readFileSync } from 'node:fs'
import { liveClient, subscribe } from '../support/live-client.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

let fixture: ConversationFixture
let closed: string
const NOBODY = '01900000-0000-7000-8000-000000000000'
beforeAll(async () => {
  fixture = await startConversationFixture()
  closed = (await fixture.inStatus('CLOSED')).id
})
afterAll(() => fixture.close())

describe('a field of a closed list', () => {
  const list = (where: string) =>
    fixture.gql(fixture.admin, `{ conversations(filter: {status: {${where}}}) { edges { node { id status } } } }`)

  it.each(['eq: CLOSED', 'in: [CLOSED]', 'ne: QUEUED', 'eq: "closed"', 'eq: "CLOSED"'])(
    'is filtered by %s',
    async (where) => {
      const { data, errors } = await list(where)
      expect(errors).toBeUndefined()
      expect(data.conversations.edges).toEqual([{ node: { id: closed, status: 'CLOSED' } }])
    },
  )

  it('is refused with a list of the values, in the document, in a variable and in /v2', async () => {
    const known = 'known are QUEUED, ACTIVE, CLOSED, ARCHIVED'
    const [literal] = (await list('eq: BOGUS')).errors!
    expect(literal!.message).toBe(`BOGUS is not a ConversationStatus; ${known}`)
    const query = 'query ($filter: ConversationFilter) { conversations(filter: $filter) { totalCount } }'
    const [variable] = (await fixture.gql(fixture.admin, query, { filter: { status: { eq: 'bogus' } } })).errors!
    expect(variable).toMatchObject({
      message: expect.stringContaining(`"bogus" is not a ConversationStatus; ${known}`),
      extensions: { code: 'BAD_USER_INPUT', field: 'filter.status.eq' },
    })
    const { status, body } = await fixture.rest(fixture.admin, 'GET', '/v2/conversations?status=bogus')
    expect([status, body.field, body.message]).toEqual([
      400,
      'status',
      'status must be one of queued, active, closed, archived, not "bogus"',
    ])
  })

  it('is a sort key in upper case, and by its former names', async () => {
    for (const field of ['LAST_MESSAGE_AT', 'lastMessageAt']) {
      const query = `{ conversations(orderBy: [{field: ${field}, direction: DESC}]) { edges { node { id } } } }`
      expect((await fixture.gql(fixture.admin, query)).data.conversations.edges).toContainEqual({
        node: { id: closed },
      })
    }
  })
})

describe('one record by its id', () => {
  it('is null without an error for the rest of the document if the record does not exist', async () => {
    const query = `query ($id: ID!) { me { id } gone: conversation(id: $id) { id } }`
    const { data, errors } = await fixture.gql(fixture.admin, query, { id: NOBODY })
    expect(data).toEqual({ me: { id: fixture.admin.id }, gone: null })
    expect(errors).toMatchObject([{ path: ['gone'], extensions: { code: 'NOT_FOUND' } }])
  })

  it('is returned as its id when it is deleted', async () => {
    const { id } = await fixture.create({})
    const remove = 'mutation ($id: ID!) { deleteConversation(id: $id) }'
    expect((await fixture.gql(fixture.admin, remove, { id })).data).toEqual({ deleteConversation: id })
  })
})

describe('a node (Relay)', () => {
  const NODE = 'query ($id: ID!) { node(id: $id) { __typename id ... on Conversation { name status } } }'

  it('is found by its id, of any type, and refetched by a fragment', async () => {
    const { data } = await fixture.gql(fixture.admin, NODE, { id: closed })
    expect(data.node).toMatchObject({ __typename: 'Conversation', id: closed, status: 'CLOSED' })
    const ids = [fixture.channel, fixture.ann.id, fixture.organization.id, closed, NOBODY, 'nonsense']
    const many = await fixture.gql(fixture.admin, 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', {
      ids,
    })
    expect(many.errors).toBeUndefined()
    const names = many.data.nodes.map((node: { __typename: string } | null) => node?.__typename)
    expect(names).toEqual(['Channel', 'User', 'Organization', 'Conversation', undefined, undefined])
  })

  it('of another tenant, or of a type that the caller may not fetch, is not found', async () => {
    const foreign = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    for (const [as, id] of [
      [foreign, closed],
      [fixture.ann, fixture.organization.id],
    ] as const) {
      const { data, errors } = await fixture.gql(as, NODE, { id })
      expect([data.node, errors?.[0]?.extensions.code, errors?.[0]?.message]).toEqual([
        null,
        'NOT_FOUND',
        `Node "${id}" not found`,
      ])
    }
  })
})

describe('queries of the queue and the inbox', () => {
  const SHOWN =
    'id conversation name conversationRecord { id unreadCount myParticipant { id } } contact { profile { name } }'

  it('show entries with channel, conversation and contact, in pages', async () => {
    const contact = { profile: { name: 'Carl' } }
    const carl = { profile: { name: 'Carl', email: 'carl@example.com' } }
    const messages = [{ role: 'CONTACT', text: 'Hello' }]
    const made = [await fixture.create({ contact: carl, messages })]
    for (let more = 0; more < 2; more++) made.push(await fixture.create({ messages }))
    const query = `query ($after: String) { queue(first: 2, after: $after) { totalCount pageInfo { hasNextPage endCursor }
      edges { node { channel channelRecord { name } ${SHOWN} } } } me { channels { id } } }`
    const first = (await fixture.gql(fixture.ann, query)).data
    expect(first.me.channels).toEqual([{ id: fixture.channel }])
    const rest = (await fixture.gql(fixture.ann, query, { after: first.queue.pageInfo.endCursor })).data
    const rows = [...first.queue.edges, ...rest.queue.edges].map(({ node }) => node)
    expect(first.queue.totalCount).toBe(rows.length)
    for (const { id } of made) {
      expect(rows.filter(({ conversation }) => conversation === id)).toMatchObject([
        {
          id: `${fixture.channel}:${id}`,
          channelRecord: { name: expect.any(String) },
          conversationRecord: { id, unreadCount: 0, myParticipant: null },
        },
      ])
    }
    expect(rows.find(({ conversation }) => conversation === made[0]!.id).contact).toEqual(contact)
  })

  it('show tasks, and to whom they are assigned', async () => {
    const { id } = await fixture.create({})
    await fixture.command(fixture.ben, id, '/assign', { meta: { users: [fixture.ann.id] } })
    const { data } = await fixture.gql(fixture.ann, `{ inbox { edges { node { ${SHOWN} } } } }`)
    const entry = data.inbox.edges.map(({ node }: { node: { conversation: string } }) => node)
    expect(entry.find((each: { conversation: string }) => each.conversation === id)).toMatchObject({
      id: `inbox:${id}`,
      conversationRecord: { id, myParticipant: { id: `${id}:${fixture.ann.id}` } },
    })
  })
})

describe('the channels of a conversation', () => {
  it('are records, of those that are online and those that are not', async () => {
    const names = ['Online', 'Offline']
    const [online, offline] = (await Promise.all(names.map((name) => fixture.makeChannel(name, [fixture.ben])))) as [
      string,
      string,
    ]
    const fact = { fact: 'message', path: '.text', operator: 'equal', value: 'Boats?' }
    const params = { name: 'boats', channels: [online, offline] }
    await fixture.makeWorkflow([{ conditions: { all: [fact] }, event: { type: 'notify', params } }])
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ben))
    const query = 'subscription ($ids: [ID!]) { queue(channels: $ids) { __typename } }'
    await subscribe(client, 'queue', query, { ids: [online] }).next()
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'Boats?' }] })
    const fields = 'channels channelsOffline notifiedChannels { id name } offlineChannels { id name }'
    const { data } = await fixture.gql(fixture.admin, `{ conversation(id: "${id}") { ${fields} } }`)
    const [first, second] = [online, offline].map((channel, index) => ({
      id: channel,
      name: names[index],
    }))
    expect(data.conversation).toEqual({
      channels: [online],
      channelsOffline: [offline],
      notifiedChannels: [first],
      offlineChannels: [second],
    })
    await client.dispose()
  })
})

describe('several mutations in one document', () => {
  it('are answered each for itself: the error of one leaves the answer of the other', async () => {
    const { data, errors } = await fixture.gql(
      fixture.admin,
      `mutation ($none: ID!) { one: createChannel(input: { name: "One" }) { name } none: deleteChannel(id: $none)
         two: createChannel(input: { name: "Two" }) { name } }`,
      { none: NOBODY },
    )
    expect(data).toEqual({ one: { name: 'One' }, none: null, two: { name: 'Two' } })
    expect(errors).toMatchObject([{ path: ['none'], extensions: { code: 'NOT_FOUND' } }])
  })

  it('can be: every result is nullable', () => {
    const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
    const results = Object.values(schema.getMutationType()!.getFields())
    expect(results.length).toBeGreaterThan(100)
    expect(results.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([])
  })

  it.each([
    ['acceptConversation(conversation: $nobody) { id }', 'NOT_FOUND'],
    ['sendMessage(conversation: $nobody, message: {text: "Hi"}) { id }', 'NOT_FOUND'],
    ['sendMessages(conversation: $nobody, messages: [{text: "Hi"}]) { id }', 'NOT_FOUND'],
    ['closeConversation(conversation: $nobody) { conversation { id } }', 'NOT_FOUND'],
    ['deleteChannel(id: $nobody)', 'NOT_FOUND'],
    ['setLabels(conversation: $nobody, add: []) { id }', 'NOT_FOUND'],
    ['redeliverWebhook(delivery: $nobody)', 'NOT_FOUND'],
    ['createService(input: {type: "webhok"}) { id }', 'BAD_USER_INPUT'],
    ['updateStaff(user: $nobody, patch: {capacity: 4}) { userId }', 'NOT_FOUND'],
    ['createContactCenter(input: {name: "C", ownerEmail: "c@example.com"}) { id }', 'FORBIDDEN'],
  ])('are answered around %s', async (failing, code) => {
    const of = (name: string): string => `createSkill(input: {name: "${name} ${crypto.randomUUID()}"}) { id }`
    const document = `mutation {
      before: ${of('before')}
      failing: ${failing.replace('$nobody', `"${NOBODY}"`)}
      after: ${of('after')}
    }`
    const { data, errors } = await fixture.gql(fixture.admin, document)
    const made = { id: expect.any(String) }
    expect(data).toEqual({ before: made, failing: null, after: made })
    expect(errors).toMatchObject([{ path: ['failing'], extensions: { code } }])
  })
})

describe('an invalid input', () => {
  it('is named by the path of the input of a command', async () => {
    const { id } = await fixture.create({})
    const set = 'mutation ($id: ID!) { setConversation(conversation: $id, patch: {category: "Nowhere"}) { id } }'
    const [error] = (await fixture.gql(fixture.ann, set, { id })).errors!
    expect([error!.extensions.field, error!.message]).toEqual([
      'patch.category',
      'patch.category: the organization has no category "Nowhere"',
    ])
  })

  it('is a command without its type, which an agent would show to the consumer', async () => {
    const { id } = await fixture.create({})
    const send = async (as: Parameters<typeof fixture.gql>[0], message: string) =>
      fixture.gql(as, `mutation ($id: ID!) { sendMessage(conversation: $id, message: ${message}) { type } }`, { id })
    const [error] = (await send(fixture.ann, '{role: AGENT, text: "/accept"}')).errors!
    expect(error!.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'text' })
    expect(error!.message).toContain('with type: COMMAND to run it, or with type: CHAT to send it as text')
    const chat = await send(fixture.ann, '{type: CHAT, role: AGENT, text: "/accept"}')
    expect(chat.data.sendMessage).toEqual({ type: 'CHAT' })
    expect((await send(fixture.bot, '{role: CONTACT, text: "/accept"}')).data.sendMessage).toEqual({ type: 'CHAT' })
    const rest = await fixture.rest(fixture.bot, 'POST', `/v2/conversations/${id}/messages`, { text: '/accept' })
    expect([rest.status, rest.body.type]).toEqual([201, 'chat'])
  })
})

describe('the author of a message', () => {
  it('is its user, or the contact', async () => {
    const messages = [{ role: 'CONTACT', text: 'Hello' }]
    const { id } = await fixture.create({ contact: { profile: { name: 'Dora', email: 'dora@example.com' } }, messages })
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'Good morning' })
    const author = 'author { __typename ... on User { displayName } ... on Contact { profile { name } } }'
    const query = `query ($id: ID!) { conversation(id: $id) { messages { edges { node { text ${author} } } } } }`
    const { data } = await fixture.gql(fixture.ann, query, { id })
    const authors = data.conversation.messages.edges.map((edge: { node: { author: unknown } }) => edge.node.author)
    expect(authors).toContainEqual({ __typename: 'Contact', profile: { name: 'Dora' } })
    expect(authors).toContainEqual({ __typename: 'User', displayName: expect.any(String) })
  })
})
