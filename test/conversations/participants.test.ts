import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { liveClient, subscribe } from '../support/live-client.js'
import { startDesk, until, type Desk, type ShownParticipant } from './desk.js'

let desk: Desk
beforeAll(async () => {
  desk = await startDesk()
})
afterAll(() => desk.close())

const NO_FLAGS = { inbox: false, accepted: false, active: false, follow: false }

async function partOf(conversation: string, { id }: { id: string }): Promise<ShownParticipant | undefined> {
  return (await desk.show(conversation)).participants.find(({ userId }) => userId === id)
}

const says = (conversation: string, text = 'news') => desk.send(desk.bot, conversation, { role: 'CONTACT', text })

describe('the flags of participants (3.2)', () => {
  // [3.2 /assign, /follow, /join, /accept]
  it.each([
    { command: '/assign', more: () => ({ meta: { users: [desk.ben.id] } }), flags: { inbox: true } },
    { command: '/follow', more: () => ({}), flags: { follow: true } },
    { command: '/join', more: () => ({}), flags: { active: true } },
    { command: '/accept', more: () => ({}), flags: { active: true, accepted: true } },
  ])('$command gives just $flags', async ({ command, more, flags }) => {
    const { id } = await desk.inStatus('QUEUED')
    const { code } = await desk.command(desk.ben, id, command, more())
    expect(code).toBeUndefined()
    expect(await partOf(id, desk.ben)).toEqual({
      ...NO_FLAGS, ...flags, userId: desk.ben.id, name: 'Ben', unreadCount: 0,
    })
    // Once more changes nothing (open points).
    const before = await desk.show(id)
    expect((await desk.command(desk.ben, id, command, more())).code).toBeUndefined()
    expect((await desk.show(id)).participants).toEqual(before.participants)
  })

  it.each(['/follow', '/join', '/accept', '/leave', '/unfollow'])('%s takes a user to act for', async (command) => {
    const { id } = await desk.inStatus('QUEUED')
    await desk.command(desk.ben, id, '/follow')
    expect((await desk.command(desk.ann, id, command, { user: desk.ben.id })).code).toBeUndefined()
    expect(await partOf(id, desk.ann)).toBeUndefined()
    const flags = { '/follow': { follow: true }, '/join': { active: true, follow: true },
      '/accept': { active: true, accepted: true, follow: true }, '/leave': undefined, '/unfollow': {} }[command]
    expect(await partOf(id, desk.ben)).toEqual(flags && expect.objectContaining({ ...NO_FLAGS, ...flags }))
  })

  // [3.2 /unfollow]
  it('/unfollow needs a participant', async () => {
    const { id } = await desk.inStatus('QUEUED')
    expect(await desk.command(desk.ben, id, '/unfollow')).toMatchObject({ code: 'UNPROCESSABLE' })
  })

  // [3.2 /follow, /accept] [6 rule 3]
  it('sets the inbox of a follower at each consumer message, until it accepts or unfollows', async () => {
    const { id } = await desk.inStatus('ACTIVE')
    await desk.command(desk.ben, id, '/follow')
    await desk.send(desk.ann, id, { role: 'AGENT', text: 'not from the consumer' })
    expect(await partOf(id, desk.ben)).toMatchObject({ inbox: false, unreadCount: 1 })
    await says(id)
    expect(await partOf(id, desk.ben)).toMatchObject({ inbox: true, follow: true, unreadCount: 2 })
    expect(await partOf(id, desk.ann)).toMatchObject({ inbox: false })
    await desk.command(desk.ben, id, '/accept')
    expect(await partOf(id, desk.ben)).toMatchObject({ inbox: false, follow: true, accepted: true })
    await desk.command(desk.ben, id, '/unfollow')
    await says(id)
    expect(await partOf(id, desk.ben)).toMatchObject({ inbox: false, follow: false })
  })

  // [3.2 /follow]
  it('does not set the inbox of a follower who has the conversation open, on whatever node', async () => {
    const { id } = await desk.inStatus('ACTIVE')
    await desk.command(desk.ben, id, '/follow')
    const client = liveClient(desk.url, await desk.tokenFor(desk.ben))
    const live = subscribe<{ __typename: string }>(client, 'conversation', LIVE, { id })
    await live.next()
    await says(id)
    expect(await partOf(id, desk.ben)).toMatchObject({ inbox: false, unreadCount: 1 })
    live.stop()
    await until(
      () => desk.server.database.query('select 1 from conversation_viewer where conversation_id = $1', [id]),
      (viewers) => viewers.length === 0,
    )
    await says(id)
    expect(await partOf(id, desk.ben)).toMatchObject({ inbox: true, unreadCount: 2 })
    await client.dispose()
  })

  it("shows a sender's new name with the next message, live as well", async () => {
    const dan = await desk.makeAgent({ displayName: 'Dan' })
    const { id } = await desk.inStatus('ACTIVE')
    const client = liveClient(desk.url, await desk.tokenFor(desk.ben))
    const live = subscribe<{ message?: { user: { displayName: string } } }>(client, 'conversation',
      'subscription ($id: ID!) { conversation(id: $id) { ... on MessageAdded { message { user { displayName } } } } }', { id })
    await live.next()
    const shown: string[] = []
    for (const displayName of ['Dan', 'Daniel']) {
      const rename = 'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }'
      expect((await desk.run(desk.admin, rename, { id: dan.id, patch: { displayName } })).code).toBeUndefined()
      for (const text of ['one', 'two']) {
        await desk.send(dan, id, { role: 'AGENT', text })
        shown.push((await live.next(({ message }) => message !== undefined)).message!.user.displayName)
      }
    }
    expect(shown).toEqual(['Dan', 'Dan', 'Daniel', 'Daniel'])
    await client.dispose()
  })

  it('keeps the name of a participant whose user is deleted, and makes it leave what it had accepted', async () => {
    const cat = await desk.makeAgent({ displayName: 'Cat' })
    const { id } = await desk.inStatus('QUEUED')
    await desk.command(desk.ben, id, '/follow')
    await desk.command(cat, id, '/accept')
    await desk.run(desk.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: cat.id })
    const left = await until(() => desk.show(id), ({ status }) => status === 'QUEUED')
    expect(left.participants.map(({ name }) => name)).toEqual(['Ben'])
  })
})

const LIVE = 'subscription ($id: ID!) { conversation(id: $id) { __typename } }'
const READ = 'mutation ($id: ID!, $message: ID!) { markRead(conversation: $id, message: $message) { id } }'

describe('unreadCount', () => {
  // [2.8 participants]
  it("counts others' messages but for commands, and is 0 after one's own", async () => {
    const { id } = await desk.inStatus('ACTIVE')
    await desk.command(desk.ben, id, '/join')
    await says(id, 'one')
    await desk.send(desk.bot, id, { text: 'two' })
    await desk.command(desk.bot, id, '/set @name Three')
    expect(await partOf(id, desk.ben)).toMatchObject({ unreadCount: 2 })
    await desk.send(desk.ben, id, { isBackchannel: true, text: 'mine' })
    expect(await partOf(id, desk.ben)).toMatchObject({ unreadCount: 0 })
    expect(await partOf(id, desk.ann)).toMatchObject({ unreadCount: 3 })
  })

  it('is what comes after the message read', async () => {
    const { id } = await desk.inStatus('ACTIVE')
    const other = await desk.inStatus('ACTIVE')
    await desk.command(desk.ben, id, '/join')
    const sent = [await says(id, 'one'), await says(id, 'two'), await says(id, 'three')].map(({ value }) => value.id)
    for (const [message, unread] of [[sent[1], 1], [sent[2], 0], [sent[0], 2]] as const) {
      expect((await desk.run(desk.ben, READ, { id, message })).code).toBeUndefined()
      expect(await partOf(id, desk.ben)).toMatchObject({ unreadCount: unread })
    }
    expect(await desk.run(desk.ben, READ, { id, message: other.messages.edges[0]!.node.id })).toMatchObject(
      { code: 'NOT_FOUND' },
    )
    expect(await desk.run(desk.bot, READ, { id, message: sent[0] })).toMatchObject({ code: 'UNPROCESSABLE' })
  })
})

const MENTIONED = 'subscription { inbox { __typename ... on InboxEntryAdded { entry { conversation unreadCount } } } }'

describe('a mention (2.12)', () => {
  // [2.12 mention]
  it("of a user sets that user's inbox, makes it a participant, and is named by the system", async () => {
    const { id } = await desk.inStatus('ACTIVE')
    const client = liveClient(desk.url, await desk.tokenFor(desk.ben))
    const inbox = subscribe<{ __typename: string; entry?: object }>(client, 'inbox', MENTIONED)
    await inbox.next()
    const meta = { targetUser: desk.ben.id, targetName: 'Somebody else' }
    const { value } = await desk.send(desk.ann, id, { type: 'MENTION', text: 'a look, please?', meta })
    expect(value).toMatchObject({ isBackchannel: true, meta: { targetUser: desk.ben.id, targetName: 'Ben' } })
    expect(await partOf(id, desk.ben)).toMatchObject({ ...NO_FLAGS, inbox: true })
    expect(await inbox.next()).toMatchObject({ __typename: 'InboxEntryAdded', entry: { conversation: id } })
    await client.dispose()
  })

  it('of an organization runs its workflows; of an active conversation their users hear, no channel', async () => {
    const own = await startDesk()
    try {
      const below = await own.makeOrganization({ parent: own.organization, name: 'Shop' })
      const boss = await own.makeAgent()
      await own.makeWorkflow([
        {
          conditions: { all: [] },
          event: { type: 'notify', params: { name: 'help', channels: [own.channel], users: [boss.id] } },
        },
      ], { organizations: [own.organization.id] })
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
      expect((await mention(own.organization.id)).value.meta).toEqual(
        { targetOrganization: own.organization.id, targetName: 'Acme' },
      )
      expect((await own.show(id)).routingTrace[0]).toMatchObject({ trigger: 'mention', entries: [] })

      await own.makeWorkflow([
        {
          conditions: { all: [] },
          event: { type: 'notify', params: { name: 'help', channels: [own.channel], users: [boss.id] } },
        },
      ])
      await mention(own.organization.id)
      expect(await inbox.next()).toMatchObject(
        { __typename: 'RuleNotification', rule: 'help', entry: { conversation: id } },
      )
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

  // [2.12 mention]
  it('of nobody, of two, or of a foreign tenant is refused, and nothing is said', async () => {
    const { id } = await desk.inStatus('ACTIVE')
    const foreign = await desk.makeOrganization()
    const stranger = await desk.makeUser({ organization: foreign })
    const before = await desk.show(id)
    for (const [meta, code] of [
      [{}, 'BAD_USER_INPUT'],
      [{ targetUser: desk.ben.id, targetOrganization: desk.organization.id }, 'BAD_USER_INPUT'],
      [{ targetUser: stranger.id }, 'NOT_FOUND'],
      [{ targetOrganization: foreign.id }, 'NOT_FOUND'],
    ] as const) {
      expect(await desk.send(desk.ann, id, { type: 'MENTION', text: '?', meta })).toMatchObject({ code })
    }
    expect(await desk.show(id)).toEqual(before)
  })
})

describe.each(['AGENT', 'BOT', 'SYSTEM'])('a team conversation of type %s', (type) => {
  const TEAM = `mutation ($input: CreateConversationInput!) { createConversation(input: $input) {
    id type status contactId participants { userId active inbox } } }`
  const make = (input: object) => desk.run<{ id: string }>(desk.ann, TEAM, { input: { type, ...input } })

  it('has no contact, is active, and comes to the inbox of who is not', async () => {
    const { value: { id, ...made } } = await make({ participants: [desk.ben.id], messages: [{ text: 'a word?' }] })
    expect(made).toEqual({
      type,
      status: 'ACTIVE',
      contactId: null,
      participants: expect.arrayContaining([
        { userId: desk.ann.id, active: true, inbox: false },
        { userId: desk.ben.id, active: false, inbox: true },
      ]),
    })
    await desk.command(desk.ben, id, '/join')
    expect(await partOf(id, desk.ben)).toMatchObject({ active: true, inbox: false })
    await desk.send(desk.ann, id, { text: 'here' })
    expect(await partOf(id, desk.ben)).toMatchObject({ inbox: false, unreadCount: 2 })
    const cat = await desk.makeAgent()
    await desk.send(cat, id, { text: 'me too' })
    expect(await partOf(id, cat)).toMatchObject({ active: true, unreadCount: 0 })
    await desk.command(desk.ben, id, '/leave')
    expect((await desk.show(id)).status).toBe('ACTIVE')
  })

  it('takes no contact, no consumer message, no queue', async () => {
    expect(await make({ contact: { profile: { email: 'x@example.com' } } })).toMatchObject({ code: 'BAD_USER_INPUT' })
    const foreign = await desk.makeUser({ organization: await desk.makeOrganization() })
    expect(await make({ participants: [foreign.id] })).toMatchObject({ code: 'NOT_FOUND' })
    const { value: { id } } = await make({})
    const refusals = await Promise.all([
      desk.send(desk.bot, id, { role: 'CONTACT', text: 'x' }),
      desk.command(desk.ann, id, '/notify'),
      desk.command(desk.bot, id, '/enqueue'),
      desk.command(desk.ann, id, '/block'),
    ])
    expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 4 }, () => 'UNPROCESSABLE'))
    expect(await desk.show(id)).toMatchObject({ status: 'ACTIVE', messages: { edges: [] } })
  })
})

it('a conversation with a contact takes no participants by its create', async () => {
  expect(await desk.tryCreate({ participants: [desk.ann.id] })).toMatchObject({ code: 'BAD_USER_INPUT' })
})
