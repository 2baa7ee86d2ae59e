import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { aDate, anId, done } from './answers.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

/** The field tables of 2.7 to 2.11, field by field, through `/v2`. */

let test: TestServer
let center: MadeOrganization
let customer: MadeOrganization
let admin: MadeUser
let agent: MadeUser
let bot: MadeUser
let channel: string

beforeAll(async () => {
  test = await startTestServer({ PUBLIC_URL: 'https://chat.example' })
  center = await test.makeOrganization({ name: 'Center' })
  customer = await test.makeOrganization({ parent: center, name: 'Customer' })
  admin = await test.makeUser({ organization: center, role: 'admin' })
  agent = await test.makeUser({ organization: customer, displayName: 'Ann' })
  bot = await test.makeUser({ organization: customer, role: 'bot' })
  const categories = [
    { name: 'Boats', forms: [] },
    { name: 'Cars', forms: [] },
  ]
  await test.rest(admin, 'PATCH', `/v2/organizations/${customer.id}`, { categories })
  channel = (await post('/v2/channels', { name: 'Sales', organization: customer.id })).id
})
afterAll(() => test.close())

const post = (path: string, body: unknown, as = admin) => done(test.rest(as, 'POST', path, body), 201)
const patch = (path: string, body: unknown) => done(test.rest(admin, 'PATCH', path, body), 200)
const get = (path: string, as = admin) => done(test.rest(as, 'GET', path), 200)
const refusal = async (path: string, body: unknown, method = 'POST') => {
  const answer = await test.rest(admin, method, path, body)
  return [answer.status, answer.body.field ?? answer.body.code]
}

let contacts = 0
const newContact = () => ({ profile: { name: 'Bo', email: `bo-${++contacts}@example.com` } })
const create = (more: object = {}) =>
  post('/v2/conversations', { type: 'contact', touchpoint: 'web', contact: newContact(), ...more }, bot)

describe('a workflow', () => {
  const rule = {
    conditions: { all: [{ fact: 'message', path: '.text', operator: 'equal', value: 'hi' }] },
    event: { type: 'notify', params: {} },
  }

  // [2.7 _id, name, rules, conditions all, conditions root, event type, event params, params.name, params.delay
  // negative, priority, priority default, notify] [6 rule 1 only type] [4.5 POST workflows, POST workflows answers, POST
  // rules, POST rules answers, PATCH rule, PATCH rule answers]
  it('has the fields of 2.7, and rules with the params of notify', async () => {
    const _id = '01890000-0000-7000-8000-00000000aaaa'
    const params = { name: 'Buyers', channels: [channel], users: [agent.id], delay: 30, isLastRule: true }
    const event = { type: 'notify', params }
    const given = { _id, name: 'Routing', organizationTags: ['vip'], organizations: [customer.id] }
    const made = await post('/v2/workflows', { ...given, rules: [{ ...rule, event, priority: 3 }] })
    expect(made).toMatchObject({ ...given, id: _id, rules: [{ conditions: rule.conditions, event, priority: 3 }] })
    const one = `/v2/workflows/${_id}`
    expect(await get(one)).toEqual(made)
    const added = await post(`${one}/rules`, rule)
    expect(added).toMatchObject({ ...rule, priority: 1 })
    const changed = { type: 'notify', params: { delay: 5 } }
    expect(await patch(`${one}/rules/${added.id}`, { event: changed })).toEqual({ ...added, event: changed })
    for (const [wrong, field] of [
      [{ conditions: { some: [] } }, 'conditions.some'],
      [{ event: { type: 'notify' } }, 'event.params'],
      [{ event: { params: {} } }, 'event.type'],
      [{ event: { type: 'shout', params: {} } }, 'event.type'],
      [{ priority: 0 }, 'priority'],
      [{ event: { type: 'notify', params: { delay: -1 } } }, 'event.params.delay'],
      [{ event: { type: 'notify', params: { isLastRule: 'no' } } }, 'event.params.isLastRule'],
    ] as const) {
      expect(await refusal(`${one}/rules`, { ...rule, ...wrong })).toEqual([400, field])
    }
    await done(test.rest(admin, 'DELETE', one), 204)
  })

  // [4.5 mock organization, mock conversation, mock message, mock contact, mock context, POST workflow, POST workflow
  // answers, POST workflow without a match, POST rule, POST rule answers]
  it('answers mock facts of all kinds with the events that they trigger', async () => {
    const named = (name: string, fact: string, path: string, operator: string, value: unknown) => ({
      conditions: { all: [{ fact, path, operator, value }] },
      event: { type: 'notify', params: { name } },
    })
    const rules = [
      named('organization', 'organization', '.commands', 'contains', '> help'),
      named('status', 'conversation', '.contactStatus', 'equal', 'online'),
      named('category', 'conversation', '.category', 'equal', 'Boats'),
      named('channels', 'conversation', '.channels', 'contains', 'c'),
      named('meta', 'message', '.meta.url', 'match', 'boats'),
      named('text', 'message', '.text', 'match', 'buy'),
      named('touchpoint', 'message', '.touchpoint', 'equal', 'web'),
      named('city', 'contact', '.address.city', 'equal', 'Utrecht'),
      named('time', 'context', '.currentTime', 'between', [900, 1700]),
      named('day', 'context', '.dayOfWeek', 'in', ['Sat', 'Sun']),
    ]
    const {
      id,
      rules: [first],
    } = await post('/v2/workflows', { name: 'Mocked', rules })
    const facts = {
      organization: { commands: ['> help'] },
      conversation: { category: 'Boats', contactStatus: 'online', channels: ['c'] },
      message: { meta: { url: 'https://boats.example' }, text: 'I buy', touchpoint: 'web' },
      contact: { address: { city: 'Utrecht' } },
      context: { currentTime: 1200, dayOfWeek: 'Sun' },
    }
    const all = await done(test.rest(admin, 'POST', `/v2/workflows/${id}`, facts), 200)
    expect(all).toEqual(rules.map(({ event }) => event))
    const none = { context: { currentTime: 2300, dayOfWeek: 'Mon' } }
    expect(await done(test.rest(admin, 'POST', `/v2/workflows/${id}`, none), 200)).toEqual([])
    const single = `/v2/workflows/${id}/rules/${first.id}`
    expect(await done(test.rest(admin, 'POST', single, facts), 200)).toEqual([rules[0]!.event])
    expect(await done(test.rest(admin, 'POST', single, none), 200)).toEqual([])
    await done(test.rest(admin, 'DELETE', `/v2/workflows/${id}`), 204)
  })
})

describe('a conversation', () => {
  // [2.8 id, organization, orgPath, type, slug, url, status, contact, contact on create, participants user,
  // participants name, participants role, participants unreadCount, participants inbox, participants accepted,
  // participants active, participants follow, participants createdAt, participants updatedAt, messages, messages in
  // full, messages on create, channels, touchpoints web, touchpoint, categoryIndex, language, forms, results, meta,
  // createdBy, createdAt, updatedAt, name, name changed, channelsOffline, category, category unset] [1 Expansion] [4.7
  // POST conversations organization, POST conversations type, POST conversations contact, POST conversations
  // touchpoint, POST conversations messages, POST conversations answers]
  it('has every field of 2.8', async () => {
    const made = await create({
      organization: customer.id,
      messages: [{ role: 'contact', text: 'hi' }, { text: 'a hint' }],
      language: 'nl',
      meta: { intent: 'buy' },
    })
    expect(made).toMatchObject({
      id: anId,
      organization: customer.id,
      orgPath: `${center.id}#${customer.id}`,
      type: 'contact',
      name: expect.stringMatching(/^[A-Z]\w+ [A-Z]\w+$/),
      slug: expect.stringMatching(/^[\w-]{6,24}$/),
      url: `https://chat.example/c/${made.slug}`,
      status: 'queued',
      contact: anId,
      participants: [
        {
          user: bot.id,
          name: 'The bot',
          role: 'bot',
          unreadCount: 0,
          inbox: false,
          accepted: false,
          active: true,
          follow: false,
          createdAt: aDate,
          updatedAt: aDate,
        },
      ],
      messages: [anId, anId],
      channels: [],
      channelsOffline: [channel],
      touchpoints: expect.objectContaining({ web: { services: [], selected: true } }),
      touchpoint: 'web',
      category: null,
      language: 'nl',
      forms: [],
      results: [],
      meta: { intent: 'buy' },
      createdBy: bot.id,
      createdAt: aDate,
      updatedAt: aDate,
    })
    const one = `/v2/conversations/${made.id}`
    const command = (text: string) => post(`${one}/messages`, { type: 'command', text }, agent)
    await command('/set @category Cars')
    await command('/set @name Second Hand')
    expect(await get(one)).toMatchObject({ category: 'Cars', categoryIndex: 1, name: 'Second Hand' })
    const { messages, contact } = await get(`${one}?populate=messages,contact`)
    expect(messages.map(({ text }: { text: string }) => text)).toEqual([
      'hi',
      'a hint',
      '/set @category Cars',
      '/set @name Second Hand',
    ])
    expect(contact).toMatchObject({ id: made.contact, profile: { name: 'Bo' } })
    expect(await refusal('/v2/conversations', { type: 'party' })).toEqual([400, 'type'])
  })

  // [2.8 touchpoints email, touchpoints sms, touchpoints selected]
  it("has touchpoints that depend on the contact's identifiers", async () => {
    const profile = { name: 'Cy', email: 'cy@example.com', telephone: '+31612345678' }
    const { touchpoints } = await create({ contact: { profile }, touchpoint: 'email' })
    for (const key of ['email', 'sms']) {
      expect(touchpoints[key]).toEqual({ services: expect.any(Array), selected: key === 'email' })
    }
  })
})

describe('a message', () => {
  const items = [
    {
      title: 'A boat',
      description: 'Red',
      size: 'compact',
      mediaUrl: 'https://x.nl/a.png',
      mediaType: 'image/png',
      iconUrl: 'https://x.nl/i.png',
      actions: [{ type: 'reply', text: 'This', payload: 'this' }],
    },
  ]
  const actions = [
    { type: 'link', text: 'Open', uri: 'https://x.nl' },
    { type: 'reply', text: 'Yes', payload: 'yes', iconUrl: 'https://x.nl/i.png' },
    { type: 'postback', text: 'More', payload: 'more', iconUrl: 'https://x.nl/i.png', mediaType: 'image/png' },
    { type: 'webview', text: 'Show', uri: 'https://x.nl', fallback: 'https://x.nl/f', size: 'full', meta: { a: 1 } },
    { type: 'locationRequest', text: 'Where?', meta: { a: 1 } },
  ]

  // [2.9 id, organization, conversation, role default, role agent, isBackchannel, user, contentType, contentType
  // default, service, touchpoint, actions, items, meta, likes, createdAt, updatedAt, type default, text, comments user,
  // comments message, comments text, slug, url, path, level, version] [2.10 link, reply payload, reply iconUrl,
  // postback payload, postback iconUrl, postback mediaType, webview uri, webview fallback, webview size, webview meta,
  // locationRequest, card title, card backgroundColor, action type, action text, item title, item description, item
  // size, item mediaUrl, item mediaType, item iconUrl, item actions, items in a card] [4.7 POST messages of a
  // conversation, POST messages of a conversation answers, GET message of a conversation, GET message, POST messages,
  // create rule 4]
  it('has every field of 2.9, those of 2.10 in it', async () => {
    const { id: service } = await post('/v2/services', { organization: customer.id, name: 'S', type: 'web' })
    const { id: conversation } = await create()
    const path = `/v2/conversations/${conversation}/messages`
    const given = {
      type: 'card',
      role: 'agent',
      isBackchannel: true,
      user: agent.id,
      contentType: 'text/html',
      text: '<b>Hi</b>',
      service,
      touchpoint: 'web',
      actions,
      items,
      meta: { title: 'T', backgroundColor: '#ff0000' },
    }
    const made = await post(path, given, bot)
    expect(made).toMatchObject({
      ...given,
      id: anId,
      organization: customer.id,
      conversation,
      likes: [],
      comments: [],
      version: 1,
      slug: expect.stringMatching(/^[\w-]{22}$/),
      url: `https://chat.example/m/${made.slug}`,
      path: `${center.id}#${customer.id}`,
      level: 2,
      createdAt: aDate,
      updatedAt: aDate,
    })
    expect(await get(`${path}/${made.id}`, bot)).toEqual(made)
    expect(await get(`/v2/messages/${made.id}`, bot)).toEqual(made)
    const meta = { message: made.id }
    await post(path, { type: 'command', text: '/action like', meta }, agent)
    const { id: comment } = await post(path, { type: 'command', text: '/action comment nice', meta }, agent)
    expect(await get(`/v2/messages/${made.id}`, bot)).toMatchObject({
      likes: [agent.id],
      comments: [{ user: agent.id, message: comment, text: 'nice' }],
    })
    expect(await post('/v2/messages', { conversation, text: 'x' }, bot)).toMatchObject({
      conversation,
      type: 'chat',
      role: 'bot',
      contentType: 'text/plain',
      isBackchannel: false,
      user: bot.id,
    })
  })

  // [2.9 role agent, role of no kind, contentType, type card, type postback, type mention, type comment, type of no
  // kind]
  it('is of one of eight types, four roles and seven content types', async () => {
    const { id } = await create({ messages: [{ role: 'contact', text: 'hi' }] })
    const path = `/v2/conversations/${id}/messages`
    const send = (more: object) => test.rest(agent, 'POST', path, { text: 'https://x.nl/a.png', ...more })
    for (const type of ['chat', 'card']) expect((await send({ type })).body.type).toBe(type)
    const mention = await send({ type: 'comment', meta: { targetUser: agent.id } })
    expect(mention.body).toMatchObject({ type: 'mention', meta: { targetName: 'Ann' } })
    const click = { role: 'contact', type: 'postback', actions: [{ type: 'reply', text: 'Y', payload: 'y' }] }
    expect((await test.rest(bot, 'POST', path, { text: 'y', ...click })).body.type).toBe('postback')
    for (const contentType of [
      'text/plain',
      'text/html',
      'text/url',
      'image/png',
      'image/gif',
      'image/jpg',
      'image/jpeg',
    ]) {
      expect((await send({ contentType })).body.contentType).toBe(contentType)
    }
    for (const role of ['agent', 'bot']) expect((await send({ role })).body.role).toBe(role)
    for (const more of [{ type: 'shout' }, { role: 'king' }, { contentType: 'image/svg+xml' }]) {
      const { status, body } = await send(more)
      expect([status, body.field]).toEqual([400, Object.keys(more)[0]])
    }
    expect((await send({ role: 'system' })).status).toBe(403)
  })
})

describe('services, contacts and what is shared', () => {
  // [4.7 PATCH service, PATCH service answers] [2.11 service id, service organization, service name, service type,
  // service meta, service params] [2.12 meta underscore]
  it('replace the params of a service as a whole', async () => {
    const given = { name: 'Mail', type: 'email', params: { host: 'smtp.example', port: 25 }, meta: { a: 1 } }
    const made = await post('/v2/services', { ...given, organization: customer.id })
    expect(made).toMatchObject({ ...given, id: anId, organization: customer.id })
    const patched = await patch(`/v2/services/${made.id}`, { params: { host: 'mail.example' } })
    expect(patched).toMatchObject({ name: 'Mail', params: { host: 'mail.example' }, meta: { a: 1 } })
    expect(await refusal(`/v2/services/${made.id}`, { meta: { _x: 1 } }, 'PATCH')).toEqual([400, 'meta._x'])
  })

  // [2.11 contact name, contact telephone, contact email, contact givenName, contact familyName, contact
  // additionalName, contact honorificPrefix, contact honorificSuffix, contact gender, contact worksFor, contact
  // streetAddress, contact streetNumber, contact postalCode, contact addressLocality, contact addressRegion, contact
  // addressCountry, contact city, contact meta, contact status]
  it('keep every field of a contact', async () => {
    const profile = {
      name: 'Dr. Cy Lee',
      telephone: '+31612345679',
      email: 'cy.lee@example.com',
      givenName: 'Cy',
      familyName: 'Lee',
      additionalName: 'van',
      honorificPrefix: 'Dr.',
      honorificSuffix: 'MSc',
      gender: 'x',
      worksFor: 'Acme',
      address: {
        streetAddress: 'Oudegracht',
        streetNumber: '1',
        postalCode: '3511 AA',
        addressLocality: 'Utrecht',
        addressRegion: 'Utrecht',
        addressCountry: 'NL',
        city: 'Utrecht',
      },
    }
    const made = await post('/v2/contacts', { organization: customer.id, profile, meta: { crm: 1 } })
    expect(made).toMatchObject({ id: anId, organization: customer.id, profile, meta: { crm: 1 }, status: 'active' })
    expect(await get(`/v2/contacts/${made.id}`)).toEqual(made)
  })

  // [4.7 endpoints of forms, endpoints of articles] [2.11 tags of forms, tags of articles, tags of files, tags of
  // locations]
  it('keep the tags of forms, articles, files and locations, with all five endpoints', async () => {
    const inputs: Record<string, object> = {
      forms: { name: 'F' },
      articles: { title: 'A' },
      locations: { name: 'L' },
      files: { name: 'f', url: 'https://x.nl/f.pdf' },
    }
    for (const [resource, input] of Object.entries(inputs)) {
      const made = await post(`/v2/${resource}`, { ...input, tags: ['a'] })
      const one = `/v2/${resource}/${made.id}`
      expect([resource, made.tags]).toEqual([resource, ['a']])
      expect((await patch(one, { tags: ['b', 'c'] })).tags).toEqual(['b', 'c'])
      expect((await get(one)).tags).toEqual(['b', 'c'])
      expect((await get(`/v2/${resource}?tags=b`)).map(({ id }: { id: string }) => id)).toEqual([made.id])
      await done(test.rest(admin, 'DELETE', one), 204)
    }
  })

  // [2.12 meta of organizations, meta of users, meta of services, meta of forms, meta of contacts, meta of
  // conversations, meta of messages, meta underscore, service-inbound]
  it("carry metadata on all seven resources; keys with an underscore are the system's", async () => {
    const { id: conversation } = await create()
    const made: [string, object][] = [
      ['/v2/organizations', { name: 'O' }],
      ['/v2/users', { email: 'meta@example.com' }],
      ['/v2/services', { name: 'S', type: 'web' }],
      ['/v2/forms', { name: 'Meta' }],
      ['/v2/contacts', { profile: { name: 'Meta' } }],
      ['/v2/conversations', { contact: newContact(), touchpoint: 'web' }],
      [`/v2/conversations/${conversation}/messages`, { text: 'x' }],
    ]
    for (const [path, input] of made) {
      expect([path, (await post(path, { ...input, meta: { a: { b: 1 } } })).meta]).toEqual([path, { a: { b: 1 } }])
      const [status, field] = await refusal(path, { ...input, email: 'x@example.com', meta: { _a: 1 } })
      expect([path, status]).toEqual([path, 400])
      expect([path, field]).toEqual([path, expect.stringMatching(/^(meta\._a|email)$/)])
    }
  })

  // [2.12 _title, _url, _agent, _agentAvatar, service-inbound title, service-inbound url] [2.2 displayName] [2.8
  // participants avatar]
  it('have the page and the agent among the metadata of a conversation', async () => {
    const ben = await test.makeUser({ organization: customer, displayName: 'Ben' })
    await patch(`/v2/users/${ben.id}`, { avatar: 'https://example.com/ben.png' })
    const page = { title: 'Boats', url: 'https://boats.example' }
    const { id } = await create({ messages: [{ role: 'contact', text: 'hi', meta: page }] })
    const one = `/v2/conversations/${id}`
    expect((await get(one)).meta).toEqual({ _title: 'Boats', _url: 'https://boats.example' })
    const accept = (as: MadeUser) => post(`${one}/messages`, { type: 'command', text: '/accept' }, as)
    await accept(ben)
    const accepted = await get(one)
    expect(accepted.meta).toMatchObject({ _agent: 'Ben', _agentAvatar: 'https://example.com/ben.png' })
    expect(accepted.participants).toMatchObject([{ user: ben.id, name: 'Ben', avatar: 'https://example.com/ben.png' }])
    await accept(agent)
    expect((await get(one)).meta).toEqual({ _title: 'Boats', _url: 'https://boats.example', _agent: 'Ann' })
    const messages = await get(`${one}/messages`, bot)
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['contact', 'system', 'bot', 'bot'])
  })
})
