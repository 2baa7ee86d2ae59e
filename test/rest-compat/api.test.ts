import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type RestAnswer, type TestServer } from '../support/test-server.js'

let test: TestServer
let mcc: MadeOrganization
let customer: MadeOrganization
let admin: MadeUser
let agent: MadeUser
let bot: MadeUser
let outsider: MadeUser

beforeAll(async () => {
  test = await startTestServer({ PUBLIC_URL: 'https://chat.example' })
  mcc = await test.makeOrganization({ name: 'The center' })
  customer = await test.makeOrganization({ parent: mcc, name: 'A customer' })
  admin = await test.makeUser({ organization: mcc, role: 'admin', password: 'the admin of the center' })
  agent = await test.makeUser({ organization: customer, role: 'agent', displayName: 'Ann' })
  bot = await test.makeUser({ organization: customer, role: 'bot' })
  outsider = await test.makeUser({ organization: await test.makeOrganization(), role: 'admin' })
})
afterAll(() => test.close())

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7/
const anId = expect.stringMatching(ID)
const aDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

async function done(answer: Promise<RestAnswer>, status: number): Promise<RestAnswer> {
  const given = await answer
  expect({ status: given.status, body: given.body }).toEqual({ status, body: given.body })
  return given
}

const bodyOf = async (answer: Promise<RestAnswer>, status: number): Promise<RestAnswer['body']> =>
  (await done(answer, status)).body

const get = (path: string, as: MadeUser | string | null = admin): Promise<RestAnswer> => test.rest(as, 'GET', path)
const post = (path: string, body: unknown, as: MadeUser | string | null = admin, headers = {}): Promise<RestAnswer> =>
  test.rest(as, 'POST', path, body, headers)
const patch = (path: string, body: unknown, as: MadeUser | string | null = admin): Promise<RestAnswer> =>
  test.rest(as, 'PATCH', path, body)
const remove = (path: string, as: MadeUser | string | null = admin): Promise<RestAnswer> =>
  test.rest(as, 'DELETE', path)

describe('4.1 /v2/auth/token', () => {
  const credentials = (): object => ({ email: admin.email, password: 'the admin of the center' })

  // [7 201] [5 rule 1 exceptions] [4.1 POST token, POST token response, POST token answers]
  it('signs in with 201, with any Authorization header', async () => {
    const { body } = await done(post('/v2/auth/token', credentials(), 'stale'), 201)
    expect(body).toEqual({
      tokenType: 'Bearer',
      token: expect.any(String),
      refreshToken: expect.any(String),
      user: admin.id,
      organization: mcc.id,
      expiresAt: aDate,
      scope: 'guest agent bot admin',
    })
    await done(get('/v2/users/me', body.token), 200)
  })

  // [4.1 new pair, GET token, GET token with a header, GET token answers, POST token refresh response]
  it('refreshes by GET with 200 and by POST with 201, each token once', async () => {
    const first = (await post('/v2/auth/token', credentials(), null)).body
    const second = await bodyOf(get(`/v2/auth/token?refreshToken=${first.refreshToken}`, first.token), 200)
    const clientId = admin.email
    const third = await done(post('/v2/auth/token', { refreshToken: second.refreshToken, clientId }, null), 201)
    expect(third.body.user).toBe(admin.id)
    await done(post('/v2/auth/token', { refreshToken: third.body.refreshToken, clientId }, null), 201)
    await done(post('/v2/auth/token', { refreshToken: second.refreshToken, clientId }, null), 401)
  })

  it('refuses invalid or missing credentials', async () => {
    const wrong = { ...credentials(), password: 'no' }
    expect((await bodyOf(post('/v2/auth/token', wrong, null), 401)).code).toBe('UNAUTHENTICATED')
    expect((await bodyOf(post('/v2/auth/token', {}, null), 400)).field).toBe('email')
    expect((await bodyOf(post('/v2/auth/token', { refreshToken: 'x' }, null), 400)).field).toBe('clientId')
    expect((await bodyOf(get('/v2/auth/token', admin), 400)).field).toBe('refreshToken')
    await done(get('/v2/auth/token?refreshToken=x', null), 401)
  })
})

describe('4.2 /v2/users', () => {
  // [4.2 GET users, POST users Location] [7 200, 201, 204, 404]
  it('creates with a Location, fetches, changes, lists and deletes', async () => {
    const input = {
      email: 'kim@example.com',
      givenName: 'Kim',
      organization: customer.id,
      role: 'agent',
      settings: { locale: 'nl' },
      meta: { a: 1 },
    }
    const created = await done(post('/v2/users', input), 201)
    const { id } = created.body
    expect(created.headers.get('location')).toBe(`/users/${id}`)
    expect(created.body).toMatchObject({
      ...input,
      id: anId,
      displayName: 'Kim',
      status: 'queued',
      settings: { locale: 'nl', audioOnChat: true },
      organizations: [
        {
          organization: customer.id,
          orgPath: `${mcc.id}#${customer.id}`,
          selected: true,
          role: 'agent',
          level: 2,
        },
      ],
      createdAt: aDate,
      updatedAt: aDate,
    })
    const names = Object.keys(created.body)
    expect(names.filter((name) => ['password', 'familyName', 'apiToken', 'lastLogin'].includes(name))).toEqual([])
    expect(await bodyOf(get(`/v2/users/${id}`), 200)).toEqual(created.body)
    const renamed = await bodyOf(patch(`/v2/users/${id}`, { familyName: 'Lee', meta: null }), 200)
    expect(renamed.displayName).toBe('Kim Lee')
    const { body: listed } = await done(get(`/v2/users?email=kim@example.com&select=email`), 200)
    expect(listed).toEqual([{ id, email: 'kim@example.com' }])
    await done(remove(`/v2/users/${id}`), 204)
    await done(get(`/v2/users/${id}`), 404)
  })

  it('accepts `me` for the authenticated user, and names its organizations', async () => {
    const { body } = await done(get('/v2/users/me', agent), 200)
    expect(body).toMatchObject({ id: agent.id, organization: customer.id })
    expect(body.organizations[0].organization).toEqual({
      id: customer.id,
      name: 'A customer',
      displayName: 'A customer',
    })
    expect((await bodyOf(patch('/v2/users/me', { phone: '+31201234567' }, agent), 200)).phone).toBe('+31201234567')
    await done(get(`/v2/users/${admin.id}`, agent), 403)
  })

  it('accepts its own response back', async () => {
    const { body } = await get(`/v2/users/${agent.id}`)
    expect(await bodyOf(patch(`/v2/users/${agent.id}`, body), 200)).toEqual({ ...body, updatedAt: aDate })
  })

  it('shows the API token of a bot once', async () => {
    const { body } = await done(post('/v2/users', { email: 'bot@example.com', role: 'bot' }), 201)
    expect(body.apiToken).toEqual(expect.any(String))
    expect((await get(`/v2/users/${body.id}`)).body.apiToken).toBeUndefined()
    await done(get('/v2/users/me', body.apiToken), 200)
  })
})

describe('4.3 /v2/organizations and /v2/orggroups', () => {
  it('creates a sub-organization and returns the specified fields', async () => {
    const { body } = await done(post('/v2/organizations', { name: 'Shop' }), 201)
    expect(body).toEqual({
      id: anId,
      name: 'Shop',
      parent: mcc.id,
      path: `${mcc.id}#${body.id}`,
      level: 2,
      status: 'active',
      categories: [],
      stopwords: [],
      createdAt: aDate,
      updatedAt: aDate,
    })
    const changes = {
      tags: ['a'],
      country: 'NL',
      categories: [{ name: 'Sales', forms: [] }],
      profileFields: { email: { label: 'Mail', enabled: true } },
    }
    expect(await bodyOf(patch(`/v2/organizations/${body.id}`, changes), 200)).toMatchObject(changes)
    const { parent } = await bodyOf(get(`/v2/organizations/${body.id}?populate=parent`), 200)
    expect(parent).toMatchObject({ id: mcc.id, name: 'The center' })
    const customers = await bodyOf(get('/v2/organizations?level=2&sort=-name'), 200)
    expect(customers.map(({ name }: { name: string }) => name)).toEqual(['Shop', 'A customer'])
    expect((await bodyOf(patch(`/v2/organizations/${body.id}`, { parent: customer.id }), 400)).field).toBe('parent')
    await done(remove(`/v2/organizations/${body.id}`), 204)
  })

  // [4.3 GET workflows of an organization, GET workflows of an organization query, GET workflows of an organization
  // own, GET workflows of an organization parent, GET workflows of an organization above]
  it('lists the workflows that run for an organization, for any query', async () => {
    const leaf = await test.makeOrganization({ parent: customer, name: 'A leaf' })
    const sister = await test.makeOrganization({ parent: customer, name: 'Its sister' })
    const made: string[] = []
    for (const organization of [leaf.id, customer.id, mcc.id, sister.id]) {
      made.push((await bodyOf(post('/v2/workflows', { organization, name: organization, rules: [] }), 201)).id)
    }
    const [own, parents, above] = made
    const running = async (of: string, query = '') =>
      (await bodyOf(get(`/v2/organizations/${of}/workflows${query}`), 200)).map(({ id }: { id: string }) => id)
    expect(await running(leaf.id)).toEqual([own, parents, above])
    expect(await running(leaf.id, '?limit=1&offset=1&nothing=1&sort=x&name=y')).toEqual([own, parents, above])
    expect(await running(customer.id)).toEqual([parents, above])
    for (const id of made) await done(remove(`/v2/workflows/${id}`), 204)
  })

  it('supports groups', async () => {
    const { body } = await done(post('/v2/orggroups', { name: 'G', members: [customer.id] }), 201)
    expect(body).toEqual({
      id: anId,
      organization: mcc.id,
      orgPath: mcc.id,
      name: 'G',
      members: [customer.id],
      createdAt: aDate,
      updatedAt: aDate,
    })
    const one = `/v2/orggroups/${body.id}`
    const { members } = await bodyOf(get(`${one}?populate=members`), 200)
    expect(members).toMatchObject([{ id: customer.id, name: 'A customer' }])
    expect((await bodyOf(patch(one, { members: [] }), 200)).members).toEqual([])
    expect(await bodyOf(get(`/v2/orggroups?name=G`), 200)).toHaveLength(1)
    await done(remove(one), 204)
    await done(get(one), 404)
  })
})

describe('4.4 /v2/channels', () => {
  it('supports channels and their members', async () => {
    const { body } = await done(post('/v2/channels', { name: 'Sales', organization: customer.id }), 201)
    expect(body).toEqual({
      id: anId,
      organization: customer.id,
      name: 'Sales',
      status: 'active',
      members: [],
      createdAt: aDate,
      updatedAt: aDate,
    })
    const one = `/v2/channels/${body.id}`
    expect((await bodyOf(post(`${one}/members`, { user: agent.id }), 201)).members).toEqual([{ user: agent.id }])
    expect(await bodyOf(get(`${one}/members?limit=100`), 200)).toEqual([{ user: agent.id }])
    expect((await bodyOf(get(`${one}/members/${agent.id}?populate=user`), 200)).user).toMatchObject({
      id: agent.id,
      displayName: 'Ann',
    })
    await done(get(`${one}/members/${admin.id}`), 404)
    const found = await bodyOf(get(`/v2/channels?members.user=${agent.id}&populate=members.user`), 200)
    expect(found[0].members[0].user.displayName).toBe('Ann')
    expect((await bodyOf(patch(`${one}/members`, [{ user: bot.id }]), 200)).members).toEqual([{ user: bot.id }])
    await done(remove(`${one}/members/${bot.id}`), 204)
    expect(await bodyOf(patch(one, { name: 'Support' }), 200)).toMatchObject({ name: 'Support', members: [] })
    await done(remove(one, agent), 403)
    await done(remove(one, outsider), 404)
    await done(remove(one), 204)
  })

  // [4.4 POST channels members]
  it('gives the part of the members that is asked for, and all of them otherwise', async () => {
    const people = [agent.id, admin.id, bot.id].map((user) => ({ user }))
    const { body } = await done(post('/v2/channels', { name: 'Sales', members: people }), 201)
    const members = `/v2/channels/${body.id}/members`
    const all = await done(get(members), 200)
    expect([all.body.length, all.headers.get('x-total-count'), all.headers.get('link')]).toEqual([3, '3', null])
    const first = await done(get(`${members}?limit=2`), 200)
    expect(first.body).toEqual(all.body.slice(0, 2))
    const next = /^<[^>]+(\/v2\/channels[^>]+)>; rel="next"$/.exec(first.headers.get('link')!)![1]!
    const rest = await done(get(next), 200)
    expect([rest.body, rest.headers.get('link')]).toEqual([all.body.slice(2), null])
    const whole = await done(get(`${members}?limit=1000`), 200)
    expect([whole.body, whole.headers.get('applied-limit')]).toEqual([all.body, '100'])
    for (const refused of ['limit=0', 'limit=abc', 'offset=-1', 'sort=user', 'after=1.x'])
      await done(get(`${members}?${refused}`), 400)
  })
})

describe('4.5 /v2/workflows', () => {
  const rule = {
    conditions: { all: [{ fact: 'message', path: '.text', operator: 'equal', value: 'hi' }] },
    event: { type: 'notify', params: { name: 'R', delay: 5 } },
  }

  it('supports workflows with the _id of their creation, and their rules', async () => {
    const id = '01890000-0000-7000-8000-0000000000bb'
    const { body } = await done(post('/v2/workflows', { _id: id, name: 'W', rules: [{ ...rule, priority: 2 }] }), 201)
    expect(body).toMatchObject({
      id,
      _id: id,
      name: 'W',
      organization: mcc.id,
      rules: [{ ...rule, id: anId, priority: 2 }],
    })
    const one = `/v2/workflows/${id}`
    const { body: added } = await done(post(`${one}/rules`, rule), 201)
    expect(added).toEqual({ ...rule, id: anId, _id: added.id, priority: 1 })
    const event = { type: 'notify', params: { name: 'S' } }
    expect(await bodyOf(patch(`${one}/rules/${added.id}`, { ...added, event }), 200)).toEqual({ ...added, event })
    expect(await bodyOf(get(`${one}/rules`), 200)).toHaveLength(2)
    expect((await bodyOf(get(`${one}/rules/${added.id}`), 200)).event).toEqual(event)
    const facts = { message: { text: 'hi' }, context: { currentTime: 1200 } }
    expect(await bodyOf(post(one, facts), 200)).toEqual([event, rule.event])
    expect(await bodyOf(post(`${one}/rules/${added.id}`, facts), 200)).toEqual([event])
    expect(await bodyOf(post(one, { message: { text: 'no' } }), 200)).toEqual([])
    await done(remove(`${one}/rules/${added.id}`), 204)
    await done(get(`${one}/rules/${added.id}`), 404)
    const whole = (await get(one)).body
    expect(await bodyOf(patch(one, { ...whole, name: 'X' }), 200)).toEqual({
      ...whole,
      name: 'X',
      updatedAt: aDate,
    })
    expect((await get('/v2/workflows?name=X')).headers.get('x-total-count')).toBe('1')
    await done(remove(one), 204)
  })

  // [2.7 _id]
  it('takes a workflow of an old export with its _id and those of its rules, and finds both by them', async () => {
    const exported = {
      _id: '507f1f77bcf86cd799439011',
      name: 'Old',
      rules: [{ _id: '507f191e810c19729de860ea', ...rule }],
    }
    const { body } = await done(post('/v2/workflows', exported), 201)
    expect(body).toMatchObject({ id: anId, _id: exported._id, rules: [{ id: exported.rules[0]!._id }] })
    const one = `/v2/workflows/${exported._id}`
    expect(await bodyOf(get(one), 200)).toEqual(body)
    expect(await bodyOf(get(`/v2/workflows/${body.id}`), 200)).toEqual(body)
    expect(await bodyOf(get(`/v2/workflows?externalId=${exported._id}`), 200)).toEqual([body])
    expect(await bodyOf(post(one, { message: { text: 'hi' } }), 200)).toEqual([rule.event])
    const oneRule = `${one}/rules/${exported.rules[0]!._id}`
    expect(await bodyOf(post(oneRule, { message: { text: 'hi' } }), 200)).toEqual([rule.event])
    expect(await bodyOf(patch(oneRule, { priority: 4 }), 200)).toMatchObject({
      id: exported.rules[0]!._id,
      priority: 4,
    })
    const again = await done(post('/v2/workflows', exported), 422)
    expect(again.body).toMatchObject({ field: '_id' })
    expect(await bodyOf(patch(one, { ...body, name: 'New' }), 200)).toMatchObject({ id: body.id, _id: exported._id })
    await done(remove(oneRule), 204)
    await done(remove(one), 204)
    await done(get(one), 404)
  })

  it('names the offending field of a rule', async () => {
    const early = { ...rule, event: { type: 'notify', params: { delay: -1 } } }
    const { body } = await done(post('/v2/workflows', { rules: [early] }), 400)
    expect(body.field).toBe('rules[0].event.params.delay')
  })
})

describe('4.7 /v2/conversations and /v2/messages', () => {
  let conversation: string
  const messages = (): string => `/v2/conversations/${conversation}/messages`

  // [3.1 new with messages joins] [4.7 POST conversations organization, POST conversations type, POST conversations
  // contact, POST conversations touchpoint, POST conversations messages, POST conversations answers, create rule 4,
  // create rule 4 joins, create rule 4 activates]
  it('creates with messages in order, and shows the fields of 2.8', async () => {
    const input = {
      organization: customer.id,
      type: 'contact',
      touchpoint: 'email',
      contact: { profile: { name: 'Bo', email: 'bo@example.com' } },
      messages: [
        { text: 'Hello', role: 'contact' },
        { text: 'Hi', role: 'agent', user: agent.id },
      ],
      meta: { intent: 'order' },
    }
    const { body } = await done(post('/v2/conversations', input), 201)
    conversation = body.id
    expect(body).toEqual({
      id: anId,
      organization: customer.id,
      orgPath: `${mcc.id}#${customer.id}`,
      type: 'contact',
      name: expect.any(String),
      slug: expect.any(String),
      url: expect.stringMatching(/^https:\/\/chat\.example\//),
      status: 'active',
      mark: expect.stringMatching(/^2\.\d+\.[0-9a-f]{6}$/),
      contact: anId,
      participants: [
        expect.objectContaining({
          user: agent.id,
          role: 'agent',
          active: true,
          accepted: true,
          inbox: false,
          follow: expect.any(Boolean),
          unreadCount: expect.any(Number),
        }),
      ],
      messages: [anId, anId],
      channels: [],
      channelsOffline: [],
      touchpoints: expect.any(Object),
      touchpoint: 'email',
      category: null,
      closedAt: null,
      snoozedUntil: null,
      forms: [],
      labels: [],
      results: [],
      meta: { intent: 'order', _agent: 'Ann' },
      createdBy: admin.id,
      createdAt: aDate,
      updatedAt: aDate,
    })
  })

  // [4.7 create rule 1 known] [7 422, existing contact]
  it('answers 422 for a contact that exists, and names it', async () => {
    const { contact } = (await get(`/v2/conversations/${conversation}`)).body
    const again = {
      organization: customer.id,
      contact: { profile: { name: 'Bo', email: 'bo@example.com' } },
      touchpoint: 'email',
    }
    const { body } = await done(post('/v2/conversations', again), 422)
    expect(body).toMatchObject({ code: 'UNPROCESSABLE', contact, conversation, error: { message: body.message } })
  })

  it('populates', async () => {
    const paths = 'messages, messages.user, contact, participants.user, organization, createdBy'
    const { body } = await done(get(`/v2/conversations/${conversation}?populate=${encodeURIComponent(paths)}`), 200)
    expect(body.messages.map(({ text }: { text: string }) => text)).toEqual(['Hello', 'Hi'])
    expect(body.messages[1]).toMatchObject({
      user: { id: agent.id, displayName: 'Ann' },
      conversation,
      type: 'chat',
      contentType: 'text/plain',
    })
    expect(body.contact).toMatchObject({ profile: { name: 'Bo', email: 'bo@example.com' }, status: 'active' })
    expect(body).toMatchObject({
      organization: { name: 'A customer' },
      participants: [{ user: { displayName: 'Ann' } }],
      createdBy: { id: admin.id },
    })
  })

  it('lists with filters on columns, participants and metadata', async () => {
    const found = async (query: string): Promise<string | null> =>
      (await done(get(`/v2/conversations?${query}`), 200)).headers.get('x-total-count')
    expect(await found(`participants.user=${agent.id}&participants.accepted=true`)).toBe('1')
    expect(await found(`participants.user=${agent.id}&participants.accepted=false`)).toBe('0')
    expect(await found('meta.intent=order&status=[active,queued]')).toBe('1')
    expect(await found('meta.intent=!order')).toBe('0')
    expect(await found(`contact=!${agent.id}&createdAt=<2020-01-01`)).toBe('0')
    expect(await found('category=')).toBe('1')
    expect((await bodyOf(get('/v2/conversations?participants.colour=red'), 400)).field).toBe('participants.colour')
  })

  it('changes permitted fields, and refuses the others by name', async () => {
    const one = `/v2/conversations/${conversation}`
    const changes = { language: 'nl', meta: { intent: 'return' } }
    expect(await bodyOf(patch(one, changes), 200)).toMatchObject(changes)
    const whole = (await get(one)).body
    expect(await bodyOf(patch(one, { ...whole, language: 'de' }), 200)).toMatchObject({
      status: 'active',
      language: 'de',
    })
    expect((await bodyOf(patch(one, { status: 'closed' }), 400)).field).toBe('status')
  })

  it('sends one message, a command, or a list in order', async () => {
    const { body } = await done(post(messages(), { text: 'One', user: agent.id, role: 'agent' }), 201)
    expect(body).toMatchObject({
      id: anId,
      organization: customer.id,
      conversation,
      type: 'chat',
      role: 'agent',
      user: agent.id,
      contentType: 'text/plain',
      text: 'One',
      likes: [],
      comments: [],
    })
    expect((await bodyOf(post(messages(), { type: 'command', text: '/set @language fr' }), 201)).type).toBe('command')
    const list = await done(post(messages(), [{ text: 'Two' }, { text: 'Three', contentType: 'text/html' }]), 201)
    expect(list.body.map(({ text }: { text: string }) => text)).toEqual(['Two', 'Three'])
    expect((await get(`/v2/conversations/${conversation}`)).body.language).toBe('fr')
    const four = await bodyOf(post('/v2/messages', { conversation, text: 'Four' }, bot), 201)
    expect(four).toMatchObject({ conversation, role: 'bot', user: bot.id })
    const early = [{ text: 'x' }, { text: 'y', delay: -1 }]
    expect((await bodyOf(post(messages(), early), 400)).field).toBe('messages[1].delay')
    expect((await bodyOf(post('/v2/messages', { text: 'x' }), 400)).field).toBe('conversation')
  })

  it('does not find the conversation of another tenant, nor an unknown one', async () => {
    for (const path of [messages(), '/v2/conversations/none/messages']) {
      const { body } = await done(post(path, { text: 'x' }, outsider), 404)
      expect(body).toMatchObject({ message: 'Conversation not found', error: { message: 'Conversation not found' } })
      expect((await bodyOf(get(path, outsider), 404)).message).toMatch(/^Conversation (?:"none" )?not found/)
    }
    await done(post('/v2/messages', { conversation, text: 'x' }, outsider), 404)
    await done(get(`/v2/conversations/${conversation}`, outsider), 404)
  })

  it('returns the messages of a conversation in order, page by page, and each by both paths', async () => {
    const { body, headers } = await done(get(`${messages()}?limit=2&select=text`), 200)
    expect(body.map(({ text }: { text: string }) => text)).toEqual(['Hello', 'Hi'])
    const next = `<https://chat.example${messages()}?limit=2&select=text&offset=2&after=2.`
    expect(headers.get('link')!.startsWith(next)).toBe(true)
    const { id } = body[0]
    const message = await bodyOf(get(`/v2/messages/${id}`), 200)
    expect(await bodyOf(get(`${messages()}/${id}`), 200)).toEqual(message)
    const query = `conversation=${conversation}&text=^Hel&role=contact`
    expect(await bodyOf(get(`/v2/messages?${query}`), 200)).toEqual([message])
    await done(get(`/v2/conversations/${customer.id}/messages/${id}`), 404)
    expect((await bodyOf(patch(`/v2/messages/${id}`, { meta: { seen: true } }), 200)).meta).toEqual({ seen: true })
    expect((await bodyOf(patch(`${messages()}/${id}`, { ...message, meta: {} }), 200)).meta).toEqual({})
    const elsewhere = `/v2/conversations/${customer.id}/messages/${id}`
    await done(patch(elsewhere, { meta: {} }), 404)
    await done(remove(elsewhere), 404)
    await done(remove(`/v2/messages/${id}`), 204)
    await done(get(`/v2/messages/${id}`), 404)
    await done(remove(`${messages()}/${body[1].id}`), 204)
    await done(get(messages(), agent), 403)
  })

  it('sends once for each Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'once' }
    const first = await done(post(messages(), { text: 'Once' }, bot, key), 201)
    expect(await bodyOf(post(messages(), { text: 'Once' }, bot, key), 201)).toEqual(first.body)
    await done(post(messages(), { text: 'Twice' }, bot, key), 422)
  })

  it('deletes', async () => {
    await done(remove(`/v2/conversations/${conversation}`), 204)
    expect((await bodyOf(get(`/v2/conversations/${conversation}`), 404)).message).toBe('Conversation not found')
  })
})

describe('/v2/contacts and /v2/services', () => {
  it('supports contacts', async () => {
    const profile = { name: 'Cy', telephone: '+31612345678', address: { city: 'Delft' } }
    const { body } = await done(post('/v2/contacts', { profile, organization: customer.id }), 201)
    expect(body).toEqual({
      id: anId,
      organization: customer.id,
      orgPath: `${mcc.id}#${customer.id}`,
      profile,
      status: 'active',
      createdAt: aDate,
      updatedAt: aDate,
    })
    const one = `/v2/contacts/${body.id}`
    const query = `profile.telephone=${encodeURIComponent('+31612345678')}&profile.address.city=~delf`
    expect(await bodyOf(get(`/v2/contacts?${query}`, bot), 200)).toEqual([body])
    expect((await bodyOf(patch(one, { profile: { name: 'Cyd' } }), 200)).profile).toEqual({ name: 'Cyd' })
    await done(remove(one), 204)
    await done(get(one), 404)
  })

  it('replaces the params of a service as a whole', async () => {
    const input = { name: 'Mail', type: 'crm', params: { host: 'a', port: 25 } }
    const { body } = await done(post('/v2/services', input), 201)
    expect(body).toEqual({
      id: anId,
      organization: mcc.id,
      ...input,
      status: 'active',
      createdAt: aDate,
      updatedAt: aDate,
    })
    const one = `/v2/services/${body.id}`
    expect((await bodyOf(patch(one, { params: { host: 'b' } }), 200)).params).toEqual({ host: 'b' })
    expect(await bodyOf(get('/v2/services?type=crm'), 200)).toHaveLength(1)
    await done(remove(one), 204)
    await done(get(one), 404)
  })
})
