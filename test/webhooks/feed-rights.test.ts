import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { createFeeds, messagesOf, type Feeds } from './feeds.js'
import { createHooks, type Hooks } from './hooks.js'

let app: TestServer
let hooks: Hooks
let feeds: Feeds

beforeAll(async () => {
  app = await startTestServer()
  hooks = createHooks(app)
  feeds = createFeeds(app)
})
afterAll(() => app.close())

describe('a feed', () => {
  it('is for administrators alone, and not known to other contact centers', async () => {
    const { admin, bot, organization } = await hooks.center()
    const outsider = (await hooks.center()).admin
    const agent = await app.makeUser({ organization, role: 'agent' })
    const viewer = await app.makeUser({ organization, role: 'viewer' })
    const service = await feeds.begin(admin)
    const { cursor: after } = await feeds.read(admin)
    await hooks.say(admin, await hooks.converse(admin), 'hello')
    for (const as of [bot, agent, viewer]) {
      expect((await feeds.refused(as)).slice(0, 2)).toEqual([403, 'PERMISSION_MISSING'])
      expect((await feeds.refused(as, { service, after })).slice(0, 2)).toEqual([403, 'PERMISSION_MISSING'])
    }
    expect((await feeds.refused(outsider, { service })).slice(0, 2)).toEqual([404, 'RECORD_NOT_FOUND'])
    expect(await feeds.refused(outsider)).toEqual([422, 'NO_FEED', 'service'])
    await feeds.begin(outsider)
    // A cursor opens nothing.
    expect(await feeds.refused(outsider, { after })).toEqual([422, 'CURSOR_UNKNOWN', 'after'])
    expect((await app.rest(null, 'GET', '/v2/events')).status).toBe(401)
  })

  it('has what happens in its organization and below: never of another customer, nor of the contact center', async () => {
    const { admin, organization } = await hooks.center()
    const [one, other] = [
      await app.makeOrganization({ parent: organization, name: 'One' }),
      await app.makeOrganization({ parent: organization, name: 'Other' }),
    ]
    const [oneAdmin, otherAdmin] = [
      await app.makeUser({ organization: one, role: 'admin' }),
      await app.makeUser({ organization: other, role: 'admin' }),
    ]
    const ofCenter = await feeds.begin(admin)
    const ofOne = await feeds.begin(oneAdmin)
    await feeds.begin(otherAdmin)
    await hooks.say(admin, await hooks.converse(admin), 'of the center')
    await hooks.say(oneAdmin, await hooks.converse(oneAdmin), 'of one')
    await hooks.say(otherAdmin, await hooks.converse(otherAdmin), 'of the other')
    expect(messagesOf(await feeds.readAll(admin)).toSorted()).toEqual(['of one', 'of the center', 'of the other'])
    expect(messagesOf(await feeds.readAll(oneAdmin))).toEqual(['of one'])
    expect(messagesOf(await feeds.readAll(otherAdmin))).toEqual(['of the other'])
    // An administrator of the center reads those of its customers.
    expect(messagesOf(await feeds.readAll(admin, { service: ofOne }))).toEqual(['of one'])
    for (const [as, service] of [
      [otherAdmin, ofOne],
      [oneAdmin, ofCenter],
    ] as const)
      expect((await feeds.refused(as, { service }))[0]).toBe(404)
  })

  it("shows of the contact center's agents what everybody sees of them", async () => {
    const { admin, organization } = await hooks.center()
    const customer = await app.makeOrganization({ parent: organization, name: 'Customer' })
    const customerAdmin = await app.makeUser({ organization: customer, role: 'admin' })
    await feeds.begin(admin)
    await feeds.begin(customerAdmin)
    const conversation = await hooks.converse(customerAdmin)
    await hooks.say(admin, conversation, 'of an agent above', { role: 'agent' })
    const find = async (as: typeof admin) =>
      (await feeds.readAll(as)).find(({ payload }) => payload.data.message?.text === 'of an agent above')!
    expect((await find(admin)).payload.data.user.email).toBe(admin.email)
    const shown = (await find(customerAdmin)).payload
    expect(shown.data.user).toMatchObject({ id: admin.id })
    expect(JSON.stringify(shown)).not.toContain(admin.email)
  })
})

describe('together with', () => {
  it('an erasure: what a deleted contact said and was is gone from it, and its events keep their places', async () => {
    const { admin } = await hooks.center()
    await feeds.begin(admin)
    const start = (await feeds.read(admin)).cursor
    const CANARY = 'canary-5e1f'
    const conversation = await hooks.converse(admin, {
      contact: { profile: { name: `Eve ${CANARY}`, email: `${CANARY}@example.com`, telephone: '+31201234567' } },
    })
    await hooks.say(admin, conversation, `I am ${CANARY}`)
    for (const text of ['/accept', '/leave']) {
      await hooks.say(admin, conversation, text, { type: 'command' })
      if (text === '/accept') await hooks.say(admin, conversation, 'an answer', { role: 'agent' })
    }
    await hooks.say(admin, await hooks.converse(admin), 'of another')
    const before = await feeds.readAll(admin, { after: start })
    expect(JSON.stringify(before)).toContain(CANARY)
    expect(JSON.stringify(before)).toContain('+31201234567')
    const contact = before.find(({ payload }) => payload.data.contact)!.payload.data.contact.id as string
    expect((await app.gql(admin, `mutation { deleteContact(id: "${contact}") }`)).errors).toBeUndefined()
    await until(async () => (await app.gql(admin, '{ erasures { id } }')).data.erasures.length === 0)
    const after = await feeds.readAll(admin, { after: start })
    expect(after.slice(0, before.length).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(after.length).toBeGreaterThan(before.length)
    expect(JSON.stringify(after)).not.toContain(CANARY)
    expect(JSON.stringify(after)).not.toContain('+31201234567')
    expect(messagesOf(after)).toContain('of another')
  })

  it('the deletion of a message: its words are gone from it', async () => {
    const { admin } = await hooks.center()
    await feeds.begin(admin)
    const conversation = await hooks.converse(admin)
    const message = await hooks.say(admin, conversation, 'a slip of mine')
    await hooks.say(admin, conversation, 'what I meant')
    expect(JSON.stringify(await feeds.readAll(admin))).toContain('a slip of mine')
    expect((await app.rest(admin, 'DELETE', `/v2/messages/${message}`)).status).toBe(204)
    await until(async () => (await app.gql(admin, '{ erasures { id } }')).data.erasures.length === 0)
    const left = await feeds.readAll(admin)
    expect(JSON.stringify(left)).not.toContain('a slip of mine')
    expect(messagesOf(left)).toEqual(['', 'what I meant'])
  })

  it('a service that is switched off and on, changes its type, or is deleted: nothing that was missed looks as if nothing was', async () => {
    const { admin } = await hooks.center()
    const service = await feeds.begin(admin)
    const patch = (body: object) => app.rest(admin, 'PATCH', `/v2/services/${service}`, body)
    const conversation = await hooks.converse(admin)
    await hooks.say(admin, conversation, 'kept')
    const { cursor } = await feeds.read(admin)
    expect((await patch({ name: 'Renamed' })).body.status).toBe('active')
    expect((await feeds.read(admin, { after: cursor })).events.map(({ event }) => event)).toEqual(['service.update'])
    expect((await patch({ status: 'inactive' })).status).toBe(200)
    await hooks.say(admin, conversation, 'unheard')
    expect((await feeds.refused(admin, { after: cursor })).slice(0, 2)).toEqual([422, 'SERVICE_INACTIVE'])
    expect((await patch({ status: 'active' })).body.status).toBe('active')
    await hooks.say(admin, conversation, 'heard')
    expect(await feeds.refused(admin, { after: cursor })).toEqual([422, 'CURSOR_UNKNOWN', 'after'])
    expect(messagesOf(await feeds.readAll(admin))).toEqual(['heard'])
    expect((await patch({ type: 'events', params: { events: ['message.*'] } })).body.status).toBe('active')
    expect((await feeds.refused(admin, { service }))[0]).toBe(422)
    expect((await patch({ type: 'feed', params: {} })).body.status).toBe('active')
    await hooks.say(admin, conversation, 'anew')
    expect(messagesOf(await feeds.readAll(admin))).toEqual(['anew'])
    expect((await app.rest(admin, 'DELETE', `/v2/services/${service}`)).status).toBe(204)
    expect(await feeds.refused(admin)).toEqual([422, 'NO_FEED', 'service'])
    await app.server.maintenance.run()
    const { database } = app.server
    const [left] = await database.query<{ feeds: number; events: number }>(
      `select (select count(*) from event_feed f where not exists (select from webhook w where w.feed_id = f.id)) as feeds,
         (select count(*) from feed_event e where not exists (select from event_feed f where f.id = e.feed_id)) as events`,
    )
    expect(left).toEqual({ feeds: 0, events: 0 })
  })

  it('the audit log: who keeps events is told there, and who reads them is not', async () => {
    const { admin } = await hooks.center()
    const service = await feeds.begin(admin)
    await feeds.readAll(admin)
    const entries = async () =>
      (await app.gql(admin, `{ auditEntries(filter: { object: { eq: "${service}" } }) { edges { node { action } } } }`))
        .data.auditEntries.edges
    expect((await entries()).map(({ node }: { node: { action: string } }) => node.action)).toEqual(['createService'])
  })
})
