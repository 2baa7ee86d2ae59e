import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startConversationFixture, texts, type ConversationFixture, type Shown } from './conversation-fixture.js'

let fixture: ConversationFixture
let foreign: MadeOrganization
let outsider: MadeUser
let foreignChannel: string
let spare: string
beforeAll(async () => {
  fixture = await startConversationFixture()
  foreign = await fixture.makeOrganization({ name: 'Others' })
  outsider = await fixture.makeUser({ organization: foreign })
  foreignChannel = await fixture.makeChannel('Theirs', [], foreign)
  spare = await fixture.makeChannel('Spare')
  await fixture.run(
    fixture.admin,
    `mutation ($id: ID!) { updateOrganization(id: $id,
    patch: { categories: [{ name: "Boats" }, { name: "Cars" }] }) { id } }`,
    { id: fixture.organization.id },
  )
})
afterAll(() => fixture.close())

describe('bad commands are refused, and nothing changes (4.8)', () => {
  const NOWHERE = '018f0000-0000-7000-8000-000000000000'
  it.each<[text: string, more: () => object, code: string, field: string]>([
    ['/', () => ({}), 'BAD_USER_INPUT', 'text'],
    ['/dance', () => ({}), 'BAD_USER_INPUT', 'text'],
    ['/accept now', () => ({}), 'BAD_USER_INPUT', 'text'],
    ['hello', () => ({}), 'BAD_USER_INPUT', 'text'],
    ['/assign', () => ({}), 'BAD_USER_INPUT', 'meta.users'],
    ['/assign', () => ({ meta: { users: null } }), 'BAD_USER_INPUT', 'meta.users'],
    ['/assign', () => ({ meta: { users: [] } }), 'BAD_USER_INPUT', 'meta.users'],
    ['/assign', () => ({ meta: { users: fixture.ben.id } }), 'BAD_USER_INPUT', 'meta.users'],
    ['/assign', () => ({ meta: { users: [fixture.ben.id, 7] } }), 'BAD_USER_INPUT', 'meta.users[1]'],
    ['/assign', () => ({ meta: { users: [fixture.ben.id, NOWHERE] } }), 'NOT_FOUND', 'meta.users[1]'],
    ['/assign', () => ({ meta: { users: [outsider.id] } }), 'NOT_FOUND', 'meta.users[0]'],
    ['/follow', () => ({ user: outsider.id }), 'NOT_FOUND', 'user'],
    ['/join', () => ({ user: NOWHERE }), 'NOT_FOUND', 'user'],
    ['/accept', () => ({ user: outsider.id }), 'NOT_FOUND', 'user'],
    ['/accept', () => ({ meta: { trigger: 'magic' } }), 'BAD_USER_INPUT', 'meta.trigger'],
    ['/accept', () => ({ meta: { ifQueued: 'yes' } }), 'BAD_USER_INPUT', 'meta.ifQueued'],
    ['/accept', () => ({ meta: { channels: 'all' } }), 'BAD_USER_INPUT', 'meta.channels'],
    ['/leave', () => ({ user: outsider.id }), 'NOT_FOUND', 'user'],
    ['/notify', () => ({ meta: { channels: [] } }), 'BAD_USER_INPUT', 'meta.channels'],
    ['/notify', () => ({ meta: { channels: [spare, foreignChannel] } }), 'NOT_FOUND', 'meta.channels[1]'],
    ['/notify', () => ({ meta: { organizations: [foreign.id] } }), 'NOT_FOUND', 'meta.organizations[0]'],
    ['/notify', () => ({ meta: { organizations: ['x'] } }), 'BAD_USER_INPUT', 'meta.organizations[0]'],
    ['/set', () => ({}), 'BAD_USER_INPUT', 'meta'],
    ['/set', () => ({ meta: { _title: 'mine' } }), 'BAD_USER_INPUT', 'meta._title'],
    ['/set', () => ({ meta: { big: 'x'.repeat(70_000) } }), 'BAD_USER_INPUT', 'meta'],
    ['/set _key value', () => ({}), 'BAD_USER_INPUT', 'text'],
    ['/set __proto__ value', () => ({}), 'BAD_USER_INPUT', 'text'],
    ['/set @name', () => ({}), 'BAD_USER_INPUT', 'text'],
    ['/set @colour red', () => ({}), 'BAD_USER_INPUT', 'text'],
    ['/set @language English', () => ({}), 'BAD_USER_INPUT', 'text'],
    ['/set @touchpoint pigeon', () => ({}), 'BAD_USER_INPUT', 'text'],
    ['/set @category Planes', () => ({}), 'UNPROCESSABLE', 'text'],
    ['/set @category 2', () => ({}), 'UNPROCESSABLE', 'text'],
    ['/action', () => ({}), 'BAD_USER_INPUT', 'text'],
    ['/action like', () => ({}), 'BAD_USER_INPUT', 'meta.message'],
    ['/action like', () => ({ meta: { message: NOWHERE } }), 'NOT_FOUND', 'meta.message'],
    ['/action like', () => ({ meta: { message: 1 } }), 'NOT_FOUND', 'meta.message'],
    ['/action comment', () => ({ meta: { message: NOWHERE } }), 'BAD_USER_INPUT', 'text'],
    ['/import', () => ({}), 'BAD_USER_INPUT', 'text'],
    ['/import 12', () => ({}), 'BAD_USER_INPUT', 'text'],
  ])('%s', async (text, more, code, field) => {
    const before = await fixture.inStatus('QUEUED')
    const refused = await fixture.command(fixture.ann, before.id, text, more())
    expect({ code: refused.code, field: refused.details.field }).toEqual({ code, field })
    expect(await fixture.show(before.id)).toEqual(before)
  })

  it("also on another tenant's conversation, which is not found", async () => {
    const { id } = await fixture.inStatus('QUEUED')
    for (const as of [outsider, await fixture.makeUser({ organization: foreign, role: 'admin' })]) {
      for (const text of ['/accept', '/leave', '/set @name Mine', '>hello', '/notify']) {
        expect(await fixture.command(as, id, text)).toMatchObject({
          code: 'NOT_FOUND',
          message: 'Conversation not found',
        })
      }
    }
  })

  // [3.1 /enqueue of automations]
  it('/enqueue is for automations, and a viewer cannot send commands', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const viewer = await fixture.makeUser({ organization: fixture.organization, role: 'viewer' as never })
    expect(await fixture.command(fixture.ann, id, '/enqueue')).toMatchObject({ code: 'FORBIDDEN' })
    expect(await fixture.command(viewer, id, '/join')).toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('/set', () => {
  it.each<[text: string, more: object, changes: (before: Shown) => Partial<Shown>]>([
    ['/set @name  Ahoy there ', {}, () => ({ name: 'Ahoy there' })],
    ['/set @category Cars', {}, () => ({ category: 'Cars', categoryIndex: 1 })],
    ['/set @category 0', {}, () => ({ category: 'Boats', categoryIndex: 0 })],
    ['/set @language nl', {}, () => ({ language: 'nl' })],
    [
      '/set @touchpoint email',
      {},
      ({ touchpoints }) => ({
        touchpoint: 'EMAIL',
        touchpoints: {
          ...touchpoints,
          web: { ...touchpoints.web!, selected: false },
          email: { selected: true },
        },
      }),
    ],
    ['/set intent buy a boat', {}, ({ meta }) => ({ meta: { ...meta, intent: 'buy a boat' } })],
    ['/set', { meta: { a: { b: 1 }, kept: null } }, () => ({ meta: { a: { b: 1 } } })],
  ])('%s %j', async (text, more, changes) => {
    const { id } = await fixture.create({ meta: { kept: 1, a: { c: 2 } } })
    const before = await fixture.show(id)
    expect((await fixture.command(fixture.ann, id, text, more)).code).toBeUndefined()
    const after = await fixture.show(id)
    expect(after.messages.edges.map(({ node }) => [node.type, node.text])).toEqual([['COMMAND', text]])
    expect(after).toEqual({ ...before, ...changes(before), messages: after.messages })
  })

  it('merges at the top level only', async () => {
    const { id } = await fixture.create({ meta: { a: { b: 1 }, c: 1 } })
    await fixture.command(fixture.ann, id, '/set', { meta: { a: { d: 2 } } })
    expect((await fixture.show(id)).meta).toEqual({ a: { d: 2 }, c: 1 })
  })
})

describe('/notify', () => {
  const notify = async (meta: object): Promise<Shown> => {
    const { id } = await fixture.inStatus('CLOSED')
    expect((await fixture.command(fixture.ann, id, '/notify', { meta })).code).toBeUndefined()
    return fixture.show(id)
  }

  // [4.8 /notify, /notify workflows, /notify organizations, /notify channels] [2.12 /notify channels, /notify
  // organizations] [3.1 closed by /notify, closed by /notify then workflows, closed by /notify then channels]
  it('runs all workflows, those of the organizations, or exactly the channels; null counts as absent', async () => {
    const own = await startConversationFixture()
    try {
      const below = await own.makeOrganization({ parent: own.organization })
      const channels = { own: await own.makeChannel('Shop', [], below), above: own.channel }
      const bot = await own.makeUser({ organization: below, role: 'bot' })
      const always = (channel: string) => [
        { conditions: { all: [] }, event: { type: 'notify', params: { channels: [channel] } } },
      ]
      await own.makeWorkflow(always(channels.above))
      await own.makeWorkflow(always(channels.own), { organization: below })
      for (const [meta, expected] of [
        [{}, [channels.own, channels.above]],
        [{ channels: null, organizations: null }, [channels.own, channels.above]],
        [{ organizations: [below.id] }, [channels.own]],
        [{ organizations: [own.organization.id] }, [channels.above]],
        [{ channels: [channels.own] }, [channels.own]],
        [{ channels: [channels.own], organizations: [own.organization.id] }, [channels.own]],
      ] as const) {
        const { id } = await own.create({ organization: below.id }, bot)
        expect((await own.command(bot, id, '/notify', { meta })).code).toBeUndefined()
        expect(await own.show(id)).toMatchObject({ status: 'QUEUED', channels: [], channelsOffline: expected })
      }
    } finally {
      await own.close()
    }
  })

  it('routes a queued conversation again', async () => {
    const { id } = await fixture.inStatus('QUEUED')
    await fixture.command(fixture.ann, id, '/notify', { meta: { channels: [spare] } })
    expect((await fixture.show(id)).channelsOffline).toEqual([spare])
    expect((await notify({ channels: [spare] })).routingTrace[0]).toMatchObject({
      trigger: '/notify',
      entries: [{ rule: null, workflow: null, outcome: 'FIRED', channelsOffline: [spare] }],
    })
  })
})

describe('/accept', () => {
  it('records how it was accepted, and from which queues', async () => {
    const { id } = await fixture.inStatus('QUEUED')
    const { value } = await fixture.command(fixture.ann, id, '/accept', { meta: { trigger: 'channel', isTask: true } })
    expect(value.meta).toEqual({ trigger: 'channel', isTask: false, channels: [fixture.channel, spare].toSorted() })
  })

  // [2.12 isTask]
  it('of a task assigned by /notify is marked as such; the task stays until then', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    await fixture.command(fixture.ann, id, '/notify')
    expect(await fixture.show(id)).toMatchObject({ status: 'ACTIVE', channels: [], channelsOffline: [] })
    await fixture.command(fixture.ann, id, '/notify', { meta: { channels: [spare], organizations: null } })
    await fixture.send(fixture.bot, id, { role: 'AGENT', text: 'Somebody else will see to it' })
    expect(await fixture.show(id)).toMatchObject({ status: 'ACTIVE', channelsOffline: [spare] })
    await fixture.command(fixture.bot, id, '/leave')
    await fixture.command(fixture.ann, id, '/leave')
    expect(await fixture.show(id)).toMatchObject({ status: 'CLOSED', channelsOffline: [spare] })
    const { value } = await fixture.command(fixture.ben, id, '/accept')
    expect(value.meta).toEqual({ isTask: true, channels: [spare] })
    expect(await fixture.show(id)).toMatchObject({ status: 'ACTIVE', channels: [], channelsOffline: [] })
  })

  it('with ifQueued names the agent who was first', async () => {
    const { id } = await fixture.inStatus('QUEUED')
    await fixture.command(fixture.ann, id, '/accept')
    const { code, message, details } = await fixture.command(fixture.ben, id, '/accept', { meta: { ifQueued: true } })
    expect({ code, acceptedBy: details.acceptedBy }).toEqual({ code: 'UNPROCESSABLE', acceptedBy: fixture.ann.id })
    expect(message).toContain('Ann')
    // Without it, several may accept.
    expect((await fixture.command(fixture.ben, id, '/accept')).code).toBeUndefined()
    expect((await fixture.show(id)).participants.filter(({ accepted }) => accepted)).toHaveLength(2)
  })
})

describe('/action', () => {
  // [4.8 /action like, /action comment] [2.12 /action]
  it('likes once, and comments with the id of the command', async () => {
    const { id, messages } = await fixture.inStatus('ACTIVE')
    const message = messages.edges[0]!.node.id
    await fixture.command(fixture.ann, id, '/action like', { meta: { message } })
    await fixture.command(fixture.ann, id, '/action like', { meta: { message } })
    await fixture.command(fixture.ben, id, '/action like', { meta: { message: message.toUpperCase() } })
    const { value } = await fixture.command(fixture.ben, id, '/action comment  well said ', { meta: { message } })
    const [first] = (await fixture.show(id)).messages.edges
    expect(first!.node).toMatchObject({
      likes: [fixture.ann.id, fixture.ben.id],
      comments: [{ userId: fixture.ben.id, messageId: value.id, text: 'well said' }],
    })
  })

  // [8 Comments] [2.9 comments limit]
  it('accepts at most 10 comments, even in one request', async () => {
    const { id, messages } = await fixture.inStatus('ACTIVE')
    const meta = { message: messages.edges[0]!.node.id }
    const many = Array.from({ length: 9 }, (_each, index) => ({
      type: 'COMMAND',
      text: `/action comment ${index}`,
      meta,
    }))
    const { code } = await fixture.run(
      fixture.ann,
      `mutation ($id: ID!, $messages: [MessageInput!]!) {
        sendMessages(conversation: $id, messages: $messages) { id } }`,
      { id, messages: many },
    )
    expect(code).toBeUndefined()
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => fixture.command(fixture.ann, id, '/action comment more', { meta })),
    )
    expect(outcomes.map((outcome) => outcome.code).toSorted()).toEqual(['UNPROCESSABLE', 'UNPROCESSABLE', undefined])
    const [first] = (await fixture.show(id)).messages.edges
    expect(first!.node.comments.map(({ text }) => text)).toEqual([...many.keys(), 'more'].map(String))
  })

  it('refuses a message of another conversation', async () => {
    const [one, other] = [await fixture.inStatus('ACTIVE'), await fixture.inStatus('ACTIVE')]
    const meta = { message: other.messages.edges[0]!.node.id }
    expect(await fixture.command(fixture.ann, one.id, '/action like', { meta })).toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('>text', () => {
  // [4.8 >text, >text changes nothing] [1 bot commands]
  it('is stored for bots and has no effect', async () => {
    const before = await fixture.inStatus('QUEUED')
    const { value } = await fixture.command(fixture.ann, before.id, '>/leave everything')
    expect(value).toMatchObject({ text: '>/leave everything', isBackchannel: true })
    const after = await fixture.show(before.id)
    expect(after).toEqual({ ...before, messages: after.messages })
  })
})

/** Each twin beside the slash form, by the same user on conversations in the same state. */
const TWINS: [mutation: string, status: Shown['status'], variables: () => object, text: string, more: () => object][] =
  [
    [
      'acceptConversation(conversation: $id, trigger: "inbox", ifQueued: true)',
      'QUEUED',
      () => ({}),
      '/accept',
      () => ({ meta: { ifQueued: true, trigger: 'inbox' } }),
    ],
    [
      'acceptConversation(conversation: $id, user: $user)',
      'QUEUED',
      () => ({ user: fixture.ben.id }),
      '/accept',
      () => ({ user: fixture.ben.id }),
    ],
    ['leaveConversation(conversation: $id)', 'ACTIVE', () => ({}), '/leave', () => ({})],
    [
      'joinConversation(conversation: $id, user: $user)',
      'QUEUED',
      () => ({ user: fixture.ben.id }),
      '/join',
      () => ({ user: fixture.ben.id }),
    ],
    [
      'assignConversation(conversation: $id, users: $users)',
      'CLOSED',
      () => ({ users: [fixture.ben.id] }),
      '/assign',
      () => ({ meta: { users: [fixture.ben.id] } }),
    ],
    ['followConversation(conversation: $id)', 'CLOSED', () => ({}), '/follow', () => ({})],
    ['unfollowConversation(conversation: $id)', 'ACTIVE', () => ({}), '/unfollow', () => ({})],
    [
      'notifyConversation(conversation: $id, channels: $channels)',
      'CLOSED',
      () => ({ channels: [spare] }),
      '/notify',
      () => ({ meta: { channels: [spare] } }),
    ],
    ['notifyConversation(conversation: $id)', 'CLOSED', () => ({}), '/notify', () => ({})],
    ['blockContact(conversation: $id)', 'ACTIVE', () => ({}), '/block', () => ({})],
    [
      'setConversation(conversation: $id, patch: { name: "New", category: "Cars", language: "de", touchpoint: EMAIL })',
      'ACTIVE',
      () => ({}),
      '/set @name New',
      () => ({}),
    ],
    [
      'setConversation(conversation: $id, patch: { meta: { a: 1 } })',
      'ACTIVE',
      () => ({}),
      '/set',
      () => ({ meta: { a: 1 } }),
    ],
  ]

describe('the typed mutations of commands', () => {
  it.each(TWINS)('%s', async (mutation, status, variables, text, more) => {
    const [typed, slashed] = [await fixture.inStatus(status), await fixture.inStatus(status)]
    const declared = { id: 'ID!', user: 'ID', users: '[ID!]!', channels: '[ID!]' }
    const names = ['id', ...Object.keys(variables())] as (keyof typeof declared)[]
    const declarations = names.map((name) => `$${name}: ${declared[name]}`).join(', ')
    const query = `mutation (${declarations}) { ${mutation} { id status } }`
    const { value, code } = await fixture.run<{ id: string; status: string }>(fixture.ann, query, {
      id: typed.id,
      ...variables(),
    })
    expect(code).toBeUndefined()
    await fixture.command(fixture.ann, slashed.id, text, more())
    for (const key of ['category', 'touchpoint', 'language'].filter((name) => mutation.includes(`${name}:`))) {
      const given = { category: 'Cars', language: 'de', touchpoint: 'email' }[key]
      await fixture.command(fixture.ann, slashed.id, `/set @${key} ${given}`)
    }
    const [one, other] = [await fixture.show(typed.id), await fixture.show(slashed.id)]
    expect(value.status).toBe(one.status)
    expect(comparable(one)).toEqual(comparable(other))
  })

  it.each([
    ['setConversation(conversation: $id, patch: { language: "xyz" })', 'patch.language'],
    ['setConversation(conversation: $id, patch: { name: null })', 'patch.name'],
    ['setConversation(conversation: $id, patch: { name: "a", meta: { _b: 1 } })', 'patch.meta._b'],
    ['setConversation(conversation: $id, patch: { meta: { url: "javascript:1" } })', 'patch.meta.url'],
    ['setConversation(conversation: $id, patch: { meta: null })', 'patch.meta'],
    ['setConversation(conversation: $id, patch: { name: " " })', 'patch.name'],
    ['notifyConversation(conversation: $id, channels: ["x"])', 'channels[0]'],
    ['assignConversation(conversation: $id, users: [])', 'users'],
    ['acceptConversation(conversation: $id, trigger: "magic")', 'trigger'],
  ])('%s is refused', async (mutation, field) => {
    const before = await fixture.inStatus('QUEUED')
    const { code, details } = await fixture.run(fixture.ann, `mutation ($id: ID!) { ${mutation} { id } }`, {
      id: before.id,
    })
    expect({ code, field: details.field }).toEqual({ code: 'BAD_USER_INPUT', field })
    expect(await fixture.show(before.id)).toEqual(before)
  })
})

function comparable(shown: Shown): object {
  const { id: _id, name, contactId: _contact, messages, routingTrace, ...rest } = shown
  return {
    ...rest,
    name: name === 'New' ? name : null,
    texts: texts(shown),
    commands: messages.edges
      .filter(({ node }) => node.type === 'COMMAND')
      .map(({ node }) => [node.text, node.meta, node.userId]),
    triggers: routingTrace.map(({ trigger, entries }) => [trigger, entries]),
  }
}
