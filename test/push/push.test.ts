import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createPublicKey } from 'node:crypto'
import { jwtVerify } from 'jose'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { startPushService, type Browser, type PushService } from './push-service.js'
import { until } from '../support/until.js'

const SUBSCRIBE = 'mutation ($input: PushSubscriptionInput!) { subscribeToPush(input: $input) { id service } }'
const SETTINGS = 'mutation ($patch: UserSettingsInput!) { updateMySettings(patch: $patch) { id } }'

describe('Web Push', () => {
  let service: PushService
  let server: TestServer
  let organization: MadeOrganization
  let ann: MadeUser
  let bob: MadeUser
  let bot: MadeUser
  let conversation: string
  let arrivals = 0
  beforeAll(async () => {
    service = await startPushService()
    server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { pace: 10 })
    organization = await server.makeOrganization({ country: 'NL' })
    ann = await server.makeUser({ organization })
    bob = await server.makeUser({ organization })
    bot = await server.makeUser({ organization, role: 'bot' })
    conversation = await arrive('Lena Vos')
  })
  afterEach(() => server.clock.goOn())
  afterAll(async () => {
    await server?.close()
    await service?.close()
  })

  /** A conversation that Ann has accepted. */
  async function arrive(name: string): Promise<string> {
    const input = {
      organization: organization.id,
      type: 'CONTACT',
      contact: { profile: { name, email: `c${++arrivals}@example.com` } },
      touchpoint: 'WEB',
      messages: [{ role: 'CONTACT', text: 'hello' }],
    }
    const made = await server.gql(
      bot,
      'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
      { input },
    )
    expect(made.errors).toBeUndefined()
    const { id } = made.data.createConversation
    const accepted = await server.gql(ann, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', {
      id,
    })
    expect(accepted.errors).toBeUndefined()
    await read(id)
    return id
  }
  async function say(text: string, id = conversation): Promise<void> {
    const send = 'mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id } }'
    const { errors } = await server.gql(bot, send, { c: id, m: { role: 'CONTACT', text } })
    expect(errors).toBeUndefined()
  }
  async function read(id = conversation): Promise<void> {
    const { data } = await server.gql(
      ann,
      'query ($id: ID!) { conversation(id: $id) { messages(last: 1) { edges { node { id } } } } }',
      { id },
    )
    const message = data.conversation.messages.edges[0].node.id
    const mark = 'mutation ($c: ID!, $m: ID!) { markRead(conversation: $c, message: $m) { id } }'
    expect((await server.gql(ann, mark, { c: id, m: message })).errors).toBeUndefined()
  }
  async function subscribe(as: string | MadeUser = ann): Promise<{ browser: Browser; id: string }> {
    const browser = service.subscribe()
    const { data, errors } = await server.gql(as, SUBSCRIBE, { input: browser.input })
    expect(errors).toBeUndefined()
    expect(data.subscribeToPush.service).toBe(service.origin)
    return { browser, id: data.subscribeToPush.id }
  }
  const change = async (patch: object): Promise<void> => {
    expect((await server.gql(ann, SETTINGS, { patch })).errors).toBeUndefined()
  }
  const ids = async (as: string | MadeUser = ann): Promise<string[]> => {
    const { data } = await server.gql(as, '{ pushSubscriptions { id } }')
    return data.pushSubscriptions.map(({ id }: { id: string }) => id)
  }
  const query = (text: string, values: unknown[] = []): Promise<unknown[]> => server.server.database.query(text, values)
  /** Rounds have looked at all that was said, and what they added was sent. */
  const settle = async (): Promise<void> => {
    const behind = `select 1 from push_subscription p join stream s on s.name = 'user:' || p.user_id
      where s.head <> p.position and p.id = any($1)`
    await until(async () => (await query(behind, [await ids()])).length === 0)
    await until(async () => (await query(`select 1 from job where kind = 'push.send'`)).length === 0)
  }

  it('tells a browser once of each news, encrypted, with the name of who wrote and no text', async () => {
    const { browser } = await subscribe()
    await say('not told: switched off')
    await settle()
    expect(browser.received).toEqual([])
    await read()
    await change({ pushNotify: true })
    await say('a secret')
    await until(() => browser.received.length > 0)
    await settle()
    const [{ headers, payload }] = browser.received as [Browser['received'][number]]
    expect(browser.received).toHaveLength(1)
    expect(payload).toEqual({ conversation, name: 'Lena Vos', unread: 1, locale: 'en' })
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '3600', urgency: 'high' })
    expect(headers.topic).toMatch(/^[\w-]{32}$/)
    // The key that browsers subscribe with signs for this push service alone, for less than a day (RFC 8292).
    const [, token, key] = /^vapid t=(.+), k=(.+)$/.exec(headers.authorization!)!
    expect((await server.gql(ann, '{ pushKey }')).data.pushKey).toBe(key)
    const point = Buffer.from(key!, 'base64url')
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
    const jwk = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
    const { payload: claims } = await jwtVerify(token!, jwk, { audience: service.origin, algorithms: ['ES256'] })
    expect(claims.sub).toBe('mailto:no-reply@example.org')
    expect(claims.exp! - Date.now() / 1_000).toBeLessThan(86_400)
  })

  it('holds the text for those who have notifications of messages on, and as many messages as are unread', async () => {
    const { browser } = await subscribe()
    await change({ notifyOnMessage: true })
    await say('the bilge pump runs')
    await until(() => browser.received.length > 0)
    expect(browser.received[0]!.payload).toMatchObject({ unread: 2, preview: 'the bilge pump runs' })
    await change({ notifyOnMessage: false })
  })

  it('tells at most five conversations of many that came at once, and none that was read meanwhile', async () => {
    const many: string[] = []
    for (let count = 0; count < 7; count++) many.push(await arrive(`Contact ${count}`))
    const { browser } = await subscribe()
    // No round may pass between them.
    await server.server.database.sqlTransaction(async (sql) => {
      await sql.query('select pg_advisory_xact_lock(7301960445)')
      for (const id of many) await say('news', id)
      await read(many[6]!)
    })
    await until(() => browser.received.length >= 4)
    await settle()
    expect(browser.received.map(({ payload }) => payload.name).toSorted()).toEqual([
      'Contact 2',
      'Contact 3',
      'Contact 4',
      'Contact 5',
    ])
  })

  it('tries again when the push service cannot, and forgets a browser that it does not know any more', async () => {
    const { browser, id } = await subscribe()
    browser.answers.push(503, 503)
    // No attempt is made by itself meanwhile.
    server.clock.standAt()
    await say('later')
    for (const attempts of [1, 2]) {
      const failed = `select 1 from job where kind = 'push.send' and attempts = $1 and leased_by is null`
      await until(async () => (await query(failed, [attempts])).length > 0)
      server.clock.advance(60_000)
    }
    server.clock.goOn()
    await until(() => browser.received.length === 1)
    browser.answers.push(410)
    await say('gone')
    await until(async () => !(await ids()).includes(id))
    expect(browser.received.map(({ payload }) => payload.conversation)).toEqual([conversation])
  })

  it('ends with the sign-in', async () => {
    const token = await server.tokenFor(ann)
    const { browser, id } = await subscribe(token)
    expect(await ids()).toContain(id)
    await server.gql(token, 'mutation { revokeToken }')
    expect(await ids()).not.toContain(id)
    await say('not told: signed out')
    await settle()
    expect(browser.received).toEqual([])
  })

  it("is each user's own, for ten browsers at most, and a browser's keys go with its endpoint", async () => {
    const { browser, id } = await subscribe()
    const remove = 'mutation ($endpoint: String!) { unsubscribeFromPush(endpoint: $endpoint) }'
    const { endpoint } = browser.input
    expect((await server.gql(bob, remove, { endpoint })).data.unsubscribeFromPush).toBe(false)
    expect(await ids()).toContain(id)
    const other = { ...service.subscribe().input, endpoint: browser.input.endpoint }
    const taken = await server.gql(bob, SUBSCRIBE, { input: other })
    expect(taken.errors![0]!.extensions).toMatchObject({ code: 'UNPROCESSABLE', field: 'input.endpoint' })
    // Somebody else at the same browser.
    const moved = await server.gql(bob, SUBSCRIBE, { input: browser.input })
    expect([moved.data.subscribeToPush.id, await ids(bob)]).toEqual([id, [id]])
    expect(await ids()).not.toContain(id)
    const made: Awaited<ReturnType<typeof subscribe>>[] = []
    for (let count = 0; count < 11; count++) made.push(await subscribe(bob))
    expect((await ids(bob)).toSorted()).toEqual(
      made
        .slice(1)
        .map((each) => each.id)
        .toSorted(),
    )
    const own = { endpoint: made[5]!.browser.input.endpoint }
    expect((await server.gql(bob, remove, own)).data.unsubscribeFromPush).toBe(true)
    expect(await ids(bob)).toHaveLength(9)
  })

  it('names what is wrong with a subscription', async () => {
    const { input } = service.subscribe()
    for (const [field, value, message] of [
      ['endpoint', 'javascript:alert(1)', 'input.endpoint'],
      ['endpoint', `https://push.example/#a`, 'input.endpoint must have no user name and no fragment'],
      ['endpoint', `https://push.example/${'a'.repeat(1_000)}`, 'input.endpoint'],
      ['p256dh', 'AAAA', 'input.p256dh must be 65 bytes in base64url, not "AAAA"'],
      ['p256dh', Buffer.alloc(65, 4).toString('base64url'), 'input.p256dh is not a point of P-256'],
      ['auth', '!', 'input.auth must be 16 bytes in base64url, not "!"'],
    ] as const) {
      const { errors } = await server.gql(ann, SUBSCRIBE, { input: { ...input, [field]: value } })
      expect(errors![0]).toMatchObject({
        message: expect.stringContaining(message),
        extensions: { code: 'BAD_USER_INPUT', field: `input.${field}` },
      })
    }
  })

  it('goes to public addresses by https only', async () => {
    const strict = await startTestServer()
    const below = await strict.makeOrganization()
    const user = await strict.makeUser({ organization: below })
    const { input } = service.subscribe()
    const plain = await strict.gql(user, SUBSCRIBE, { input })
    expect(plain.errors![0]!.message).toMatch(/^input\.endpoint must be an https address/)
    for (const address of ['127.0.0.1', '2130706433', '[::1]', '169.254.169.254']) {
      const { errors } = await strict.gql(user, SUBSCRIBE, { input: { ...input, endpoint: `https://${address}/x` } })
      expect(errors![0]!.message).toMatch(/^input\.endpoint must name the host of a push service/)
    }
    const inside = { ...input, endpoint: input.endpoint.replace(/^http:..[^:]+/, 'https://localhost') }
    const { data } = await strict.gql(user, SUBSCRIBE, { input: inside })
    await strict.gql(user, SETTINGS, { patch: { pushNotify: true } })
    const colleague = await strict.makeUser({ organization: below, role: 'bot' })
    const made = await strict.gql(
      colleague,
      'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
      {
        input: {
          organization: below.id,
          type: 'CONTACT',
          contact: { profile: { name: 'Lena', email: 'lena@example.com' } },
          touchpoint: 'WEB',
          messages: [{ role: 'CONTACT', text: 'hello' }],
        },
      },
    )
    expect(made.errors).toBeUndefined()
    const assigned = await strict.gql(
      colleague,
      'mutation ($c: ID!, $users: [ID!]!) { assignConversation(conversation: $c, users: $users) { id } }',
      {
        c: made.data.createConversation.id,
        users: [user.id],
      },
    )
    expect(assigned.errors).toBeUndefined()
    // The connection is refused when it is made, and the browser is not tried again.
    await until(async () => {
      const left = await strict.server.database.query('select 1 from push_subscription where id = $1', [
        data.subscribeToPush.id,
      ])
      return left.length === 0
    })
    await strict.close()
  })
})
