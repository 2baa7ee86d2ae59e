import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startReceiver } from '../webhooks/receiver.js'
import { listen } from './listen.js'
import { startWorld, type Client, type World } from './world.js'
import { until } from '../support/until.js'

let world: World
let admin: Client

beforeAll(async () => {
  world = await startWorld()
  admin = await world.client(world.admin)
})
afterAll(() => world.close())

const say = (conversation: string, text: string, more: object = {}): Promise<unknown> =>
  admin.send(conversation, { role: 'contact', text, ...more })

// [legacy webhooks.handshake and signature, webhooks.conversation, webhooks.role, sending.orgPath, sending.participants]
it('reach the client by its own server: handshake, signature, events by wildcard, the conversation whole', async () => {
  const { bot } = await listen(world, admin)
  const heard: string[] = []
  const seen: { message: any; context: any }[] = [] // oxlint-disable-line typescript/no-explicit-any
  for (const event of ['message', 'message.**', '**.chat', '**.chat.contact', 'message.create.*.chat']) {
    bot.on(event, () => heard.push(event))
  }
  bot.onText(/boat/i, (message, context) => seen.push({ message, context }))
  const conversation = await world.converse({ messages: [{ role: 'agent', text: 'Welcome' }] })
  await say(conversation, 'A Boat, please')
  await until(() => seen.length === 1 && heard.filter((event) => event === 'message.create.*.chat').length === 2)
  expect(new Set(heard)).toEqual(
    new Set(['message', 'message.**', '**.chat', '**.chat.contact', 'message.create.*.chat']),
  )
  const { message, context } = seen[0]!
  expect(message.orgPath.split('#').at(-1)).toBe(world.organization.id)
  expect(context.messages).toHaveLength(2)
  expect(context.messages.at(-1)).toBe(message.id)
  expect([context.results, context.forms]).toEqual([[], []])
  expect(context.participants[0]).toMatchObject({ user: world.bot.id, organization: world.organization.id })
  expect(bot.errors).toEqual([])
})

// [legacy webhooks.role]
it('are dropped by the client in this setup: messages of bots, and of conversations that it has not joined', async () => {
  const { bot } = await listen(world, admin, { ignoreUnjoined: true, preloadOrganizations: true })
  const texts: string[] = []
  const organizations: unknown[] = []
  bot.on('message', (message: { text: string }, context: { organization: unknown }) => {
    texts.push(message.text)
    organizations.push(context.organization)
  })
  bot.on('notify', (_message: unknown, context: { join(): unknown }) => context.join())
  const [joined, other] = [await world.converse(), await world.converse()]
  await admin.send(joined, { type: 'mention', text: 'Marvin?', role: 'agent', meta: { targetUser: bot.auth.user } })
  await until(async () =>
    (await admin.conversations.get(joined)).participants.some(
      (each: { user: string; active: boolean }) => each.user === bot.auth.user && each.active,
    ),
  )
  await say(other, 'not for you')
  await admin.send(joined, { role: 'bot', text: 'from a bot' })
  await say(joined, 'for you')
  await until(() => texts.includes('for you'))
  expect(texts).not.toContain('not for you')
  expect(texts).not.toContain('from a bot')
  expect(organizations).toContainEqual(
    expect.objectContaining({ id: world.organization.id, stopwords: [], categories: [] }),
  )
})

// [legacy commands.asked, sending.conversation]
it('deliver the answer to a question, by callback and by registered name', async () => {
  const { bot } = await listen(world, admin)
  const answers: string[] = []
  bot.registerCallback('answerColor', (message) => void answers.push(`named ${message.text}`))
  const conversation = await world.converse()
  const context = await bot.conversation(conversation)
  context.ask('Your name?', (message) => void answers.push(`asked ${message.text}`))
  const asked = async (): Promise<string> =>
    (await admin.conversations.get(conversation)).meta[`_asked${bot.auth.user}`]
  await until(async () => (await asked()) !== undefined)
  await say(conversation, 'Carl')
  await until(() => answers.length === 1)
  context.ask({ text: 'Your color?' }, 'answerColor')
  await until(async () => (await asked()) === 'answerColor')
  await say(conversation, 'Red')
  await until(() => answers.length === 2)
  expect(answers).toEqual(['asked Carl', 'named Red'])
  await until(async () => (await asked()) === undefined)
})

// [legacy webhooks.summary, webhooks.resource]
it('describe every event in a sentence with its actor, and have records as a GET returns them', async () => {
  const { bot } = await listen(world, admin)
  const summaries: string[] = []
  const payloads: Record<string, any>[] = [] // oxlint-disable-line typescript/no-explicit-any
  bot.on('activity', ({ summary }: { summary: string }) => void summaries.push(summary))
  bot.on(
    ['*.create', '*.update', '*.delete', 'user.login'],
    (payload: Record<string, unknown>) => void payloads.push(payload),
  )
  const user = await world.server.makeUser({
    organization: world.organization,
    role: 'admin',
    displayName: 'Jenny Jones',
    password: 'a good password',
  })
  const { body } = await world.server.rest(null, 'POST', '/v2/auth/token', {
    email: user.email,
    password: 'a good password',
  })
  const jenny = await world.client(user, { token: body.token })
  const made: Record<string, { id: string }> = {
    article: await jenny.articles.create({ title: 'Sails', content: '<p>On sails</p>', tags: ['x'], meta: { a: 1 } }),
    form: await jenny.forms.create({ name: 'Sails', fields: [{ name: 'size' }] }),
    channel: await jenny.channels.create({ name: 'Sails', members: [{ user: user.id }] }),
    location: await jenny.locations.create({ name: 'Harbour', address: { addressLocality: 'Delft' } }),
    file: await jenny.files.create({ name: 'Terms', url: 'https://example.com/terms.pdf' }),
    workflow: await jenny.workflows.create({ name: 'Sails' }),
    organization: await jenny.organizations.create({ name: 'Sails', meta: { a: 1 } }),
    organizationGroup: await jenny.orggroups.create({ name: 'Sails', members: [world.organization.id] }),
    contact: await jenny.contacts.create({ profile: { name: 'Cleo', locale: 'nl' } }),
    service: await jenny.services.create({ name: 'SMS', type: 'other', params: { apiToken: 'hidden', from: '31' } }),
  }
  const conversation = await world.converse()
  await jenny.send(conversation, { text: 'Hello', role: 'agent' })
  await jenny.articles.delete(made.article!.id)
  const told = [
    'User Jenny Jones logged in',
    'User Jenny Jones created article Sails',
    'User Jenny Jones created organization group Sails',
    'User Jenny Jones deleted article Sails',
    'User Jenny Jones created a chat message',
  ]
  const createdOf = (resource: string) =>
    payloads.find(({ event, data }) => event === `${resource}.create` && data[resource].id === made[resource]!.id)
  // Only what is of one conversation or one record comes in order.
  await until(
    () => told.every((each) => summaries.includes(each)) && Object.keys(made).every((resource) => createdOf(resource)),
  )
  expect(summaries.every((summary) => /^(User|Contact) \S+|^The service /.test(summary))).toBe(true)
  const OWN = ['isShared', 'isTemplate', 'downloadUrl', 'conversation', '_id', 'email', 'orgPath']
  const comparable = (record: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !OWN.includes(key)))
  for (const resource of Object.keys(made)) {
    const payload = createdOf(resource)
    const shown = comparable(made[resource] as never)
    // Nothing says which params of its type are secrets.
    if (resource === 'service') shown.params = { apiToken: '********', from: '********' }
    expect({ resource, record: comparable(payload!.data[resource]) }).toEqual({ resource, record: shown })
  }
  expect(payloads.find(({ event }) => event === 'article.delete')!.data.article.id).toBe(made.article!.id)
})

// [legacy webhooks.answer]
it('are answered with a token and messages, which join as its user', async () => {
  const receiver = await startReceiver()
  const token = await world.server.tokenFor(world.agent)
  receiver.answer = ({ json }) =>
    json.event === 'message.create.contact.chat' && json.data.message.text === 'Anybody?'
      ? {
          body: JSON.stringify({
            token,
            messages: [{ text: 'I am', role: 'agent', conversation: json.data.conversation.id, colour: 'red' }],
          }),
        }
      : {}
  const { id } = await admin.services.create({ name: 'Answers', type: 'webhook', params: { url: receiver.url } })
  await until(async () => (await admin.services.get(id)).status === 'active')
  const conversation = await world.converse()
  await say(conversation, 'Anybody?')
  await until(async () => (await admin.conversations.get(conversation)).status === 'active')
  const [answer] = (await admin.messages.list({ conversation, text: 'I am' })) as { user: string; role: string }[]
  expect(answer).toMatchObject({ user: world.agent.id, role: 'agent' })
  // The attempt is recorded after what its answer added.
  const recorded = await until(
    async () => {
      const { data } = await world.server.gql(
        world.admin,
        `query ($id: ID!) { webhookDeliveries(service: $id, first: 100) { edges { node { reply attempts { response } } } } }`,
        { id },
      )
      return JSON.stringify(data)
    },
    (text) => text.includes('1 message added'),
  )
  expect(recorded).not.toContain(token)
  receiver.answer = ({ json }) =>
    json.event === 'message.create.contact.chat'
      ? { body: JSON.stringify({ token: 'x.y.z', messages: [{ text: 'no' }] }) }
      : {}
  await say(conversation, 'Again')
  await until(async () => {
    const answer = await world.server.gql(
      world.admin,
      `{ webhookDeliveries(service: "${id}", first: 5) { edges { node { reply } } } }`,
    )
    return JSON.stringify(answer.data).includes("refused: the answer's token is invalid")
  })
  await admin.services.delete(id)
  await receiver.close()
})

// [legacy webhooks.basic authentication]
it('go to a URL with user and password, which is shown without the password and keeps it', async () => {
  const receiver = await startReceiver()
  const url = receiver.url.replace('//', '//joe:s3cret@')
  const made = await admin.services.create({ name: 'Basic', type: 'webhook', params: { url } })
  expect(made.params.url).toBe(receiver.url.replace('//', '//joe@'))
  await until(async () => (await admin.services.get(made.id)).status === 'active')
  const shown = await admin.services.get(made.id)
  await admin.services.update(made.id, { ...shown, name: 'Still' })
  expect((await admin.services.get(made.id)).status).toBe('active')
  await say(await world.converse(), 'Hello')
  const { headers } = await receiver.next(({ json }) => json.event === 'message.create.contact.chat')
  expect(headers.authorization).toBe(`Basic ${Buffer.from('joe:s3cret').toString('base64')}`)
  const bodies = receiver.received.map(({ body }) => body).join('')
  expect(bodies).not.toContain('s3cret')
  await admin.services.delete(made.id)
  await receiver.close()
})

// [legacy webhooks.failing handler]
it('continue with the next event when the handler of one keeps failing', async () => {
  const receiver = await startReceiver()
  receiver.answer = ({ json }) => (json.data.message?.text === 'poison' ? { status: 400 } : {})
  const params = { url: receiver.url, events: ['message.create.*.chat'] }
  const { id } = await admin.services.create({ name: 'Fails', type: 'webhook', params })
  await until(async () => (await admin.services.get(id)).status === 'active')
  const conversation = await world.converse()
  await say(conversation, 'poison')
  await say(conversation, 'next')
  await receiver.next(({ json }) => json.data.message.text === 'next')
  receiver.answer = () => ({})
  world.server.clock.advance(60_000)
  await receiver.next(({ json }) => json.data.message.text === 'poison')
  expect(receiver.received.filter(({ json }) => json.data.message.text === 'next')).toHaveLength(1)
  await admin.services.delete(id)
  await receiver.close()
})

// [legacy decided.patterns, webhooks.links]
it('are chosen by patterns with * at any place', async () => {
  const receiver = await startReceiver()
  const params = { url: receiver.url, events: ['*.update', 'message.create.*.chat'] }
  const { id } = await admin.services.create({ name: 'Patterns', type: 'webhook', params })
  await until(async () => (await admin.services.get(id)).status === 'active')
  const conversation = await world.converse()
  await admin.send(conversation, [
    { text: 'one', role: 'agent' },
    { type: 'command', text: '/leave' },
  ])
  const { json } = await receiver.next(({ json: { event } }) => event === 'message.create.contact.chat')
  expect(Object.keys(json.data.links).toSorted()).toEqual([
    'contact',
    'conversation',
    'message',
    'organization',
    'user',
  ])
  await receiver.next(({ json: { event } }) => event === 'conversation.update')
  const events = new Set(receiver.received.map(({ json: { event } }) => event))
  expect([...events].filter((event) => !/\.update$|^message\.create\.contact\.chat$/.test(event))).toEqual([])
  await admin.services.delete(id)
  await receiver.close()
})
