import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { liveClient, subscribe } from '../support/live-client.js'
import {
  startConversationFixture,
  until,
  type ConversationFixture,
  type ShownParticipant,
} from './conversation-fixture.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

const NO_FLAGS = { inbox: false, accepted: false, active: false, follow: false }

async function partOf(conversation: string, { id }: { id: string }): Promise<ShownParticipant | undefined> {
  return (await fixture.show(conversation)).participants.find(({ userId }) => userId === id)
}

const says = (conversation: string, text = 'news') => fixture.send(fixture.bot, conversation, { role: 'CONTACT', text })

describe('the flags of participants (3.2)', () => {
  // [3.1 queued by /accept flags] [3.2 /assign, /follow, /join, /accept] [4.8 /accept flags]
  it.each([
    { command: '/assign', more: () => ({ meta: { users: [fixture.ben.id] } }), flags: { inbox: true } },
    { command: '/follow', more: () => ({}), flags: { follow: true } },
    { command: '/join', more: () => ({}), flags: { active: true } },
    { command: '/accept', more: () => ({}), flags: { active: true, accepted: true } },
  ])('$command sets only $flags', async ({ command, more, flags }) => {
    const { id } = await fixture.inStatus('QUEUED')
    const { code } = await fixture.command(fixture.ben, id, command, more())
    expect(code).toBeUndefined()
    expect(await partOf(id, fixture.ben)).toEqual({
      ...NO_FLAGS,
      ...flags,
      userId: fixture.ben.id,
      name: 'Ben',
      unreadCount: 0,
    })
    // Once more changes nothing (open points).
    const before = await fixture.show(id)
    expect((await fixture.command(fixture.ben, id, command, more())).code).toBeUndefined()
    expect((await fixture.show(id)).participants).toEqual(before.participants)
  })

  it.each(['/follow', '/join', '/accept', '/leave', '/unfollow'])('%s accepts a user to act for', async (command) => {
    const { id } = await fixture.inStatus('QUEUED')
    await fixture.command(fixture.ben, id, '/follow')
    expect((await fixture.command(fixture.ann, id, command, { user: fixture.ben.id })).code).toBeUndefined()
    expect(await partOf(id, fixture.ann)).toBeUndefined()
    const flags = {
      '/follow': { follow: true },
      '/join': { active: true, follow: true },
      '/accept': { active: true, accepted: true, follow: true },
      '/leave': undefined,
      '/unfollow': {},
    }[command]
    expect(await partOf(id, fixture.ben)).toEqual(flags && expect.objectContaining({ ...NO_FLAGS, ...flags }))
  })

  // [3.2 /unfollow of nobody]
  it('/unfollow requires a participant', async () => {
    const { id } = await fixture.inStatus('QUEUED')
    expect(await fixture.command(fixture.ben, id, '/unfollow')).toMatchObject({ code: 'UNPROCESSABLE' })
  })

  // [3.2 /follow and a consumer message, /follow until /accept] [6 rule 3 followers, rule 3 /accept]
  it('sets the inbox of a follower at each consumer message, until it accepts or unfollows', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    await fixture.command(fixture.ben, id, '/follow')
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'not from the consumer' })
    expect(await partOf(id, fixture.ben)).toMatchObject({ inbox: false, unreadCount: 1 })
    await says(id)
    expect(await partOf(id, fixture.ben)).toMatchObject({ inbox: true, follow: true, unreadCount: 2 })
    expect(await partOf(id, fixture.ann)).toMatchObject({ inbox: false })
    await fixture.command(fixture.ben, id, '/accept')
    expect(await partOf(id, fixture.ben)).toMatchObject({ inbox: false, follow: true, accepted: true })
    await fixture.command(fixture.ben, id, '/unfollow')
    await says(id)
    expect(await partOf(id, fixture.ben)).toMatchObject({ inbox: false, follow: false })
  })

  // [3.2 /follow with the conversation open]
  it('does not set the inbox of a follower who has the conversation open, on any node', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    await fixture.command(fixture.ben, id, '/follow')
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ben))
    const live = subscribe<{ __typename: string }>(client, 'conversation', LIVE, { id })
    await live.next()
    await says(id)
    expect(await partOf(id, fixture.ben)).toMatchObject({ inbox: false, unreadCount: 1 })
    live.stop()
    await until(
      () => fixture.server.database.query('select 1 from conversation_viewer where conversation_id = $1', [id]),
      (viewers) => viewers.length === 0,
    )
    await says(id)
    expect(await partOf(id, fixture.ben)).toMatchObject({ inbox: true, unreadCount: 2 })
    await client.dispose()
  })

  it("shows a sender's new name with the next message, live as well", async () => {
    const dan = await fixture.makeAgent({ displayName: 'Dan' })
    const { id } = await fixture.inStatus('ACTIVE')
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ben))
    const live = subscribe<{ message?: { user: { displayName: string } } }>(
      client,
      'conversation',
      'subscription ($id: ID!) { conversation(id: $id) { ... on MessageAdded { message { user { displayName } } } } }',
      { id },
    )
    await live.next()
    const shown: string[] = []
    for (const displayName of ['Dan', 'Daniel']) {
      const rename = 'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }'
      expect((await fixture.run(fixture.admin, rename, { id: dan.id, patch: { displayName } })).code).toBeUndefined()
      for (const text of ['one', 'two']) {
        await fixture.send(dan, id, { role: 'AGENT', text })
        shown.push((await live.next(({ message }) => message !== undefined)).message!.user.displayName)
      }
    }
    expect(shown).toEqual(['Dan', 'Dan', 'Daniel', 'Daniel'])
    await client.dispose()
  })

  it('keeps the name of a participant whose user is deleted, and removes it from conversations that it had accepted', async () => {
    const cat = await fixture.makeAgent({ displayName: 'Cat' })
    const { id } = await fixture.inStatus('QUEUED')
    await fixture.command(fixture.ben, id, '/follow')
    await fixture.command(cat, id, '/accept')
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: cat.id })
    const left = await until(
      () => fixture.show(id),
      ({ status }) => status === 'QUEUED',
    )
    expect(left.participants.map(({ name }) => name)).toEqual(['Ben'])
  })
})

const LIVE = 'subscription ($id: ID!) { conversation(id: $id) { __typename } }'
const READ = 'mutation ($id: ID!, $message: ID!) { markRead(conversation: $id, message: $message) { id } }'

describe('unreadCount', () => {
  // [2.8 participants unreadCount]
  it("counts others' messages but for commands, and is 0 after one's own", async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    await fixture.command(fixture.ben, id, '/join')
    await says(id, 'one')
    await fixture.send(fixture.bot, id, { text: 'two' })
    await fixture.command(fixture.bot, id, '/set @name Three')
    expect(await partOf(id, fixture.ben)).toMatchObject({ unreadCount: 2 })
    await fixture.send(fixture.ben, id, { isBackchannel: true, text: 'mine' })
    expect(await partOf(id, fixture.ben)).toMatchObject({ unreadCount: 0 })
    expect(await partOf(id, fixture.ann)).toMatchObject({ unreadCount: 3 })
  })

  it('is the number of messages after the one read', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const other = await fixture.inStatus('ACTIVE')
    await fixture.command(fixture.ben, id, '/join')
    const sent = [await says(id, 'one'), await says(id, 'two'), await says(id, 'three')].map(({ value }) => value.id)
    for (const [message, unread] of [
      [sent[1], 1],
      [sent[2], 0],
      [sent[0], 2],
    ] as const) {
      expect((await fixture.run(fixture.ben, READ, { id, message })).code).toBeUndefined()
      expect(await partOf(id, fixture.ben)).toMatchObject({ unreadCount: unread })
    }
    // What was read stays read, also where an earlier message is marked afterwards.
    const positions = async (): Promise<{ message: number; read: (number | null)[] }> => {
      const { value } = await fixture.run<{
        participants: { readPosition: number | null }[]
        messages: { edges: { node: { position: number } }[] }
      }>(
        fixture.ann,
        'query ($id: ID!) { conversation(id: $id) { participants { readPosition } messages(last: 1) { edges { node { position } } } } }',
        { id },
      )
      return {
        message: value.messages.edges[0]!.node.position,
        read: value.participants.map(({ readPosition }) => readPosition),
      }
    }
    const { message, read } = await positions()
    expect(read.toSorted()).toEqual([message, null])
    expect(await fixture.run(fixture.ben, READ, { id, message: other.messages.edges[0]!.node.id })).toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await fixture.run(fixture.bot, READ, { id, message: sent[0] })).toMatchObject({ code: 'UNPROCESSABLE' })
  })
})

const MENTIONED = 'subscription { inbox { __typename ... on InboxEntryAdded { entry { conversation unreadCount } } } }'

describe('a mention (2.12)', () => {
  // [2.12 mention targetUser, mention targetName]
  it("of a user sets that user's inbox, makes it a participant, and gets its name from the server", async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ben))
    const inbox = subscribe<{ __typename: string; entry?: object }>(client, 'inbox', MENTIONED)
    await inbox.next()
    const meta = { targetUser: fixture.ben.id, targetName: 'Somebody else' }
    const { value } = await fixture.send(fixture.ann, id, { type: 'MENTION', text: 'a look, please?', meta })
    expect(value).toMatchObject({ isBackchannel: true, meta: { targetUser: fixture.ben.id, targetName: 'Ben' } })
    expect(await partOf(id, fixture.ben)).toMatchObject({ ...NO_FLAGS, inbox: true })
    expect(await inbox.next()).toMatchObject({ __typename: 'InboxEntryAdded', entry: { conversation: id } })
    await client.dispose()
  })

  // [2.12 mention targetOrganization, mention targetName]
  it('of an organization runs its workflows; for an active conversation, only users are notified', async () => {
    const own = await startConversationFixture()
    try {
      const below = await own.makeOrganization({ parent: own.organization, name: 'Shop' })
      const boss = await own.makeAgent()
      await own.makeWorkflow(
        [
          {
            conditions: { all: [] },
            event: { type: 'notify', params: { name: 'help', channels: [own.channel], users: [boss.id] } },
          },
        ],
        { organizations: [own.organization.id] },
      )
      const agent = await own.makeUser({ organization: below })
      const bot = await own.makeUser({ organization: below, role: 'bot' })
      const { id } = await own.create({ organization: below.id, messages: [{ role: 'CONTACT', text: 'hi' }] }, bot)
      await own.send(agent, id, { role: 'AGENT', text: 'hello' })
      const client = liveClient(own.url, await own.tokenFor(boss))
      const inbox = subscribe<{ __typename: string }>(
        client,
        'inbox',
        'subscription { inbox { __typename ... on RuleNotification { rule entry { conversation } } } }',
      )
      await inbox.next()

      const mention = (targetOrganization: string) =>
        own.send(agent, id, { type: 'MENTION', text: 'help', meta: { targetOrganization } })
      // Its limits leave the shop out: nothing runs.
      expect((await mention(own.organization.id)).value.meta).toEqual({
        targetOrganization: own.organization.id,
        targetName: 'Acme',
      })
      expect((await own.show(id)).routingTrace[0]).toMatchObject({ trigger: 'mention', entries: [] })

      await own.makeWorkflow([
        {
          conditions: { all: [] },
          event: { type: 'notify', params: { name: 'help', channels: [own.channel], users: [boss.id] } },
        },
      ])
      await mention(own.organization.id)
      expect(await inbox.next()).toMatchObject({
        __typename: 'RuleNotification',
        rule: 'help',
        entry: { conversation: id },
      })
      expect(await own.show(id)).toMatchObject({ status: 'ACTIVE', channels: [], channelsOffline: [] })

      await own.command(agent, id, '/leave')
      expect((await own.show(id)).status).toBe('CLOSED')
      await mention(own.organization.id)
      expect(await own.show(id)).toMatchObject({ status: 'QUEUED', channelsOffline: [own.channel] })
      await client.dispose()
    } finally {
      await own.close()
    }
  })

  // [2.12 mention target]
  it("without a target, with two, or with another tenant's is refused, and nothing is stored", async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const foreign = await fixture.makeOrganization()
    const outsider = await fixture.makeUser({ organization: foreign })
    const before = await fixture.show(id)
    for (const [meta, code] of [
      [{}, 'BAD_USER_INPUT'],
      [{ targetUser: fixture.ben.id, targetOrganization: fixture.organization.id }, 'BAD_USER_INPUT'],
      [{ targetUser: outsider.id }, 'NOT_FOUND'],
      [{ targetOrganization: foreign.id }, 'NOT_FOUND'],
    ] as const) {
      expect(await fixture.send(fixture.ann, id, { type: 'MENTION', text: '?', meta })).toMatchObject({ code })
    }
    expect(await fixture.show(id)).toEqual(before)
  })
})

describe.each(['AGENT', 'BOT', 'SYSTEM'])('a team conversation of type %s', (type) => {
  const TEAM = `mutation ($input: CreateConversationInput!) { createConversation(input: $input) {
    id type status contactId participants { userId active inbox } } }`
  const make = (input: object) => fixture.run<{ id: string }>(fixture.ann, TEAM, { input: { type, ...input } })

  it('has no contact, is active, and is added to the inbox of inactive participants', async () => {
    const {
      value: { id, ...made },
    } = await make({ participants: [fixture.ben.id], messages: [{ text: 'a word?' }] })
    expect(made).toEqual({
      type,
      status: 'ACTIVE',
      contactId: null,
      participants: expect.arrayContaining([
        { userId: fixture.ann.id, active: true, inbox: false },
        { userId: fixture.ben.id, active: false, inbox: true },
      ]),
    })
    await fixture.command(fixture.ben, id, '/join')
    expect(await partOf(id, fixture.ben)).toMatchObject({ active: true, inbox: false })
    await fixture.send(fixture.ann, id, { text: 'here' })
    expect(await partOf(id, fixture.ben)).toMatchObject({ inbox: false, unreadCount: 2 })
    const cat = await fixture.makeAgent()
    await fixture.send(cat, id, { text: 'me too' })
    expect(await partOf(id, cat)).toMatchObject({ active: true, unreadCount: 0 })
    await fixture.command(fixture.ben, id, '/leave')
    expect((await fixture.show(id)).status).toBe('ACTIVE')
  })

  it('refuses a contact, consumer messages and queueing', async () => {
    expect(await make({ contact: { profile: { email: 'x@example.com' } } })).toMatchObject({ code: 'BAD_USER_INPUT' })
    const foreign = await fixture.makeUser({ organization: await fixture.makeOrganization() })
    expect(await make({ participants: [foreign.id] })).toMatchObject({ code: 'NOT_FOUND' })
    const {
      value: { id },
    } = await make({})
    const refusals = await Promise.all([
      fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'x' }),
      fixture.command(fixture.bot, id, '/enqueue'),
      fixture.command(fixture.ann, id, '/block'),
    ])
    expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => 'UNPROCESSABLE'))
    expect(await fixture.show(id)).toMatchObject({ status: 'ACTIVE', messages: { edges: [] } })
  })
})

it('a conversation with a contact accepts no participants in its create', async () => {
  expect(await fixture.tryCreate({ participants: [fixture.ann.id] })).toMatchObject({ code: 'BAD_USER_INPUT' })
})
