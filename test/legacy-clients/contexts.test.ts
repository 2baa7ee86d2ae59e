import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Context } from 'chipchat'
import { startWorld, type Client, type World } from './world.js'

let world: World
let admin: Client
let agent: Client
let bot: Client

beforeAll(async () => {
  world = await startWorld()
  ;[admin, agent, bot] = (await Promise.all(
    [world.admin, world.agent, world.bot].map((user) => world.client(user)),
  )) as [Client, Client, Client]
})
afterAll(() => world.close())

const open = async (more?: object, client = bot): Promise<Context> => client.conversation(await world.converse(more))
const stored = (id: string) => admin.conversations.get(id)
const post = (id: string, body: unknown, headers?: Record<string, string>) =>
  world.server.rest(world.bot, 'POST', `/v2/conversations/${id}/messages`, body, headers)

// [legacy sending.conversation, sending.orgPath]
it('send texts, arrays, objects and lists of texts, with options and by callback', async () => {
  const context = await open()
  const first = await context.say('Hello World')
  expect(first).toMatchObject({ text: 'Hello World', role: 'bot', type: 'chat', conversation: context.id })
  expect(first.orgPath).toBe((await admin.organizations.get(world.organization.id)).path)
  expect((await context.say('to you', { role: 'agent' })).role).toBe('agent')
  const list = await context.say([{ text: 'One' }, { text: 'Two', isBackchannel: true }])
  expect(list.map(({ text }: { text: string }) => text)).toEqual(['One', 'Two'])
  const texts = await context.say(['Hello', 'How are you? 👍'])
  expect(texts.map(({ text }: { text: string }) => text)).toEqual(['Hello', 'How are you? 👍'])
  const called = await new Promise<{ text: string }>((resolve, reject) => {
    void context.say('Called', (error: unknown, message: { text: string }) =>
      error ? reject(error as Error) : resolve(message),
    )
  })
  expect(called.text).toBe('Called')
  const other = await world.converse()
  const wrong = await post(context.id, { text: 'x', conversation: other })
  expect([wrong.status, wrong.body.field]).toEqual([400, 'conversation'])
  const inList = await post(context.id, [{ text: 'x' }, { text: 'y', conversation: other }])
  expect([inList.status, inList.body.field]).toEqual([400, '[1].conversation'])
})

// [legacy decided.unknown fields]
it('ignores unknown fields, and names them', async () => {
  const id = await world.converse()
  const sent = await post(id, {
    text: 'x',
    slug: 's',
    colour: { a: 1 },
    actions: [{ type: 'reply', payload: 'A', hue: 1 }],
  })
  expect([sent.status, sent.headers.get('ignored-fields')]).toEqual([201, 'slug, colour, actions[0].hue'])
  expect((await post(id, { text: 'x' })).headers.get('ignored-fields')).toBeNull()
  // Also of a refused message: here what was ignored is why.
  const misspelt = await post(id, { txt: 'x', hue: 1 })
  expect([misspelt.status, misspelt.headers.get('ignored-fields')]).toEqual([400, 'txt, hue'])
  const malformed = await post(id, { hue: 1, text: 'x', type: 'shout' })
  expect([malformed.status, malformed.headers.get('ignored-fields')]).toEqual([400, 'hue'])
  const missing = await post('01900000-0000-7000-8000-000000000000', { hue: 1, text: 'x' })
  expect([missing.status, missing.headers.get('ignored-fields')]).toEqual([404, 'hue'])
  const strict = await post(id, { text: 'x', colour: 1 }, { prefer: 'respond-async, handling=strict' })
  expect([strict.status, strict.body.field]).toEqual([400, 'colour'])
  const make = (headers?: Record<string, string>) =>
    world.server.rest(
      world.bot,
      'POST',
      '/v2/conversations',
      { name: 'x', tags: ['a'], messages: [{ text: 'x', ä: 1 }] },
      headers,
    )
  const made = await make()
  expect([made.status, made.headers.get('ignored-fields')]).toEqual([201, 'tags, messages[0].%C3%A4'])
  expect((await make({ prefer: 'handling=strict' })).status).toBe(400)
  const channel = await world.server.rest(world.admin, 'POST', '/v2/channels', { name: 'x', colour: 1 })
  expect([channel.status, channel.body.field]).toEqual([400, 'colour'])
})

// [legacy sending.participants, sending.link payload, sending.reply text, sending.types]
it("sends buttons and reports in the legacy interface's terms", async () => {
  const context = await open()
  const link = { type: 'link', text: 'Art 1', payload: 'http://example.org/' }
  const items = await context.say({
    items: [{ title: 'Article 1', actions: [link] }],
    actions: [link, { type: 'reply', payload: 'Ja' }],
  })
  expect(items.items[0].actions).toEqual([{ type: 'link', text: 'Art 1', uri: 'http://example.org/' }])
  expect(items.actions[1]).toEqual({ type: 'reply', text: 'Ja', payload: 'Ja' })
  const results = [{ name: 'Conversation Review', values: { review: 'Awesome' } }]
  const report = await context.say({ type: 'report', text: 'Report', isBackchannel: true, status: 'mine', results })
  expect(report).toMatchObject({ type: 'report', results })
  expect((await context.say({ type: 'tag', text: 'lead' })).type).toBe('tag')
  expect((await context.say({ type: 'search', text: 'boats' })).type).toBe('search')
  const { participants } = await stored(context.id)
  expect(participants).toEqual([expect.objectContaining({ user: world.bot.id, organization: world.organization.id })])
})

// [legacy sending.contact role]
it('lets an agent send as the contact, also in a create', async () => {
  const profile = { name: 'Cora', telephone: '+31612345679' }
  const made = await agent.conversations.create({
    type: 'contact',
    contact: { profile },
    messages: [{ role: 'contact', text: 'They called', touchpoint: 'sms' }],
  })
  expect(made).toMatchObject({ status: 'queued', createdBy: world.agent.id })
  const said = await agent.send(made.id, { role: 'contact', text: 'and again' })
  expect(said).toMatchObject({ role: 'contact', user: world.agent.id })
})

// [legacy sending.form text, differences.field key]
it('adds a form without a text, and fills its fields by key', async () => {
  const form = await admin.forms.create({ name: 'Test Drive', fields: [{ name: 'model' }] })
  const context = await open()
  const added = await context.say({ type: 'form', meta: { form: form.id } })
  expect(added.text).toBe('+Test Drive')
  await context.say({ type: 'field', text: '.model Laser', meta: { form: form.id, key: 'model' } })
  expect((await stored(context.id)).forms).toMatchObject([{ name: 'Test Drive', values: { model: 'Laser' } }])
})

// [legacy conversations.team, conversations.notify]
it('make a conversation of a name and messages, which /notify does not change', async () => {
  for (const [client, type] of [
    [bot, 'bot'],
    [agent, 'agent'],
    [admin, 'agent'],
  ] as const) {
    const made = await client.conversations.create({ name: 'Review', messages: [{ text: 'start' }] })
    expect(made).toMatchObject({ type, name: 'Review', organization: world.organization.id, status: 'active' })
    expect(made.participants[0].user).toBe(client.auth.user)
    const context = await client.conversation(made)
    await context.say('Howdy!')
    const notified = await client.send(made.id, { type: 'command', text: '/notify' })
    expect(notified.type).toBe('command')
    expect((await stored(made.id)).status).toBe('active')
  }
  expect((await bot.conversations.create({ messages: [{ text: 'Hi' }] })).messages).toHaveLength(1)
})

// [legacy conversations.accept first]
it('make a conversation that begins with /accept, its touchpoint with the first message that is delivered', async () => {
  const messages = [
    { text: '/accept', type: 'command' },
    { text: 'Welcome', role: 'agent', touchpoint: 'sms', meta: { SenderID: 'Boats' } },
    {
      text: 'Please click',
      role: 'agent',
      touchpoint: 'sms',
      delay: 60_000,
      actions: [{ text: 'link:', type: 'link', uri: 'https://example.com/?id={authuser}&token={authtoken}' }],
    },
    { text: '/leave', type: 'command', delay: 60_000 },
  ]
  const contact = { profile: { name: 'Sam', telephone: '+31612345677' } }
  const made = await bot.conversations.create({
    organization: world.organization.id,
    type: 'contact',
    contact,
    messages,
    meta: {},
  })
  expect(made).toMatchObject({ status: 'active', touchpoint: 'sms' })
  const other = { profile: { name: 'Tim', telephone: '+31612345676' } }
  const bare = await bot.conversations.create({ type: 'contact', contact: other, messages: [messages[0]] })
  await expect(bot.send(bare.id, { text: 'Hello', role: 'agent' })).rejects.toMatchObject({
    message: expect.stringContaining('touchpoint'),
  })
})

// [legacy commands.clear, commands.text values, commands.asked]
it('set and get texts under any key, and clear them', async () => {
  const context = await open()
  await context.set('step', 3)
  await context.set('mybot.status', 'finished')
  await context.set('@name', 'Mine')
  const again = await bot.conversation(context.id)
  expect([again.get('step'), again.get('mybot.status'), again.get('@name')]).toEqual(['3', 'finished', 'Mine'])
  await context.set('step')
  await context.set('@language', 'nl')
  await context.set('@language')
  const cleared = await stored(context.id)
  expect([cleared.meta.step, cleared.language]).toEqual([undefined, undefined])
  await bot.send(context.id, { type: 'command', text: `/set _asked${bot.auth.user} answerColor`, meta: {} })
  for (const key of ['_agent', '_agentAvatar', '_title', '_url', '_target', '_source', '_noCopy', '_contextSent']) {
    expect((await post(context.id, { type: 'command', text: `/set ${key} x` })).status).toBe(400)
  }
  const { meta } = await stored(context.id)
  expect(meta[`_asked${bot.auth.user}`]).toBe('answerColor')
  expect((await admin.conversations.update(context.id, { meta: { ...meta, more: 1 } })).meta.more).toBe(1)
})

// [legacy commands.any order, commands.null meta, differences.role, decided.commands]
it('send commands in any order, none of which fails', async () => {
  const orders = [
    ['leave', 'notify', 'accept', 'join', 'leave'],
    ['notify', 'leave', 'say', 'notify'],
    ['accept', 'notify', 'leave', 'leave', 'notify'],
  ]
  for (const order of orders) {
    const context = await open()
    for (const name of order)
      expect(await context[name](name === 'say' ? 'Gotta go!' : undefined)).toMatchObject({ role: 'bot' })
  }
  const atOnce = await open()
  await Promise.all([atOnce.say('Bye'), atOnce.leave(), atOnce.notify(), atOnce.accept(), atOnce.leave()])
  const task = await open()
  await task.accept()
  await task.notify(world.channel, [])
  expect(await stored(task.id)).toMatchObject({ status: 'active', channelsOffline: [world.channel] })
  expect((await agent.send(task.id, { type: 'command', text: '/accept' })).meta).toMatchObject({ isTask: true })
  await task.assign(world.agent.id)
  const routed = await open()
  expect(
    (
      await post(routed.id, {
        type: 'command',
        text: '/notify',
        meta: { channels: null, organizations: [world.organization.id] },
      })
    ).status,
  ).toBe(201)
  expect((await stored(routed.id)).status).toBe('queued')
})
