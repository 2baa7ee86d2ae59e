import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { liveClient, subscribe } from '../support/live-client.js'
import { startDesk, type Desk } from './desk.js'

let desk: Desk
beforeAll(async () => {
  desk = await startDesk({ TRUST_PROXY: 'true' })
})
afterAll(() => desk.close())

async function guestOf(conversation: string): Promise<string> {
  const { value } = await desk.run<{ token: string }>(
    desk.bot, 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }', { id: conversation },
  )
  return value.token
}

/** Everything that a guest could see of what is said behind its back. */
const SEE = `query ($id: ID!) { conversation(id: $id) {
  id status meta channels channelsOffline results category participants { userId unreadCount inbox follow }
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
  // [2.9 isBackchannel] [4.7 create rule 2, delivery rule 3]
  it('sees and hears what was said to and by the consumer, and nothing else', async () => {
    const { id } = await desk.create({ meta: { secret: 'rich' }, messages: [{ role: 'CONTACT', text: 'hello' }] })
    await desk.server.database.query(
      `update contact set meta = '{"secret": "rich"}' where id = (select contact_id from conversation where id = $1)`,
      [id],
    )
    const guest = await guestOf(id)
    const client = liveClient(desk.url, guest)
    const live = subscribe<{ __typename: string; message?: { text: string } }>(client, 'conversation', HEAR, { id })
    const first = await live.next()
    expect(first).toEqual({
      __typename: 'ConversationSnapshot',
      conversation: { meta: {}, channels: [] },
      messages: [{ text: 'hello', likes: [], comments: [] }],
      participants: [],
    })

    await desk.send(desk.ann, id, { role: 'AGENT', text: 'hi' })
    const message = (await desk.show(id)).messages.edges[0]!.node.id
    await desk.send(desk.ann, id, { role: 'AGENT', isBackchannel: true, text: 'a bore' })
    await desk.send(desk.bot, id, { text: 'context for agents' })
    await desk.command(desk.ann, id, '/action like', { meta: { message } })
    await desk.command(desk.ann, id, '/action comment a bore', { meta: { message } })
    await desk.command(desk.ben, id, '/follow')
    await desk.command(desk.ann, id, '/set secret very')
    await desk.send(desk.ann, id, { type: 'MENTION', text: 'look', meta: { targetUser: desk.ben.id } })
    const { value: hidden } = await desk.send(desk.bot, id, { text: 'to be deleted' })
    await desk.run(desk.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: hidden.id })
    await desk.send(desk.ann, id, { role: 'AGENT', text: 'bye' })
    await live.next((event) => event.message?.text === 'bye')

    const { value } = await desk.run<Record<string, unknown> & { messages: object }>(guest, SEE, { id })
    const bare = { likes: [], comments: [], conversation: { id, meta: {}, channels: [] } }
    const asShown = (text: string) => ({ node: expect.objectContaining({ text, ...bare }) })
    expect(value).toMatchObject({
      status: 'ACTIVE', meta: {}, channels: [], channelsOffline: [], results: [],
      participants: [{ userId: desk.ann.id, unreadCount: 0, inbox: false, follow: false }],
      contact: { meta: null },
      lastMessage: { text: 'bye' },
      messages: { totalCount: 3, edges: [asShown('hello'), asShown('hi'), asShown('bye')] },
    })
    expect(value.messageIds).toHaveLength(3)
    const heard = JSON.stringify(live.events)
    const secrets = ['bore', 'context', 'secret', 'very', 'look', 'deleted', '/set', '"inbox":true']
    for (const secret of [...secrets, hidden.id, desk.channel]) {
      expect(heard).not.toContain(secret)
    }
    await client.dispose()
  })

  it('does not see the routing, nor any other conversation', async () => {
    const [own, other] = [await desk.inStatus('QUEUED'), await desk.inStatus('QUEUED')]
    const again = await desk.create({ contact: { id: own.contactId }, messages: [{ role: 'CONTACT', text: 'second' }] })
    const guest = await guestOf(own.id)
    const fetch = 'query ($id: ID!) { conversation(id: $id) { id } }'
    for (const { id } of [other, again]) {
      expect(await desk.run(guest, fetch, { id })).toMatchObject({ code: 'NOT_FOUND' })
      expect(await desk.send(guest, id, { text: 'hi' })).toMatchObject({ code: 'NOT_FOUND' })
      const client = liveClient(desk.url, guest)
      const live = subscribe(client, 'conversation', HEAR, { id })
      await expect(live.next()).rejects.toThrow('NOT_FOUND')
      await client.dispose()
    }
    const trace = 'query ($id: ID!) { conversation(id: $id) { routingTrace { id } } }'
    expect(await desk.run(guest, trace, { id: own.id })).toMatchObject({ code: 'FORBIDDEN' })
    for (const query of [
      '{ conversations { edges { node { id } } } }',
      '{ messages { edges { node { id } } } }',
      '{ contacts { edges { node { id } } } }',
    ]) {
      expect(await desk.run(guest, query)).toMatchObject({ code: 'FORBIDDEN' })
    }
  })

  it('speaks as the consumer, in its own words, at once', async () => {
    const { id } = await desk.inStatus('CLOSED')
    const guest = await guestOf(id)
    expect((await desk.send(guest, id, { text: 'still there?' })).code).toBeUndefined()
    const shown = await desk.show(id)
    expect(shown).toMatchObject({ status: 'QUEUED', preview: 'still there?' })
    expect(shown.messages.edges.at(-1)!.node).toMatchObject({ role: 'CONTACT', userId: null })
    for (const message of [
      { role: 'AGENT', text: 'x' },
      { role: 'SYSTEM', text: 'x' },
      { text: 'x', user: desk.ann.id },
      { text: 'x', isBackchannel: true },
      { text: 'x', delay: 1 },
      { type: 'COMMAND', text: '/accept' },
      { type: 'COMMAND', text: '>x' },
      { type: 'MENTION', text: 'x', meta: { targetUser: desk.ann.id } },
      { type: 'CARD', text: 'x' },
    ]) {
      expect(await desk.send(guest, id, message)).toMatchObject({ code: 'FORBIDDEN' })
    }
    const accept = 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }'
    expect(await desk.run(guest, accept, { id })).toMatchObject({ code: 'FORBIDDEN' })
    expect(await desk.show(id)).toEqual(shown)
  })

  // [3.1 any by /block] [4.8 /block]
  it('is blocked by its address, under another contact too (3.1, /block)', async () => {
    const from = async (guest: string, id: string, address: string): Promise<string | undefined> => {
      const response = await fetch(`${desk.url}/graphql`, {
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
      await desk.inStatus('QUEUED'),
      await desk.inStatus('QUEUED'),
      await desk.inStatus('QUEUED'),
    ]
    const [guest, alias, proxied] = [await guestOf(one.id), await guestOf(other.id), await guestOf(third.id)]
    expect(await from(guest, one.id, '203.0.113.7')).toBeUndefined()
    await desk.command(desk.ann, one.id, '/block')
    expect(await from(guest, one.id, '198.51.100.1')).toBe('FORBIDDEN')
    expect(await from(alias, other.id, '203.0.113.7')).toBe('FORBIDDEN')
    expect(await from(alias, other.id, '203.0.113.8')).toBeUndefined()
    // A private address is a proxy's or an office's: it blocks nobody else.
    expect(await from(proxied, third.id, '10.1.2.3')).toBeUndefined()
    await desk.command(desk.ann, third.id, '/block')
    expect(await from(alias, other.id, '10.1.2.3')).toBeUndefined()
    const unblock = 'mutation ($id: ID!) { updateContact(id: $id, patch: { status: "active" }) { id } }'
    await desk.run(desk.admin, unblock, { id: one.contactId })
    expect(await from(guest, one.id, '203.0.113.7')).toBeUndefined()
  })
})
