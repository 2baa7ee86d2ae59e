import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  startConversationFixture,
  texts,
  until,
  type ConversationFixture,
  type ShownMessage,
} from './conversation-fixture.js'

describe('merge suggestions (4.8, 6.5)', () => {
  let fixture: ConversationFixture

  beforeAll(async () => {
    fixture = await startConversationFixture({ PUBLIC_URL: 'https://desk.example' })
  })
  afterAll(() => fixture.close())

  const cardsOf = async (id: string): Promise<ShownMessage[]> =>
    (await fixture.show(id)).messages.edges.map(({ node }) => node).filter(({ type }) => type === 'CARD')
  const someCards = (id: string) =>
    until(
      () => cardsOf(id),
      (cards) => cards.length > 0,
    )

  /** Until every job that is there now has been done. */
  const settled = () =>
    until(
      () => fixture.server.database.query(`select 1 from job where kind like 'merge.%' or kind like 'contact.%'`),
      (jobs) => jobs.length === 0,
    )

  async function ofSameContact(id: string): Promise<string> {
    const { contactId } = await fixture.show(id)
    return (await fixture.create({ contact: { id: contactId } })).id
  }

  const updateContact = (id: string, profile: object) =>
    fixture.run(
      fixture.bot,
      'mutation ($id: ID!, $patch: UpdateContactInput!) { updateContact(id: $id, patch: $patch) { id } }',
      { id, patch: { profile } },
    )

  const giveContact = (id: string, contact: string) =>
    fixture.server.database.query('update conversation set contact_id = $1 where id = $2', [contact, id])

  // [6 rule 5] [4.8 /import suggestions]
  it('a new conversation of a known contact gets a backchannel system card that names /import', async () => {
    const { id: first, name } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'one' }] })
    const second = await ofSameContact(first)
    const [card] = await someCards(second)
    const { value } = await fixture.run<{ edges: { node: object }[] }>(
      fixture.admin,
      `query ($id: ID!) { messages(filter: { id: { eq: $id } }) { edges { node {
        role isBackchannel text meta userId actions { type text uri } } } } }`,
      { id: card!.id },
    )
    expect(value.edges[0]!.node).toEqual({
      role: 'SYSTEM',
      isBackchannel: true,
      userId: null,
      text: `This contact has another conversation: ${name} (queued). To merge it into this one, send /import ${first}`,
      meta: { title: 'Merge suggestion', _noCopy: true, _origin: first },
      actions: [{ type: 'LINK', text: `Open ${name}`, uri: expect.stringMatching('^https://desk.example/c/') }],
    })
    await settled()
    expect(await cardsOf(first)).toEqual([])
  })

  it('suggests a pair once, however often they are queued, and not from the other side', async () => {
    const first = (await fixture.create({ messages: [{ role: 'CONTACT', text: 'one' }] })).id
    const second = await ofSameContact(first)
    await someCards(second)
    for (const id of [second, first]) {
      await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'answer' })
      await fixture.command(fixture.ann, id, '/leave')
      await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'more' })
      await settled()
    }
    expect([await cardsOf(first), await cardsOf(second)].map(({ length }) => length)).toEqual([0, 1])
  })

  it('is added with a consumer message that queues, once two conversations belong to one contact', async () => {
    const [first, second] = [await fixture.create(), await fixture.create()]
    await giveContact(second.id, first.contactId)
    await fixture.send(fixture.bot, second.id, { role: 'CONTACT', text: 'hello' })
    expect((await someCards(second.id))[0]!.meta).toMatchObject({ _origin: first.id })
  })

  it('names no archived conversation, and at most the three with the latest messages', async () => {
    const first = (await fixture.create({ messages: [{ role: 'CONTACT', text: '1' }] })).id
    const others: string[] = []
    for (let count = 0; count < 4; count++) others.push(await ofSameContact(first))
    await settled()
    await fixture.command(fixture.ann, others[3]!, `/import ${others[2]}`)
    for (const id of [others[1]!, others[0]!]) await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'news' })
    const last = await ofSameContact(first)
    await until(
      () => cardsOf(last),
      ({ length }) => length === 3,
    )
    await settled()
    const origins = (await cardsOf(last)).map(({ meta }) => meta!._origin)
    expect(origins).toHaveLength(3)
    expect(origins).toEqual([others[0], others[1], others[3]])
  })

  it('a refused email of another contact suggests that the two are one person', async () => {
    const known = await fixture.create({ contact: { profile: { name: 'Known', email: 'known@example.com' } } })
    const visitor = await fixture.create({ contact: { profile: { name: 'Visitor', telephone: '+31611111111' } } })
    const refused = await updateContact(visitor.contactId, { name: 'Visitor', email: 'Known@example.com' })
    const details = { contact: known.contactId, conversation: known.id }
    expect(refused).toMatchObject({ code: 'UNPROCESSABLE', details })
    const [card] = await someCards(visitor.id)
    expect(card).toMatchObject({
      text:
        `A contact with the same email or telephone has a conversation: ${known.name} (closed). ` +
        `To merge it into this one, send /import ${known.id}`,
      meta: { _origin: known.id },
    })
    await updateContact(visitor.contactId, { name: 'Visitor', email: 'known@example.com' })
    await settled()
    expect(await cardsOf(visitor.id)).toHaveLength(1)
  })

  it("is also added when a consumer enters another contact's telephone number into a profile field", async () => {
    const known = await fixture.create({ contact: { profile: { telephone: '+31622222222' } } })
    const visitor = await fixture.create()
    await fixture.send(fixture.bot, visitor.id, {
      role: 'CONTACT',
      type: 'FIELD',
      text: '.telephone +31 6 22 22 22 22',
      meta: { key: 'telephone' },
    })
    expect((await someCards(visitor.id))[0]!.meta).toMatchObject({ _origin: known.id })
    const rows = await fixture.server.database.query('select telephone from contact where id = $1', [visitor.contactId])
    expect(rows).toEqual([{ telephone: null }])
  })

  it('the card is not copied by the import that it suggests', async () => {
    const first = (await fixture.create({ messages: [{ role: 'CONTACT', text: 'one' }] })).id
    const second = await ofSameContact(first)
    await someCards(second)
    await fixture.command(fixture.ann, first, `/import ${second}`)
    expect(texts(await fixture.show(first))).toEqual(['one', `/import ${second}`])
  })

  it('is not shown to the consumer', async () => {
    const first = (await fixture.create({ messages: [{ role: 'CONTACT', text: 'one' }] })).id
    const second = await ofSameContact(first)
    await someCards(second)
    const { value } = await fixture.run<{ token: string }>(
      fixture.bot,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id: second },
    )
    const seen = await fixture.run<{ messages: { edges: object[] } }>(
      value.token,
      'query ($id: ID!) { conversation(id: $id) { messages { edges { node { text } } } } }',
      { id: second },
    )
    expect(seen.value.messages.edges).toEqual([])
  })

  it('two conversations that match each other concurrently get one suggestion', async () => {
    for (let round = 0; round < 5; round++) {
      const [first, second] = [await fixture.create(), await fixture.create()]
      await giveContact(second.id, first.contactId)
      await Promise.all(
        [first, second].map(({ id }) => fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'hello' })),
      )
      await until(
        async () => [await cardsOf(first.id), await cardsOf(second.id)].flat(),
        ({ length }) => length > 0,
      )
      await settled()
      expect([...(await cardsOf(first.id)), ...(await cardsOf(second.id))]).toHaveLength(1)
    }
  })
})
