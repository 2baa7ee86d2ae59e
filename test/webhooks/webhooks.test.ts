import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { createHooks, type Hooks } from './hooks.js'
import type { Received } from './receiver.js'
import { until } from '../support/until.js'

let app: TestServer
let hooks: Hooks

beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  hooks = createHooks(app)
})
afterAll(async () => {
  await app.close()
  await hooks.close()
})

const texts = (received: readonly Received[]) => received.map(({ json }) => json.data.message?.text)
const update = (admin: MadeUser, id: string, patch: object) => app.rest(admin, 'PATCH', `/v2/services/${id}`, patch)
const mutate = (as: MadeUser, text: string, variables: object = {}) =>
  app.gql(as, `mutation { ${text} }`, { ...variables })

describe('the registration of a webhook', () => {
  it('sends a challenge to the address, and is unverified until the response', async () => {
    const { admin } = await hooks.center()
    const { id, receiver } = await hooks.register(admin, {}, (prepared) => {
      prepared.answerHandshake = () => ({ body: 'something else' })
    })
    await until(async () => (await hooks.service(admin, id)).webhook?.lastError)
    expect((await hooks.service(admin, id)).status).toBe('UNVERIFIED')
    await hooks.converse(admin, { messages: [{ role: 'contact', text: 'nobody hears it' }] })
    expect((await hooks.service(admin, id)).webhook).toMatchObject({
      lastError: "the handshake failed: the answer's body is not the challenge",
      pending: 0,
    })
    expect(receiver.handshakes[0]!.pathname).toBe('/hook')
    expect(Object.fromEntries(receiver.handshakes[0]!.searchParams)).toEqual({
      type: 'subscribe',
      challenge: expect.stringMatching(/^[\w-]{32}$/),
    })

    receiver.answerHandshake = (challenge) => ({ body: `${challenge}\n` })
    expect((await mutate(admin, `verifyWebhook(service: "${id}") { status }`)).errors).toBeUndefined()
    await hooks.reach(admin, id, 'active')
    const challenges = receiver.handshakes.map((url) => url.searchParams.get('challenge'))
    expect(new Set(challenges).size).toBe(challenges.length)
    await receiver.next(({ json }) => json.event === 'service.update')
    expect(receiver.received.filter(({ json }) => json.data.message)).toEqual([])
  })

  it('sends a challenge to a new address before any event, and loses nothing meanwhile', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, { events: ['message.create.*'] })
    const other = await hooks.register(admin, { events: ['channel.notify'] }, (prepared) => {
      prepared.answerHandshake = () => ({ status: 503 })
    })
    const conversation = await hooks.converse(admin)
    await hooks.say(admin, conversation, 'to the old one')
    await hook.receiver.next()

    const patched = await update(admin, hook.id, { params: { url: other.receiver.url, events: ['message.create.*'] } })
    // A secret of its own, shown once: what is signed for one address is not good for another.
    expect(patched.body).toMatchObject({ status: 'unverified', params: { secret: expect.stringMatching(/^whsec_/) } })
    expect(patched.body.params.secret).not.toBe(hook.secret)
    const witness = await hooks.register(admin, { events: ['message.create.*'] })
    await hooks.say(admin, conversation, 'to the new one')
    await witness.receiver.next()
    expect([texts(hook.receiver.received), texts(other.receiver.received)]).toEqual([['to the old one'], []])
    other.receiver.answerHandshake = (challenge) => ({ body: challenge })
    expect(texts([await other.receiver.next()])).toEqual(['to the new one'])
    await hooks.reach(admin, hook.id, 'active')
  })

  it.each([
    ['evnts', ['message.create.*'], ' (["message.create.*"])', 'events'],
    ['Secret', 'hidden', '', 'secret'],
    ['selection', 5, ' (5)', 'url'],
  ])('refuses the unknown param %s', async (name, value, shown, nearest) => {
    const { admin, organization } = await hooks.center()
    const params = { url: 'https://example.com', [name]: value }
    const message = expect.stringMatching(
      new RegExp(`^params\\.${name}${RegExp.escape(shown)} is not a param of .+; the nearest are .*\\b${nearest}\\b`),
    )
    const { status, body } = await app.rest(admin, 'POST', '/v2/services', { type: 'webhook', params })
    expect([status, body.field, body.message]).toEqual([400, `params.${name}`, message])
    const create = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
    const input = { organization: organization.id, type: 'webhook', params }
    const { errors } = await app.gql(admin, create, { input })
    expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT', field: `params.${name}` } }])
  })

  it('generates a secret, shown once, and requires an address and a bot', async () => {
    const { admin, organization } = await hooks.center()
    const hook = await hooks.register(admin)
    expect(hook.secret).toMatch(/^whsec_/)
    expect((await hooks.service(admin, hook.id)).params.secret).toBe('********')
    const refused = await app.rest(admin, 'POST', '/v2/services', { type: 'webhook', params: { events: ['a'] } })
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      'params.url is required for a service of type webhook',
    ])
    const agent = await app.makeUser({ organization })
    const input = { type: 'webhook', params: { url: hook.receiver.url, bot: agent.id } }
    expect((await app.rest(admin, 'POST', '/v2/services', input)).body.error.message).toMatch('is not a bot of')
    expect((await update(admin, hook.id, { status: 'paused' })).status).toBe(400)
  })

  it('belongs to one organization: others can neither see its deliveries nor change them', async () => {
    const { admin } = await hooks.center()
    const outsider = (await hooks.center()).admin
    const hook = await hooks.register(admin)
    await hooks.converse(admin)
    await hook.receiver.next()
    const [delivery] = await hooks.deliveries(admin, hook.id)
    for (const operation of [
      `verifyWebhook(service: "${hook.id}") { id }`,
      `rotateWebhookSecret(service: "${hook.id}") { id }`,
      `replayWebhook(service: "${hook.id}", since: "2020-01-01") { since }`,
      `redeliverWebhook(delivery: "${delivery!.id}")`,
    ]) {
      expect((await mutate(outsider, operation)).errors![0]!.extensions.code).toBe('NOT_FOUND')
    }
    const { errors } = await app.gql(outsider, `{ webhookDeliveries(service: "${hook.id}") { totalCount } }`)
    expect(errors![0]!.extensions.code).toBe('NOT_FOUND')
  })

  it('receives nothing while it is inactive, or after it is deleted', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, { events: ['message.create.*'] })
    const conversation = await hooks.converse(admin)
    expect((await update(admin, hook.id, { status: 'inactive' })).body.status).toBe('inactive')
    await hooks.say(admin, conversation, 'unheard')
    expect((await update(admin, hook.id, { status: 'active' })).body.status).toBe('unverified')
    await hooks.reach(admin, hook.id, 'active')
    await hooks.say(admin, conversation, 'heard')
    expect(texts([await hook.receiver.next()])).toEqual(['heard'])
    expect((await app.rest(admin, 'DELETE', `/v2/services/${hook.id}`)).status).toBe(204)
    const witness = await hooks.register(admin, { events: ['message.create.*'] })
    await hooks.say(admin, conversation, 'unheard again')
    await witness.receiver.next()
    expect(texts(hook.receiver.received)).toEqual(['heard'])
    for (const table of ['webhook', 'webhook_delivery', 'webhook_partition']) {
      expect(await app.server.database.query(`select 1 from ${table} where service_id = $1`, [hook.id])).toEqual([])
    }
  })

  it('misses no event that is committed once it is active, even with many concurrent writers', async () => {
    const { admin } = await hooks.center()
    const conversations = await Promise.all(Array.from({ length: 6 }, () => hooks.converse(admin)))
    const state = { isActive: false, isOver: false }
    const afterwards: string[] = []
    const writers = conversations.map(async (conversation) => {
      while (!state.isOver) {
        const wasActive = state.isActive
        const id = await hooks.say(admin, conversation, 'one of many')
        if (wasActive) afterwards.push(id)
      }
    })
    const hook = await hooks.register(admin, { events: ['message.create.contact.*'] })
    state.isActive = true
    await until(() => afterwards.length >= 60)
    state.isOver = true
    await Promise.all(writers)
    const heard = () => new Set(hook.receiver.received.map(({ json }) => json.data.message.id))
    await until(() => afterwards.every((id) => heard().has(id))).catch(() => undefined)
    const ids = heard()
    expect(afterwards.filter((id) => !ids.has(id))).toEqual([])
  })
})

describe('the events of a webhook', () => {
  it('contain what is left of a record that was erased or deleted since, as the OpenAPI document describes it', async () => {
    const { admin } = await hooks.center()
    const contact = await app.rest(admin, 'POST', '/v2/contacts', { profile: { name: 'Eve' } })
    const location = await app.rest(admin, 'POST', '/v2/locations', { name: 'Harbour' })
    await app.gql(admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id: contact.body.id })
    await app.rest(admin, 'DELETE', `/v2/locations/${location.body.id}`)
    const hook = await hooks.register(admin, { events: ['contact.create', 'location.create'] })
    await mutate(admin, `replayWebhook(service: "${hook.id}", since: "2020-01-01") { since }`)
    const received = await hook.receiver.count(2)
    // Two records' events come in any order.
    const [ofContact, ofLocation] = ['contact', 'location'].map(
      (record) => received.find(({ json }) => json.data[record])!.json.data,
    )
    expect(ofContact.contact).toEqual({
      id: contact.body.id,
      organization: contact.body.organization,
      profile: {},
      status: contact.body.status,
    })
    expect(ofLocation.location).toMatchObject({ id: location.body.id, name: 'Harbour' })
    expect(hook.receiver.undescribed).toEqual([])
  })

  it('are those in and below its organization, and no others', async () => {
    const { organization: center, admin } = await hooks.center()
    const customer = await app.makeOrganization({ parent: center, name: 'Customer' })
    const customerAdmin = await app.makeUser({ organization: customer, role: 'admin' })
    const sub = await app.makeOrganization({ parent: customer, name: 'Sub' })
    const rival = await app.makeOrganization({ parent: center, name: 'Rival' })
    const all = await hooks.register(admin, { events: ['contact.create'] })
    const part = await hooks.register(customerAdmin, { events: ['contact.create'] })
    for (const { id } of [center, rival, customer, sub]) {
      const made = await app.rest(admin, 'POST', '/v2/contacts', { organization: id, profile: { name: 'Eve' } })
      expect(made.status).toBe(201)
    }
    await all.receiver.count(4)
    await part.receiver.count(2)
    // What both of them hear comes after what only one of them does.
    await app.rest(admin, 'POST', '/v2/contacts', { organization: sub.id, profile: { name: 'Last' } })
    await all.receiver.count(5)
    await part.receiver.count(3)
    const organizations = (received: Received[]) => new Set(received.map(({ json }) => json.organization))
    expect(organizations(all.receiver.received)).toEqual(new Set([center.id, rival.id, customer.id, sub.id]))
    expect(organizations(part.receiver.received)).toEqual(new Set([customer.id, sub.id]))
    const [mine] = part.receiver.received
    const theirs = all.receiver.received.find(({ json }) => json.id === mine!.json.id)
    expect(theirs!.body).toBe(mine!.body)
  })

  it('are those that its patterns name, exactly or by prefix', async () => {
    const { admin, organization } = await hooks.center()
    const agent = await app.makeUser({ organization })
    const exact = await hooks.register(admin, { events: ['message.create.contact.command', 'message.delete'] })
    const prefix = await hooks.register(admin, { events: ['conversation.*', 'message.u*'] })
    const everything = await hooks.register(admin)
    const conversation = await hooks.converse(admin)
    const message = await hooks.say(admin, conversation, 'hello')
    await hooks.say(agent, conversation, '/accept', { type: 'command' })
    expect((await app.rest(admin, 'PATCH', `/v2/messages/${message}`, { text: 'Hello' })).status).toBe(200)
    expect((await app.rest(admin, 'DELETE', `/v2/messages/${message}`)).status).toBe(204)
    const names = (hook: typeof exact) =>
      hook.receiver.received
        .filter(({ json }) => json.data.conversation?.id === conversation)
        .map(({ json }) => json.event)
    await everything.receiver.next(({ json }) => json.event === 'message.delete')
    await exact.receiver.next(({ json }) => json.event === 'message.delete')
    await prefix.receiver.next(({ json }) => json.event === 'message.update')
    expect(names(everything)).toEqual([
      'conversation.create',
      'message.create.contact.chat',
      'conversation.update',
      'message.create.contact.command',
      'conversation.update',
      'message.update',
      'message.delete',
    ])
    expect(names(exact)).toEqual(['message.create.contact.command', 'message.delete'])
    expect(names(prefix)).toEqual([
      'conversation.create',
      'conversation.update',
      'conversation.update',
      'message.update',
    ])
  })

  // [6 rule 4, rule 4 metadata]
  it('contain whole records as they were, links, and an activity', async () => {
    const { admin, organization } = await hooks.center()
    const agent = await app.makeUser({ organization, displayName: 'Ann' })
    const channel = await app.rest(admin, 'POST', '/v2/channels', { name: 'Support', members: [{ user: agent.id }] })
    const { receiver } = await hooks.register(admin)
    const conversation = await hooks.converse(admin, { meta: { order: 7, nothing: null } })
    const asked = await hooks.say(admin, conversation, 'where is it?')
    await hooks.say(agent, conversation, 'on its way', { role: 'agent', meta: { '2': 'b', a: 1 } })
    await hooks.say(agent, conversation, '/leave', { type: 'command' })

    const question = await receiver.next(({ json }) => json.event === 'message.create.contact.chat')
    const { id, timestamp, data, activity } = question.json
    expect(Object.keys(question.json)).toEqual(['id', 'event', 'timestamp', 'organization', 'data', 'activity'])
    expect(question.headers['webhook-id']).toBe(id)
    expect(new Date(timestamp).toISOString()).toBe(timestamp)
    expect(data.message).toMatchObject({
      id: asked,
      conversation,
      organization: organization.id,
      type: 'chat',
      role: 'contact',
      text: 'where is it?',
      isBackchannel: false,
    })
    // As of then: it was queued by the question, though it is closed by now.
    expect(data.conversation).toMatchObject({
      id: conversation,
      status: 'queued',
      type: 'contact',
      participants: [],
      meta: { order: 7, nothing: null },
      category: null,
    })
    expect(data.contact.profile).toMatchObject({ name: 'Eve' })
    expect(data.links).toMatchObject({
      message: expect.stringMatching(`/v2/messages/${asked}$`),
      conversation: expect.stringMatching(conversation),
    })
    expect(activity).toMatchObject({
      '@context': 'https://www.w3.org/ns/activitystreams',
      type: 'Create',
      published: timestamp,
      actor: { type: 'Person', id: data.links.contact, name: 'Eve' },
      object: { type: 'Note', id: data.links.message, content: 'where is it?', context: data.links.conversation },
    })

    const notified = await receiver.next(({ json }) => json.event === 'channel.notify')
    expect(notified.json.data).toMatchObject({
      channel: { id: channel.body.id, name: 'Support' },
      conversation: { id: conversation },
    })
    const answer = await receiver.next(({ json }) => json.event === 'message.create.contact.chat')
    expect(answer.json.data.conversation).toMatchObject({
      status: 'active',
      participants: [{ user: agent.id, name: 'Ann', accepted: true, active: true }],
    })
    expect(answer.json.data.user).toMatchObject({ id: agent.id, displayName: 'Ann', role: 'agent' })
    expect(answer.json.activity.actor).toMatchObject({ type: 'Person', name: 'Ann' })
    expect(answer.body).not.toMatch(/password|api_token|routing|address/i)
    const closed = await receiver.next(
      ({ json }) => json.event === 'conversation.update' && json.data.conversation.status === 'closed',
    )
    expect(closed.json.activity.type).toBe('Update')
    for (const { body } of receiver.received) expect(JSON.stringify(JSON.parse(body))).toBe(body)
  })

  it('are only what it selects, if it has a query', async () => {
    const { admin } = await hooks.center()
    const query = '{ message { id text } conversation { status participants { user } } }'
    const hook = await hooks.register(admin, { events: ['message.create.*'], query })
    const whole = await hooks.register(admin, { events: ['message.create.*'] })
    const conversation = await hooks.converse(admin)
    const id = await hooks.say(admin, conversation, 'hello')
    const { json, body } = await hook.receiver.next()
    expect(Object.keys(json)).toEqual(['id', 'event', 'timestamp', 'organization', 'data'])
    expect(json.data).toEqual({ message: { id, text: 'hello' }, conversation: { status: 'queued', participants: [] } })
    expect(json.id).toBe((await whole.receiver.next()).json.id)
    await until(async () => (await hooks.deliveries(admin, hook.id))[0]?.status === 'DELIVERED')
    const [delivery] = await hooks.deliveries(admin, hook.id)
    expect(delivery!.body).toBe(body)
    await update(admin, hook.id, { params: { url: hook.receiver.url, query: '{ message { id } }' } })
    await app.gql(admin, `mutation { redeliverWebhook(delivery: "${delivery!.id}") }`)
    // The endpoint also hears of its own update.
    const again = await hook.receiver.next(({ json }) => json.event !== 'service.update')
    expect(again.body).toBe(body)
  })

  it('include sign-ins and deleted records', async () => {
    const { admin, organization } = await hooks.center()
    const { receiver } = await hooks.register(admin)
    const user = await app.makeUser({ organization, email: 'ann@example.com', password: 'correct horse battery' })
    await app.rest(null, 'POST', '/v2/auth/token', { email: 'ann@example.com', password: 'correct horse battery' })
    const login = await receiver.next(({ json }) => json.event === 'user.login')
    expect(login.json).toMatchObject({
      organization: organization.id,
      data: { user: { id: user.id, email: 'ann@example.com' } },
      activity: { type: 'Update', actor: { type: 'Person' } },
    })
    const sub = await app.rest(admin, 'POST', '/v2/organizations', { name: 'Short-lived' })
    expect((await app.rest(admin, 'DELETE', `/v2/organizations/${sub.body.id}`)).status).toBe(204)
    const gone = await receiver.next(({ json }) => json.event === 'organization.delete')
    expect(gone.json).toMatchObject({
      data: { organization: { id: sub.body.id, name: 'Short-lived' } },
      activity: { type: 'Delete' },
    })
    const conversation = await hooks.converse(admin)
    await app.rest(admin, 'DELETE', `/v2/conversations/${conversation}`)
    const last = await receiver.next(({ json }) => json.event === 'conversation.delete')
    expect(last.json.data.conversation.id).toBe(conversation)
    const ofIt = receiver.received.filter(({ json }) => json.data.conversation?.id === conversation)
    expect(ofIt.at(-1)!.json.event).toBe('conversation.delete')
  })
})

describe('a signature', () => {
  it('authenticates the bytes, by both schemes, and by both secrets during a rotation', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, { secret: 'an older kind of a secret', events: ['conversation.create'] })
    await hooks.converse(admin)
    const { headers, body } = await hook.receiver.next()
    expect(headers['x-hub-signature']).toBe(
      `sha1=${createHmac('sha1', 'an older kind of a secret').update(body).digest('hex')}`,
    )
    const signedBy = (received: Received, key: string | Buffer) => {
      const { 'webhook-id': id, 'webhook-timestamp': at } = received.headers
      return `v1,${createHmac('sha256', key)
        .update(`${id as string}.${at as string}.${received.body}`)
        .digest('base64')}`
    }
    expect(headers['webhook-signature']).toBe(signedBy({ headers, body, json: null }, 'an older kind of a secret'))

    const rotated = await mutate(admin, `rotateWebhookSecret(service: "${hook.id}") { params status }`)
    const { secret } = rotated.data.rotateWebhookSecret.params
    expect(secret).toMatch(/^whsec_/)
    await hooks.converse(admin)
    const both = await hook.receiver.next()
    const key = Buffer.from(secret.slice(6), 'base64')
    expect(both.headers['webhook-signature']).toBe(
      `${signedBy(both, key)} ${signedBy(both, 'an older kind of a secret')}`,
    )
    expect(both.headers['x-hub-signature']).toBe(`sha1=${createHmac('sha1', secret).update(both.body).digest('hex')}`)
  })
})
