import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createHooks, type Hooks } from '../webhooks/hooks.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

interface Heard {
  __typename: string
  conversationId?: string
  conversation?: string | { status: string }
  reason?: string
}

const CONVERSATION = `subscription ($id: ID!) { conversation(id: $id) { __typename
  ... on ConversationChanged { conversation { status } } ... on ConversationRemoved { conversationId } } }`
const QUEUE = `subscription ($channels: [ID!]) { queue(channels: $channels) { __typename
  ... on QueueEntryRemoved { conversation reason } } }`
const INBOX = 'subscription { inbox { __typename ... on InboxEntryRemoved { conversation } } }'
const MINE = 'subscription { myConversations { __typename ... on MyConversationRemoved { conversation } } }'

let fixture: ConversationFixture
let hooks: Hooks
beforeAll(async () => {
  fixture = await startConversationFixture({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  hooks = createHooks(fixture)
})
afterAll(async () => {
  await hooks?.close()
  await fixture?.close()
})

const typesOf = (events: readonly Heard[]): string[] => events.map(({ __typename }) => __typename)

describe.each([
  ['deleteConversation', (id: string) => [id, 'mutation ($id: ID!) { deleteConversation(id: $id) }'] as const],
  [
    'deleteContact',
    (_: string, contact: string) => [contact, 'mutation ($id: ID!) { deleteContact(id: $id) }'] as const,
  ],
])('screens that show a conversation when %s removes it', (name, removal) => {
  it('are notified of the deletion once, and of no invalid state', async () => {
    const { id, contactId } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await fixture.command(fixture.bot, id, '/notify', { meta: { channels: [fixture.channel] } })
    // A contact with a waiting conversation is not deleted.
    if (name === 'deleteContact') {
      await fixture.command(fixture.ben, id, '/accept')
      await fixture.command(fixture.ben, id, '/leave')
      await fixture.send(fixture.ben, id, { role: 'AGENT', text: 'answered' })
      await fixture.command(fixture.ben, id, '/leave')
    }
    await fixture.command(fixture.admin, id, '/assign', { meta: { users: [fixture.ann.id] } })
    const { value: guest } = await fixture.run<{ token: string }>(
      fixture.bot,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id },
    )
    const agents = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    const guests = liveClient(fixture.url, guest.token)
    const talks = [agents, guests].map((client) => subscribe<Heard>(client, 'conversation', CONVERSATION, { id }))
    const queue = subscribe<Heard>(agents, 'queue', QUEUE, { channels: [fixture.channel] })
    const inbox = subscribe<Heard>(agents, 'inbox', INBOX)
    const mine = subscribe<Heard>(agents, 'myConversations', MINE)
    for (const live of [...talks, queue, inbox, mine]) await live.next()
    // The queue's channel has a subscriber now: that is a change, of what waits in it.
    const { status } = await until(
      () => fixture.show(id),
      ({ channelsOffline }) => channelsOffline.length === 0,
    )
    const hook = await hooks.register(fixture.admin)
    expect(status).toBe(name === 'deleteContact' ? 'CLOSED' : 'QUEUED')

    const [subject, mutation] = removal(id, contactId)
    expect((await fixture.run(fixture.admin, mutation, { id: subject })).code).toBeUndefined()
    for (const live of talks) {
      await live.next(({ __typename }) => __typename === 'ConversationRemoved')
      await until(
        async () => live.isComplete,
        (isComplete) => isComplete,
      )
      expect(live.errors).toEqual([])
      const isPresence = ({ conversation }: Heard): boolean =>
        typeof conversation === 'object' && conversation.status === 'QUEUED'
      // The guest's screen reports what it has received.
      const isReceipt = ({ __typename }: Heard): boolean => __typename === 'MessageDeliveryChanged'
      expect(typesOf(live.events.filter((event) => !isPresence(event) && !isReceipt(event)))).toEqual([
        'ConversationSnapshot',
        'ConversationRemoved',
      ])
      expect(live.events.at(-1)).toMatchObject({ conversationId: id })
    }
    await inbox.next(({ conversation }) => conversation === id)
    if (status === 'QUEUED') {
      expect(await queue.next(({ conversation }) => conversation === id)).toMatchObject({ reason: 'DELETED' })
    }
    // Nor is a webhook told of a change.
    await hook.receiver.next(({ json }) => json.event === 'conversation.delete')
    expect(hook.receiver.received.map(({ json }) => json.event)).not.toContain('conversation.update')
    // Who comes back is told so.
    const late = subscribe<Heard>(agents, 'conversation', CONVERSATION, { id })
    await expect(late.next()).rejects.toThrow('NOT_FOUND')
    await Promise.all([agents.dispose(), guests.dispose()])
  })
})
