import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { bodyForReader } from '../../src/modules/webhooks/reader-view.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'
import { until } from '../support/until.js'

// A webhook carries out of the house what its owner could fetch, and speaks as whom its writer could see.
let app: TestServer
let hooks: Hooks
let center: { organization: MadeOrganization; admin: MadeUser; bot: MadeUser }
let customer: MadeOrganization
let admin: MadeUser
let agent: MadeUser

beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  hooks = createHooks(app)
  center = await hooks.center()
  customer = await app.makeOrganization({ parent: center.organization })
  admin = await app.makeUser({ organization: customer, role: 'admin' })
  agent = await app.makeUser({ organization: center.organization, displayName: 'Ann of the center' })
  await app.server.database.query(
    `update app_user set meta = '{"badge": "s3cret"}', last_login = now(), family_name = 'Center' where id = $1`,
    [agent.id],
  )
})
afterAll(async () => {
  await hooks.close()
  await app.close()
})

describe("a customer's webhook", () => {
  it("shows of the contact center's agent what all participants see; the center's own webhook shows all", async () => {
    const [theirs, selecting, ours] = [
      await hooks.register(admin, { events: ['message.create.*'] }),
      await hooks.register(admin, {
        events: ['message.create.*'],
        query: '{ user { id email lastLogin meta displayName } }',
      }),
      await hooks.register(center.admin, { events: ['message.create.*'] }),
    ]
    const conversation = await hooks.converse(admin, { organization: customer.id })
    await hooks.say(agent, conversation, 'hello from above', { role: 'agent' })
    const isIt = ({ body }: { body: string }): boolean =>
      body.includes('hello from above') || body.includes('Ann of the center')
    const [shown, selected, whole] = [
      await theirs.receiver.next(isIt),
      await selecting.receiver.next(isIt),
      await ours.receiver.next(isIt),
    ]
    expect(shown.json.data.user).toEqual({
      id: agent.id,
      displayName: 'Ann of the center',
      name: 'Center',
      role: 'agent',
    })
    for (const { body } of [shown, selected]) expect(body).not.toMatch(new RegExp(`${agent.email}|s3cret|lastLogin":"`))
    // What is kept of the deliveries is what was sent, to whom it was sent.
    for (const [as, hook, sent] of [
      [admin, theirs, shown],
      [admin, selecting, selected],
      [center.admin, ours, whole],
    ] as const) {
      const kept = await until(async () => {
        const found = (await hooks.deliveries(as, hook.id)).find(({ eventId }) => eventId === sent.json.id)
        return found?.status === 'DELIVERED' && found
      })
      expect(kept.body).toBe(sent.body)
    }
    const colleague = await app.makeUser({ organization: customer, role: 'agent' })
    const stranger = await app.makeUser({
      organization: await app.makeOrganization({ parent: center.organization }),
      role: 'admin',
    })
    const query = 'query ($id: ID!) { webhookDeliveries(service: $id, first: 1) { edges { node { body } } } }'
    for (const as of [colleague, stranger]) {
      const { data, errors } = await app.gql(as, query, { id: ours.id })
      expect(JSON.stringify(data ?? {})).not.toContain('s3cret')
      expect(errors ?? []).toHaveLength(1)
    }
    expect(shown.json.activity.actor.name).toBe('Ann of the center')
    expect(whole.json.data.user).toMatchObject({ email: agent.email, meta: { badge: 's3cret' } })
    // Nor by the record of what was sent.
    await until(async () => (await hooks.deliveries(admin, theirs.id)).every(({ body }) => body !== null))
    expect(JSON.stringify(await hooks.deliveries(admin, theirs.id))).not.toMatch(new RegExp(`${agent.email}|s3cret`))
    // A customer's own people are shown whole.
    const own = await app.makeUser({ organization: customer })
    await hooks.say(own, conversation, 'hello from here', { role: 'agent' })
    const { json } = await theirs.receiver.next(({ body }) => body.includes('hello from here'))
    expect(json.data.user.email).toBe(own.email)
  })

  it('shows only the id of a channel of the contact center', () => {
    const envelope = (organization: string): string => {
      const conversation = { id: 'v', orgPath: `${center.organization.id}#${customer.id}` }
      const data = { channel: { id: 'c', organization, name: 'Escalations' }, conversation, links: { channel: '/c' } }
      const head = {
        id: 'e',
        event: 'channel.notify',
        timestamp: '2026-11-22T00:00:00.000Z',
        organization: customer.id,
      }
      return JSON.stringify({ ...head, data, activity: { object: { name: 'Escalations' } } })
    }
    const above = envelope(center.organization.id)
    const shown = bodyForReader(above, customer.id)
    expect(JSON.parse(shown).data).toEqual({
      channel: { id: 'c' },
      conversation: { id: 'v', orgPath: expect.any(String) },
      links: { channel: '/c' },
    })
    expect(shown).not.toContain('Escalations')
    // The center's own webhook, and a customer's own channel: the event's bytes as they are.
    expect(bodyForReader(above, center.organization.id)).toBe(above)
    expect(bodyForReader(envelope(customer.id), customer.id)).toBe(envelope(customer.id))
  })
})

describe('the user on whose behalf a webhook sends', () => {
  const register = (as: MadeUser, organization: string, params: object) =>
    app.rest(as, 'POST', '/v2/services', { type: 'webhook', organization, params })

  it("is visible to the writer of the service: a customer's administrator cannot name a bot of the contact center", async () => {
    const { receiver } = await hooks.register(admin)
    const { status, body } = await register(admin, customer.id, { url: receiver.url, bot: center.bot.id })
    expect([status, body.message]).toEqual([400, expect.stringContaining('is not a bot of')])
    const own = await app.makeUser({ organization: customer, role: 'bot' })
    expect((await register(admin, customer.id, { url: receiver.url, bot: own.id })).status).toBe(201)
  })

  it('is protected from a customer who changes the address of a webhook that the contact center has set up', async () => {
    const [{ receiver }, mine] = [await hooks.register(admin), await hooks.register(admin)]
    const { body: hook } = await register(center.admin, customer.id, { url: receiver.url, bot: center.bot.id })
    const change = (params: object) => app.rest(admin, 'PATCH', `/v2/services/${hook.id}`, { params })
    expect((await change({ url: mine.receiver.url, bot: center.bot.id })).status).toBe(400)
    expect(
      (await change({ url: receiver.url, secret: '********', bot: center.bot.id, events: ['message.create.*'] }))
        .status,
    ).toBe(200)
  })

  it("sends no more than the bot's reduced token permits", async () => {
    const { data } = await app.gql(admin, 'mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }', {
      input: { email: 'narrow@example.com', role: 'BOT', scopes: ['guest'] },
    })
    const hook = await hooks.register(admin, { events: ['message.create.contact.chat'], bot: data.createUser.id })
    hook.receiver.answer = () => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ type: 'command', text: '/accept' }] }),
    })
    const conversation = await hooks.converse(admin, { organization: customer.id })
    await hooks.say(admin, conversation, 'hi')
    await until(async () => (await hooks.deliveries(admin, hook.id)).some(({ reply }) => reply !== null))
    expect((await hooks.deliveries(admin, hook.id))[0]!.reply).toMatch(
      /^refused: conversation\.command needs the scope agent/,
    )
  })
})
