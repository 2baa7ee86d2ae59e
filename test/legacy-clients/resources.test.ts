import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startWorld, type Client, type World } from './world.js'

let world: World
let admin: Client
let bot: Client

beforeAll(async () => {
  world = await startWorld()
  admin = await world.client(world.admin)
  bot = await world.client(world.bot)
})
afterAll(() => world.close())

// [legacy lists.limit]
it('lists page by page, by the Link that a cut page has', async () => {
  const conversation = await world.converse()
  for (let sent = 0; sent < 3; sent++) {
    await admin.send(
      conversation,
      Array.from({ length: 50 }, (_, index) => ({ text: `${sent} ${index}` })),
    )
  }
  const page = await bot.messages.list({ conversation, limit: 500 })
  expect([page.length, page.headers.totalCount]).toEqual([100, '150'])
  const all = await bot.messages.list({ conversation, pagination: { backoff: 1, limit: 500 } })
  expect(new Set(all.map(({ id }: { id: string }) => id)).size).toBe(150)
  const seen: string[] = []
  const pagination = { iterate: true, limit: 40, countLimit: 90, backoff: 1 }
  for await (const { id } of bot.messages.list({ conversation, pagination }) as unknown as AsyncIterable<{
    id: string
  }>)
    seen.push(id)
  expect([seen.length, new Set(seen).size]).toEqual([90, 90])
})

// [legacy lists.populate, lists.article content]
it('searches articles by their content, as the documents of the client show it', async () => {
  const made = await admin.articles.create({ title: 'Boats', content: '<p>An article on boats</p>' })
  expect(made.content).toBe('<p>An article on boats</p>')
  const query = {
    sort: '-title',
    offset: 0,
    limit: 10,
    select: 'title,content',
    populate: 'organization',
    content: '~article',
    createdAt: '>2019-01-01',
  }
  expect([...(await bot.articles.list(query))]).toEqual([
    { id: made.id, title: 'Boats', content: '<p>An article on boats</p>' },
  ])
  const { select: _, ...whole } = query
  const [found] = await new Promise<{ organization: { name: string } }[]>((resolve, reject) => {
    bot.articles.list(whole, (error, articles) => (error ? reject(error as Error) : resolve(articles)))
  })
  expect(found!.organization.name).toBe('Boats')
  const record = await bot.articles.get(made.id)
  expect((await admin.articles.update(made.id, { ...record, content: '<p>New</p>' })).body).toBe('<p>New</p>')
  expect(
    (await admin.articles.update(made.id, { ...record, body: '<p>Newer</p>', content: '<p>New</p>' })).content,
  ).toBe('<p>Newer</p>')
})

// [legacy lists.populate]
it('populates the organization of every resource that has one', async () => {
  const conversation = await world.converse({ messages: [{ role: 'contact', text: 'Hello' }] })
  const made = {
    forms: await admin.forms.create({ name: 'Support Case', fields: [{ name: 'Case ID' }] }),
    services: await admin.services.create({ name: 'SMS', type: 'twilio', params: {} }),
    locations: await admin.locations.create({ name: 'Harbour' }),
    files: await admin.files.create({ name: 'Terms', url: 'https://example.com/terms.pdf' }),
    workflows: await admin.workflows.create({ name: 'Routing' }),
    orggroups: await admin.orggroups.create({ name: 'All', members: [world.organization.id] }),
    channels: { id: world.channel },
    users: { id: world.agent.id },
    conversations: { id: conversation },
    contacts: { id: (await admin.conversations.get(conversation)).contact },
    messages: { id: (await admin.conversations.get(conversation)).messages[0] },
  }
  for (const [resource, { id }] of Object.entries(made)) {
    const record = await admin[resource as keyof typeof made].get(id, { populate: 'organization' })
    expect([resource, record.organization.id]).toEqual([resource, world.organization.id])
  }
  await admin.organizations.update(world.organization.id, { meta: { crm: 'secret' } })
  const asBot = await bot.conversations.get(conversation, { populate: 'organization' })
  const agent = await world.client(world.agent)
  const asAgent = await agent.conversations.get(conversation, { populate: 'organization' })
  // Section 5: agents do not fetch organizations; what is for backend automations stays with those who do.
  expect([asBot.organization.meta, asAgent.organization.meta]).toEqual([{ crm: 'secret' }, undefined])
})

// [legacy lists.orgPath, sending.orgPath]
it('filters by orgPath what lies in and below an organization', async () => {
  const shop = await admin.organizations.create({ name: 'Shop' })
  const desk = await admin.organizations.create({ name: 'Desk', parent: shop.id })
  const make = async (organization: string) => ({
    articles: await admin.articles.create({ title: 'On sails', organization }),
    forms: await admin.forms.create({ name: 'Sails', organization }),
    channels: await admin.channels.create({ name: 'Sails', organization }),
    services: await admin.services.create({ name: 'Sails', type: 'twilio', params: {}, organization }),
    conversations: await admin.conversations.create({ name: 'Sails', messages: [{ text: 'start' }], organization }),
    contacts: await admin.contacts.create({ profile: { name: 'Sails' }, organization }),
  })
  const [above, below] = [await make(shop.id), await make(desk.id)]
  for (const resource of Object.keys(below) as (keyof typeof below)[]) {
    const ids = async (orgPath: string) =>
      (await admin[resource].list({ orgPath, limit: 50 })).map(({ id }: { id: string }) => id).toSorted()
    const both = [above[resource].id, below[resource].id].toSorted()
    expect([resource, await ids(`^${shop.path}`)]).toEqual([resource, both])
    expect(await ids(shop.path)).toEqual([above[resource].id])
    expect(await ids(`^${shop.path}#`)).toEqual([below[resource].id])
    expect(await ids(`~${desk.id}`)).toEqual([below[resource].id])
  }
  const organizations = await admin.organizations.list({ path: `^${shop.path}`, sort: 'name' })
  expect(organizations.map(({ name }: { name: string }) => name)).toEqual(['Desk', 'Shop'])
  const [message] = await admin.messages.list({ orgPath: `^${desk.path}` })
  expect(message.orgPath.split('#').at(-1)).toBe(desk.id)
})

// [legacy lists.form fields, differences.fetch a form]
it('creates forms with named fields, which a field message fills by key', async () => {
  const form = await admin.forms.create({ name: 'Car', fields: [{ name: 'brand' }, { name: 'Case ID' }] })
  expect(form.fields).toMatchObject([
    { name: 'brand', label: 'brand', key: 'brand' },
    { name: 'Case ID', label: 'Case ID', key: 'Case_ID' },
  ])
  const copy = await admin.organizations.create({ name: 'Copy' })
  const copied = await admin.forms.create({ ...form, organization: copy.id })
  expect(copied.fields.map(({ key }: { key: string }) => key)).toEqual(['brand', 'Case_ID'])
  await expect(bot.forms.get(form.id)).rejects.toMatchObject({ statusCode: 403 })
})

// [legacy lists.new organization]
it('shows the empty lists of a new organization', async () => {
  expect(await admin.organizations.create({ name: 'New' })).toMatchObject({ stopwords: [], categories: [] })
})

// [legacy lists.user name]
it('creates a user from a name and an email', async () => {
  const user = await admin.users.create({ name: 'John', email: 'johndoe@example.com' })
  expect(user).toMatchObject({ name: 'John', displayName: 'John', role: 'agent' })
  expect((await bot.users.get(bot.auth.user)).name).toBe('bot')
})

// [legacy lists.whole record]
it('accepts its own records back', async () => {
  const conversation = await admin.conversations.get(await world.converse())
  expect((await admin.conversations.update(conversation.id, conversation)).id).toBe(conversation.id)
  const contact = await admin.contacts.get(conversation.contact)
  expect((await admin.contacts.update(contact.id, contact)).profile).toEqual(contact.profile)
  const channel = await admin.channels.get(world.channel)
  expect((await admin.channels.update(channel.id, channel)).id).toBe(channel.id)
  const unverified = await admin.services.create({
    name: 'Away',
    type: 'webhook',
    params: { url: 'http://127.0.0.1:9/' },
  })
  const shown = await admin.services.get(unverified.id)
  expect((await admin.services.update(unverified.id, shown)).status).toBe('unverified')
})

// [legacy conversations.contact conversation, conversations.profile]
it('leads from a contact to its conversation, and keeps what else its profile says', async () => {
  const profile = {
    telephone: '+31612345678',
    givenName: 'Barack',
    familyName: 'Obama',
    locale: 'en',
    address: { 'Zip Code': '1234', City: '' },
  }
  const made = await bot.conversations.create({
    organization: world.organization.id,
    type: 'contact',
    contact: { profile },
  })
  const [contact] = await bot.contacts.list({
    'profile.telephone': '+31612345678',
    organization: world.organization.id,
  })
  expect(contact).toMatchObject({ conversation: made.id, profile: { ...profile, name: 'Barack Obama' } })
  expect((await bot.contacts.get(contact.id, { populate: 'conversation' })).conversation.id).toBe(made.id)
  expect((await bot.contacts.list({ conversation: made.id })).map(({ id }: { id: string }) => id)).toEqual([contact.id])
  expect(await bot.contacts.list({ conversation: contact.id })).toHaveLength(0)
  expect((await bot.contacts.list({ conversation: `!${made.id}` })).map(({ id }: { id: string }) => id)).not.toContain(
    contact.id,
  )
  const again = await bot.conversation(contact.conversation)
  expect(again.id).toBe(made.id)
})

// [legacy lists.errors, differences.replace, decided.absent resources]
it('refuses with a message that the client finds', async () => {
  await expect(bot.conversations.get('5cd8c48dabd2dc52deb1cfb2')).rejects.toMatchObject({
    statusCode: 404,
    message: expect.stringMatching(/^Conversation "5cd8c48dabd2dc52deb1cfb2" not found/),
  })
  const conversation = await world.converse({ messages: [{ role: 'contact', text: 'Hello' }] })
  const [message] = (await bot.conversations.get(conversation)).messages
  await expect(bot.messages.replace(message, { text: 'x' })).rejects.toMatchObject({ statusCode: 405 })
  await expect(bot.bots.get(bot.auth.user)).rejects.toMatchObject({ statusCode: 404 })
})

// [legacy lists.errors] [4.7 lists filter] [1 Format, Format of answers, Format of a body, Datetimes without an offset,
// Identifiers]
it('filters by dotted names, operators, and times that are UTC without an offset', async () => {
  for (const number of [10, 11, 12]) {
    const profile = { name: `Filter ${number}`, address: { city: number < 12 ? 'Delft' : 'Breda' } }
    expect((await bot.contacts.create({ profile, meta: { order: { number } } })).id).toEqual(expect.any(String))
  }
  const find = async (query: object): Promise<string[]> =>
    (await bot.contacts.list({ sort: 'name', name: '^Filter', ...query })).map(
      ({ profile }: { profile: { name: string } }) => profile.name,
    )
  expect(await find({ profile: { address: { city: 'Delft' } } })).toEqual(['Filter 10', 'Filter 11'])
  expect(await find({ meta: { order: { number: '>11' } } })).toEqual(['Filter 12'])
  expect(await find({ name: ['Filter 10', 'Filter 12'] })).toEqual(['Filter 10', 'Filter 12'])
  expect(await find({ name: '$11' })).toEqual(['Filter 11'])
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)
  expect(await find({ createdAt: `>${at(1)}` })).toEqual([])
  expect(await find({ createdAt: `>${at(-1)}` })).toHaveLength(3)
  await expect(bot.contacts.list({ shoe: 1 })).rejects.toMatchObject({ statusCode: 400 })
  const plain = { 'content-type': 'text/plain' }
  expect((await world.server.rest(world.bot, 'POST', '/v2/contacts', 'text', plain)).status).toBe(415)
})

// [legacy lists.errors]
// [8 Request rate answers] [7 429]
it('repeats reads that are refused for their rate', async () => {
  const limited = await startWorld({ RATE_LIMIT_PER_SECOND: '20' })
  try {
    const client = await limited.client(limited.bot)
    const answers = await Promise.all(Array.from({ length: 45 }, () => client.users.get('me')))
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([limited.bot.id]))
  } finally {
    await limited.close()
  }
})
