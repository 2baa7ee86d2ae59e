import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { conversationStream, newEvent } from '../../src/platform/events/event.js'
import { appendEvents } from '../../src/platform/events/streams.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture({ TRUST_PROXY: 'true' }, { pace: 10 })
})
afterAll(() => fixture.close())

async function guestOf(conversation: string): Promise<string> {
  const { value } = await fixture.run<{ token: string }>(
    fixture.bot,
    'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
    { id: conversation },
  )
  return value.token
}

/** Everything that a guest could see of what is said behind its back. */
const SEE = `query ($id: ID!) { conversation(id: $id) {
  id status meta channels channelsOffline results { name } category participants { userId unreadCount inbox follow }
  contact { id meta profile { name } } lastMessage { text } messageIds
  messages { totalCount edges { node { id text likes comments { text } conversation { id meta channels } } } } } }`
const HEAR = `subscription ($id: ID!) { conversation(id: $id) { __typename
  ... on ConversationSnapshot { conversation { meta channels } messages { text likes comments { text } }
    participants { userId unreadCount inbox } }
  ... on MessageAdded { message { text likes comments { text } } }
  ... on MessageChanged { message { text likes comments { text } } }
  ... on MessageRemoved { messageId }
  ... on ConversationChanged { conversation { status meta channels } }
  ... on ParticipantsChanged { participants { userId unreadCount inbox follow } } } }`

describe('a guest of the web widget', () => {
  // [2.9 isBackchannel] [4.7 create rule 2 bot, create rule 2 agent, create rule 2 contact, delivery rule 1
  // backchannel, delivery rule 3]
  it('sees and receives what was sent to and by the consumer, and nothing else', async () => {
    const { id } = await fixture.create({ meta: { secret: 'rich' }, messages: [{ role: 'CONTACT', text: 'hello' }] })
    await fixture.server.database.query(
      `update contact set meta = '{"secret": "rich"}' where id = (select contact_id from conversation where id = $1)`,
      [id],
    )
    const guest = await guestOf(id)
    const client = liveClient(fixture.url, guest)
    const live = subscribe<{ __typename: string; message?: { text: string } }>(client, 'conversation', HEAR, { id })
    const first = await live.next()
    expect(first).toEqual({
      __typename: 'ConversationSnapshot',
      conversation: { meta: {}, channels: [] },
      messages: [{ text: 'hello', likes: [], comments: [] }],
      participants: [],
    })

    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'hi' })
    const message = (await fixture.show(id)).messages.edges[0]!.node.id
    await fixture.send(fixture.ann, id, { role: 'AGENT', isBackchannel: true, text: 'a bore' })
    await fixture.send(fixture.bot, id, { text: 'context for agents' })
    await fixture.command(fixture.ann, id, '/action like', { meta: { message } })
    await fixture.command(fixture.ann, id, '/action comment a bore', { meta: { message } })
    await fixture.command(fixture.ben, id, '/follow')
    await fixture.command(fixture.ann, id, '/set secret very')
    await fixture.send(fixture.ann, id, { type: 'MENTION', text: 'look', meta: { targetUser: fixture.ben.id } })
    const { value: hidden } = await fixture.send(fixture.bot, id, { text: 'to be deleted' })
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: hidden.id })
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'bye' })
    await live.next((event) => event.message?.text === 'bye')

    const { value } = await fixture.run<Record<string, unknown> & { messages: object }>(guest, SEE, { id })
    const bare = { likes: [], comments: [], conversation: { id, meta: {}, channels: [] } }
    const asShown = (text: string) => ({ node: expect.objectContaining({ text, ...bare }) })
    expect(value).toMatchObject({
      status: 'ACTIVE',
      meta: {},
      channels: [],
      channelsOffline: [],
      results: [],
      participants: [{ userId: fixture.ann.id, unreadCount: 0, inbox: false, follow: false }],
      contact: { meta: null },
      lastMessage: { text: 'bye' },
      messages: { totalCount: 3, edges: [asShown('hello'), asShown('hi'), asShown('bye')] },
    })
    expect(value.messageIds).toHaveLength(3)
    const heard = JSON.stringify(live.events)
    const secrets = ['bore', 'context', 'secret', 'very', 'look', 'deleted', '/set', '"inbox":true']
    for (const secret of [...secrets, hidden.id, fixture.channel]) {
      expect(heard).not.toContain(secret)
    }
    await client.dispose()
  })

  it('does not see the routing, nor any other conversation', async () => {
    const [own, other] = [await fixture.inStatus('QUEUED'), await fixture.inStatus('QUEUED')]
    const again = await fixture.create({
      contact: { id: own.contactId },
      messages: [{ role: 'CONTACT', text: 'second' }],
    })
    const guest = await guestOf(own.id)
    const fetch = 'query ($id: ID!) { conversation(id: $id) { id } }'
    for (const { id } of [other, again]) {
      expect(await fixture.run(guest, fetch, { id })).toMatchObject({ code: 'NOT_FOUND' })
      expect(await fixture.send(guest, id, { text: 'hi' })).toMatchObject({ code: 'NOT_FOUND' })
      const client = liveClient(fixture.url, guest)
      const live = subscribe(client, 'conversation', HEAR, { id })
      await expect(live.next()).rejects.toThrow('NOT_FOUND')
      await client.dispose()
    }
    const trace = 'query ($id: ID!) { conversation(id: $id) { routingTrace { id } } }'
    expect(await fixture.run(guest, trace, { id: own.id })).toMatchObject({ code: 'FORBIDDEN' })
    for (const query of [
      '{ conversations { edges { node { id } } } }',
      '{ messages { edges { node { id } } } }',
      '{ contacts { edges { node { id } } } }',
    ]) {
      expect(await fixture.run(guest, query)).toMatchObject({ code: 'FORBIDDEN' })
    }
  })

  it('sends as the consumer only, without delay', async () => {
    const { id } = await fixture.inStatus('CLOSED')
    const guest = await guestOf(id)
    expect((await fixture.send(guest, id, { text: 'still there?' })).code).toBeUndefined()
    const shown = await fixture.show(id)
    expect(shown).toMatchObject({ status: 'QUEUED', preview: 'still there?' })
    expect(shown.messages.edges.at(-1)!.node).toMatchObject({ role: 'CONTACT', userId: null })
    for (const message of [
      { role: 'AGENT', text: 'x' },
      { role: 'SYSTEM', text: 'x' },
      { text: 'x', user: fixture.ann.id },
      { text: 'x', isBackchannel: true },
      { text: 'x', delay: 1 },
      { type: 'COMMAND', text: '/accept' },
      { type: 'COMMAND', text: '>x' },
      { type: 'MENTION', text: 'x', meta: { targetUser: fixture.ann.id } },
      { type: 'CARD', text: 'x' },
    ]) {
      expect(await fixture.send(guest, id, message)).toMatchObject({ code: 'FORBIDDEN' })
    }
    const accept = 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }'
    expect(await fixture.run(guest, accept, { id })).toMatchObject({ code: 'FORBIDDEN' })
    expect(await fixture.show(id)).toEqual(shown)
  })

  // [3.1 any by /block from then on] [4.8 /block]
  it('is blocked by its address, even with another contact (3.1, /block)', async () => {
    const from = async (guest: string, id: string, address: string): Promise<string | undefined> => {
      const response = await fetch(`${fixture.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${guest}`, 'x-forwarded-for': address },
        body: JSON.stringify({
          query: 'mutation ($id: ID!) { sendMessage(conversation: $id, message: { text: "hi" }) { id } }',
          variables: { id },
        }),
      })
      const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] }
      return errors?.[0]!.extensions.code
    }
    const [one, other, third] = [
      await fixture.inStatus('QUEUED'),
      await fixture.inStatus('QUEUED'),
      await fixture.inStatus('QUEUED'),
    ]
    const [guest, alias, proxied] = [await guestOf(one.id), await guestOf(other.id), await guestOf(third.id)]
    expect(await from(guest, one.id, '203.0.113.7')).toBeUndefined()
    await fixture.command(fixture.ann, one.id, '/block')
    expect(await from(guest, one.id, '198.51.100.1')).toBe('FORBIDDEN')
    expect(await from(alias, other.id, '203.0.113.7')).toBe('FORBIDDEN')
    expect(await from(alias, other.id, '203.0.113.8')).toBeUndefined()
    // A private address is a proxy's or an office's: it blocks nobody else.
    expect(await from(proxied, third.id, '10.1.2.3')).toBeUndefined()
    await fixture.command(fixture.ann, third.id, '/block')
    expect(await from(alias, other.id, '10.1.2.3')).toBeUndefined()
    const unblock = 'mutation ($id: ID!) { updateContact(id: $id, patch: { status: "active" }) { id } }'
    await fixture.run(fixture.admin, unblock, { id: one.contactId })
    expect(await from(guest, one.id, '203.0.113.7')).toBeUndefined()
  })
})

interface Heard {
  __typename: string
  resync?: boolean
  conversation?: { id: string; contactId: string }
  messages?: { text: string }[]
  message?: { text: string }
}
const FOLLOW = `subscription ($id: ID!) { conversation(id: $id) { __typename
  ... on ConversationSnapshot { resync conversation { id name contactId forms { formId name values completedAt } contact { profile { name email } }
    lastMessage { text } messages { edges { node { text } } } } messages { text } }
  ... on MessageAdded { message { text conversation { id } } }
  ... on MessageChanged { message { text } }
  ... on ConversationChanged { conversation { id name contactId contact { profile { name email } } } } } }`

describe('a guest whose conversation is merged into another (4.8, /import)', () => {
  const IMPORT = 'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }'
  const merge = async (origin: string, id: string): Promise<void> => {
    expect((await fixture.run(fixture.ann, IMPORT, { id, origin })).code).toBeUndefined()
  }
  const named = (name: string): object => ({ profile: { name, email: `${name}-${Date.now()}@example.com` } })
  const SHOW = `query ($id: ID!) { conversation(id: $id) { id name contactId forms { formId name values completedAt } contact { profile { name email } } lastMessage { text }
    messages(first: 100) { totalCount edges { node { id text conversation { id } } } } } }`
  interface Seen {
    id: string
    contactId: string
    messages: { totalCount: number; edges: { node: { id: string; text: string } }[] }
  }
  const textsSeen = ({ messages }: Seen): string[] => messages.edges.map(({ node }) => node.text)

  // [4.8 /import]
  it('continues there: its next message is accepted, answers reach it, and its open subscription moves', async () => {
    const origin = await fixture.create({ contact: named('bea'), messages: [{ role: 'CONTACT', text: 'b: first' }] })
    const target = await fixture.create({
      contact: named('alf'),
      messages: [{ role: 'CONTACT', text: 'a: my card is 4711' }],
    })
    await fixture.send(fixture.ann, target.id, { role: 'AGENT', text: 'to a: thanks, alf' })
    const guest = await guestOf(origin.id)
    const owner = await guestOf(target.id)
    const client = liveClient(fixture.url, guest)
    const live = subscribe<Heard>(client, 'conversation', FOLLOW, { id: origin.id })
    await live.next()
    await merge(origin.id, target.id)
    const resync = await live.next(({ __typename }) => __typename === 'ConversationSnapshot')
    expect(resync).toMatchObject({ resync: true, conversation: { id: target.id }, messages: [{ text: 'b: first' }] })

    for (const id of [origin.id, target.id]) {
      expect((await fixture.send(guest, id, { text: `b: again to ${id}` })).code).toBeUndefined()
      expect(
        (await fixture.run(guest, 'mutation ($id: ID!) { setTyping(conversation: $id, typing: true) }', { id })).code,
      ).toBeUndefined()
    }
    const { value: answer } = await fixture.send(fixture.ann, target.id, { role: 'AGENT', text: 'to both: hello' })
    await live.next(({ message }) => message?.text === 'to both: hello')
    const delivered = `query ($id: ID!) { message(id: $id) { deliveries { touchpoint status } } }`
    await until(
      () => fixture.run<{ deliveries: object[] }>(fixture.admin, delivered, { id: answer.id }),
      ({ value }) => JSON.stringify(value.deliveries) === '[{"touchpoint":"WEB","status":"DELIVERED"}]',
    )

    const since = ['b: first', `b: again to ${origin.id}`, `b: again to ${target.id}`, 'to both: hello']
    for (const id of [origin.id, target.id]) {
      const { value } = await fixture.run<Seen>(guest, SHOW, { id })
      expect(value).toMatchObject({
        id: target.id,
        contactId: origin.contactId,
        contact: { profile: { name: 'bea' } },
        lastMessage: { text: 'to both: hello' },
        messages: { totalCount: 4 },
      })
      expect(textsSeen(value)).toEqual(since)
    }
    const read = 'mutation ($id: ID!, $message: ID!) { markRead(conversation: $id, message: $message) { id } }'
    expect(await fixture.run(guest, read, { id: origin.id, message: answer.id })).toMatchObject({
      value: { id: target.id },
    })
    const { value: all } = await fixture.run<Seen>(owner, SHOW, { id: target.id })
    const [first] = all.messages.edges.filter(({ node }) => node.text === 'to a: thanks, alf')
    // What was said before to the other was not read by this one, nor may it know of it.
    expect(await fixture.run(fixture.admin, delivered, { id: first!.node.id })).not.toMatchObject({
      value: { deliveries: [{ status: 'READ' }] },
    })
    expect(await fixture.run(guest, read, { id: target.id, message: first!.node.id })).toMatchObject({
      code: 'NOT_FOUND',
    })
    for (const secret of ['4711', 'alf', 'thanks', target.contactId]) {
      expect(
        JSON.stringify(live.events) + JSON.stringify(await fixture.run(guest, SHOW, { id: target.id })),
      ).not.toContain(secret)
    }
    // Whose conversation it is sees all of it, as before.
    expect(textsSeen(all)).toHaveLength(6)
    await client.dispose()
  })

  it('follows a second merge, and sees everything if that conversation belongs to its own contact', async () => {
    const first = await fixture.create({ contact: named('bea'), messages: [{ role: 'CONTACT', text: 'b: first' }] })
    const second = await fixture.create({
      contact: { id: first.contactId },
      messages: [{ role: 'CONTACT', text: 'b: second' }],
    })
    const third = await fixture.create({ contact: named('alf'), messages: [{ role: 'CONTACT', text: 'a: third' }] })
    const guest = await guestOf(first.id)
    await merge(first.id, second.id)
    expect(textsSeen((await fixture.run<Seen>(guest, SHOW, { id: first.id })).value)).toEqual(['b: first', 'b: second'])
    await merge(second.id, third.id)
    await fixture.send(fixture.ann, third.id, { role: 'AGENT', text: 'to all' })
    const { value } = await fixture.run<Seen>(guest, SHOW, { id: first.id })
    expect(value.id).toBe(third.id)
    expect(textsSeen(value)).toEqual(['b: first', 'b: second', 'to all'])
    expect((await fixture.send(guest, first.id, { text: 'b: on' })).code).toBeUndefined()
    const client = liveClient(fixture.url, guest)
    const live = subscribe<Heard>(client, 'conversation', FOLLOW, { id: first.id })
    expect((await live.next()).messages!.map(({ text }) => text)).toEqual(['b: first', 'b: second', 'to all', 'b: on'])
    // Another guest's way there is closed to it.
    const outsider = await guestOf((await fixture.create()).id)
    expect(await fixture.run(outsider, SHOW, { id: third.id })).toMatchObject({ code: 'NOT_FOUND' })
    expect(await fixture.send(outsider, third.id, { text: 'x' })).toMatchObject({ code: 'NOT_FOUND' })
    await client.dispose()
  })

  it('reaches the last conversation when one in between is deleted', async () => {
    const first = await fixture.create({ contact: named('bea'), messages: [{ role: 'CONTACT', text: 'b: first' }] })
    const second = await fixture.create({ contact: named('cor'), messages: [{ role: 'CONTACT', text: 'c: second' }] })
    const third = await fixture.create({ contact: named('alf'), messages: [{ role: 'CONTACT', text: 'a: third' }] })
    const guest = await guestOf(first.id)
    await merge(first.id, second.id)
    await fixture.send(guest, first.id, { text: 'b: in the second' })
    await merge(second.id, third.id)
    const remove = 'mutation ($id: ID!) { deleteConversation(id: $id) }'
    expect((await fixture.run(fixture.admin, remove, { id: second.id })).code).toBeUndefined()
    await fixture.send(fixture.ann, third.id, { role: 'AGENT', text: 'to all' })
    for (const id of [first.id, third.id]) {
      expect((await fixture.send(guest, id, { text: 'b: on' })).code).toBeUndefined()
      expect((await fixture.run<Seen>(guest, SHOW, { id })).value.id).toBe(third.id)
    }
    const seen = ['b: first', 'b: in the second', 'to all', 'b: on', 'b: on']
    expect(textsSeen((await fixture.run<Seen>(guest, SHOW, { id: first.id })).value)).toEqual(seen)
    const client = liveClient(fixture.url, guest)
    const live = subscribe<Heard>(client, 'conversation', FOLLOW, { id: first.id })
    expect((await live.next()).conversation!.id).toBe(third.id)
    // Users who name the first one are told where it went.
    expect(await fixture.send(fixture.ann, first.id, { role: 'AGENT', text: 'x' })).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { target: third.id },
    })
    await client.dispose()
  })

  it('is notified once that this conversation was deleted, however late the last event arrives from another node', async () => {
    const origin = await fixture.create({ contact: named('bea'), messages: [{ role: 'CONTACT', text: 'b: first' }] })
    const target = await fixture.create({ contact: named('alf'), messages: [{ role: 'CONTACT', text: 'a: first' }] })
    const guest = await guestOf(origin.id)
    const client = liveClient(fixture.url, guest)
    const early = subscribe<Heard>(client, 'conversation', FOLLOW, { id: origin.id })
    await early.next()
    await merge(origin.id, target.id)
    await early.next(({ conversation, __typename }) => {
      return __typename === 'ConversationSnapshot' && conversation!.id === target.id
    })
    const late = subscribe<Heard>(client, 'conversation', FOLLOW, { id: origin.id })
    await late.next()
    const { database, dispatcher } = fixture.server
    await database.query('delete from conversation where id = $1', [target.id])
    // The access of every subscription is checked meanwhile: of the same socket once more only when that has ended.
    const checks = jest.spyOn(fixture.server.authenticator, 'findEnded')
    await until(() => checks.mock.calls.length > 3)
    checks.mockRestore()
    const removed = newEvent(conversationStream(target.id), 'conversation.removed', { id: target.id })
    dispatcher.publish(await database.sqlTransaction((sql) => appendEvents(sql, [removed], fixture.clock.now())))
    for (const live of [early, late]) {
      expect((await live.next()).__typename).toBe('ConversationRemoved')
      await until(
        async () => live.isComplete,
        (isComplete) => isComplete,
      )
    }
    await client.dispose()
  })

  it('is refused there when its own contact is blocked', async () => {
    const origin = await fixture.create({ contact: named('bea'), messages: [{ role: 'CONTACT', text: 'b' }] })
    const target = await fixture.create({ contact: named('alf'), messages: [{ role: 'CONTACT', text: 'a' }] })
    const guest = await guestOf(origin.id)
    await merge(origin.id, target.id)
    await fixture.run(
      fixture.admin,
      'mutation ($id: ID!) { updateContact(id: $id, patch: { status: "blocked" }) { id } }',
      {
        id: origin.contactId,
      },
    )
    expect(await fixture.send(guest, origin.id, { text: 'hi' })).toMatchObject({ code: 'FORBIDDEN' })
  })
})
