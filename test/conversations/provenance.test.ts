import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { until } from '../support/until.js'
import { startConversationFixture, type ConversationFixture } from './conversation-fixture.js'

interface Heard {
  message?: { provenance: unknown }
}

const SHOWN = 'provenance { model tools sources { title url } }'
const MADE = {
  model: 'opus-5',
  tools: ['find_article', 'read_article'],
  sources: [
    { title: 'Returning a parcel', url: 'https://example.com/help/returns?lang=en' },
    { title: 'The order of 3 May', url: null },
  ],
}
/** `/v2` leaves out what is null. */
const IN_REST = { ...MADE, sources: [MADE.sources[0], { title: MADE.sources[1]!.title }] }
const FOR_CONSUMERS = { model: null, tools: [], sources: MADE.sources }

let fixture: ConversationFixture
let bot: MadeUser
beforeAll(async () => {
  fixture = await startConversationFixture()
  bot = await fixture.makeUser({ organization: fixture.organization, role: 'bot' })
})
afterAll(() => fixture.close())

const begin = async (): Promise<string> =>
  (await fixture.create({ messages: [{ role: 'CONTACT', text: 'Where is my parcel?' }] })).id
const answer = (id: string, provenance: unknown, as = bot) =>
  fixture.send(as, id, { role: 'AGENT', text: 'On its way.', provenance })
const guestOf = async (id: string): Promise<string> => {
  const make = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
  return (await fixture.run<{ token: string }>(fixture.bot, make, { id })).value.token
}
async function lastOf(as: MadeUser | string, id: string): Promise<unknown> {
  const query = `query ($id: ID!) { conversation(id: $id) { messages(last: 1) { nodes { text ${SHOWN} } } } }`
  return (await fixture.gql(as, query, { id })).data.conversation.messages.nodes[0].provenance
}

describe('what a message was made of', () => {
  it('is shown whole to agents and on /v2, and to the consumer by its sources alone', async () => {
    const id = await begin()
    const { value } = await answer(id, MADE)
    expect(await lastOf(fixture.ann, id)).toEqual(MADE)
    expect(await lastOf(await guestOf(id), id)).toEqual(FOR_CONSUMERS)
    const { body } = await fixture.rest(bot, 'GET', `/v2/messages/${value.id}`)
    expect(body.provenance).toEqual(IN_REST)

    await answer(id, { model: 'opus-5' })
    expect(await lastOf(fixture.ann, id)).toEqual({ model: 'opus-5', tools: [], sources: [] })
    expect(await lastOf(await guestOf(id), id)).toBeNull()
  })

  it('is taken from /v2, and of a message whose delay has passed', async () => {
    const id = await begin()
    const sent = { role: 'agent', text: 'soon', provenance: MADE }
    const { status, body } = await fixture.rest(bot, 'POST', `/v2/conversations/${id}/messages`, sent)
    expect([status, body.provenance]).toEqual([201, IN_REST])
    await fixture.send(bot, id, { role: 'AGENT', text: 'later', delay: 5_000, provenance: { tools: ['timer'] } })
    fixture.clock.advance(10_000)
    await until(
      () => lastOf(fixture.ann, id) as Promise<{ tools: string[] } | null>,
      (found) => found?.tools[0] === 'timer',
    )
  })

  it('reaches an open screen of an agent whole, and the page of the consumer by its sources', async () => {
    const id = await begin()
    const query = `subscription ($id: ID!) { conversation(id: $id) { __typename ... on MessageAdded { message { ${SHOWN} } } } }`
    const tokens = [await fixture.tokenFor(fixture.ann), await guestOf(id)]
    const clients = tokens.map((token) => liveClient(fixture.url, token))
    const heard = clients.map((client) => subscribe<Heard>(client, 'conversation', query, { id }))
    for (const live of heard) await live.next()
    await answer(id, MADE)
    const added = await Promise.all(heard.map((live) => live.next(({ message }) => message?.provenance != null)))
    expect(added.map(({ message }) => message!.provenance)).toEqual([MADE, FOR_CONSUMERS])
    await Promise.all(clients.map((client) => client.dispose()))
  })

  it('is given with the end of a stream, in place of what it was begun with', async () => {
    const id = await begin()
    const stream = await fixture.run<{ id: string }>(
      bot,
      'mutation ($c: ID!, $m: MessageInput!) { beginMessage(conversation: $c, message: $m) { id } }',
      { c: id, m: { role: 'AGENT', provenance: { model: 'opus-5' } } },
    )
    await fixture.run(
      bot,
      'mutation ($id: ID!) { appendMessage(id: $id, offset: 0, text: "On its way.") }',
      stream.value,
    )
    const finish = `mutation ($id: ID!, $p: MessageProvenanceInput) { finishMessage(id: $id, length: 11, provenance: $p) { ${SHOWN} } }`
    const { value, message } = await fixture.run<{ provenance: unknown }>(bot, finish, { ...stream.value, p: MADE })
    expect([message, value]).toEqual([undefined, { provenance: MADE }])
    expect(await lastOf(await guestOf(id), id)).toEqual(FOR_CONSUMERS)
  })

  it('goes with the message into the conversation that it is merged into', async () => {
    const [from, to] = [await begin(), await begin()]
    await answer(from, MADE)
    expect(await fixture.command(fixture.admin, to, `/import ${from}`)).not.toHaveProperty('code')
    const query = `query ($id: ID!) { conversation(id: $id) { messages(last: 10) { nodes { ${SHOWN} } } } }`
    const { nodes } = (await fixture.gql(fixture.ann, query, { id: to })).data.conversation.messages
    expect(nodes.map((each: { provenance: unknown }) => each.provenance).filter(Boolean)).toEqual([MADE])
  })
})

describe('a provenance', () => {
  it('is for bots: of a person, of a consumer, and of a person who finishes a stream it is refused', async () => {
    const id = await begin()
    const refused = { code: 'BAD_USER_INPUT', details: { field: 'provenance' } }
    expect(await answer(id, MADE, fixture.ann)).toMatchObject(refused)
    const own = `mutation ($c: ID!, $p: MessageProvenanceInput) {
      sendMessage(conversation: $c, message: { text: "hi", provenance: $p }) { id } }`
    const { errors } = await fixture.gql(await guestOf(id), own, { c: id, p: MADE })
    expect(errors?.[0]!.extensions).toMatchObject({ code: 'BAD_USER_INPUT' })
  })

  it.each([
    ['provenance', {}],
    ['provenance', { tools: [], sources: [] }],
    ['provenance.model', { model: '' }],
    ['provenance.model', { model: 'm'.repeat(201) }],
    ['provenance.model', { model: 'a\u0000b' }],
    ['provenance.tools', { tools: Array.from({ length: 51 }, () => 't') }],
    ['provenance.tools[1]', { tools: ['t', ''] }],
    ['provenance.sources', { sources: Array.from({ length: 21 }, () => ({ title: 't' })) }],
    ['provenance.sources[0].title', { sources: [{ title: '' }] }],
    ['provenance.sources[0].url', { sources: [{ title: 't', url: 'javascript:alert(1)' }] }],
    ['provenance.sources[1].url', { sources: [{ title: 't' }, { title: 't', url: 'help/returns' }] }],
    ['provenance', { sources: Array.from({ length: 20 }, () => ({ title: 'é'.repeat(300) })) }],
  ])('is refused by the name of %s', async (field, provenance) => {
    const id = await begin()
    expect(await answer(id, provenance)).toMatchObject({
      code: 'BAD_USER_INPUT',
      details: { field },
    })
    const sent = { role: 'agent', text: 'x', provenance }
    const { status, body } = await fixture.rest(bot, 'POST', `/v2/conversations/${id}/messages`, sent)
    expect([status, body.field]).toEqual([400, field])
  })
})
