import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { request } from 'node:http'
import type { MadeUser } from '../support/factories.js'
import { sampleOf } from '../support/metrics.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { createHooks, type Hooks } from './hooks.js'
import { createTaker, type Taken, type Taker } from './taker.js'

let app: TestServer
let hooks: Hooks
let taker: Taker

beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  hooks = createHooks(app)
  taker = createTaker(app)
})
afterAll(async () => {
  await app.close()
  await hooks.close()
})

const MESSAGES = { events: ['message.create.*'] }
const texts = (taken: readonly Taken[]) => taken.map(({ payload }) => payload.data.message.text)
const LEASE_MS = 60_000

/** The takes that wait on the node. */
const waiting = (url = app.url): Promise<number> => sampleOf(url, 'event_takes_waiting')

/** Takes and acknowledges until nothing is left. */
async function drain(as: MadeUser, service: string, max = 50): Promise<Taken[]> {
  const all: Taken[] = []
  for (;;) {
    const taken = await taker.take(as, service, { max })
    if (taken.length === 0) return all
    all.push(...taken)
    await taker.acknowledge(as, service, taken)
  }
}

describe('a service of type events', () => {
  it('is active at once, and misses nothing from then on', async () => {
    const { admin } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    const conversation = await hooks.converse(admin)
    await hooks.say(admin, conversation, 'one')
    expect(texts(await taker.take(admin, service))).toEqual(['one'])
    expect(await taker.state(admin, service)).toMatchObject({ pending: 1, taken: 1, failed: 0 })
  })

  it('gives the envelope that a webhook receives, also what its query selects', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    const whole = await taker.register(admin, MESSAGES)
    const selected = await taker.register(admin, { ...MESSAGES, query: '{ message { text } }' })
    await hooks.say(admin, await hooks.converse(admin), 'hello')
    const received = await hook.receiver.next()
    const [one] = await taker.take(admin, whole)
    expect(one).toMatchObject({ id: received.json.id, event: 'message.create.contact.chat', attempt: 1 })
    expect(one!.payload).toEqual(received.json)
    const [part] = await taker.take(admin, selected)
    expect(part!.payload.data).toEqual({ message: { text: 'hello' } })
  })

  it.each([
    ['url', { url: 'https://example.com' }],
    ['secret', { secret: 'a secret of one' }],
    ['evnts', { evnts: ['message.*'] }],
    ['bot', { bot: 'nobody' }],
    ['ownMessages', { ownMessages: true }],
  ])('refuses params.%s', async (name, params) => {
    const { admin } = await hooks.center()
    const { status, body } = await app.rest(admin, 'POST', '/v2/services', { type: 'events', params })
    expect([status, body.field]).toEqual([400, `params.${name}`])
  })

  it('does not give its bot the messages of the bot', async () => {
    const { admin, bot } = await hooks.center()
    const service = await taker.register(admin, { ...MESSAGES, bot: bot.id })
    const conversation = await hooks.converse(admin)
    await hooks.say(bot, conversation, 'its own', {})
    await hooks.say(admin, conversation, 'of another')
    expect(texts(await taker.take(bot, service))).toEqual(['of another'])
  })

  it('is for administrators and its bot, and not known to other organizations', async () => {
    const { admin, bot, organization } = await hooks.center()
    const outsider = (await hooks.center()).admin
    const [other, agent] = [
      await app.makeUser({ organization, role: 'bot' }),
      await app.makeUser({ organization, role: 'agent' }),
    ]
    const service = await taker.register(admin, { ...MESSAGES, bot: bot.id })
    await hooks.say(admin, await hooks.converse(admin), 'hello')
    for (const [as, expected] of [
      [outsider, 404],
      [other, 403],
      [agent, 403],
    ] as const) {
      for (const [path, body] of [
        ['take', {}],
        ['acknowledge', { ids: [service] }],
        ['retry', { ids: [service], attempts: [1] }],
      ] as const)
        expect((await app.rest(as, 'POST', `/v2/services/${service}/${path}`, body)).status).toBe(expected)
    }
    const taken = await app.rest(bot, 'POST', `/v2/services/${service}/take`, { max: 5 })
    expect([taken.status, taken.body.length]).toEqual([200, 1])
    const ids = [taken.body[0].id]
    expect((await app.rest(bot, 'POST', `/v2/services/${service}/retry`, { ids, attempts: [1] })).status).toBe(204)
    expect((await app.rest(bot, 'POST', `/v2/services/${service}/acknowledge`, { ids })).status).toBe(204)
    expect(await taker.state(admin, service)).toMatchObject({ pending: 0, waitingSince: null })
  })

  it('refuses what is out of range, a webhook, and unknown ids by name', async () => {
    const { admin } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    const hook = await hooks.register(admin)
    await hooks.say(admin, await hooks.converse(admin), 'hello')
    const [event] = await taker.take(admin, service)
    const post = (path: string, body: object) => app.rest(admin, 'POST', `/v2/services/${path}`, body)
    for (const [field, body] of [
      ['max', { max: 0 }],
      ['max', { max: 501 }],
      ['waitSeconds', { waitSeconds: 26 }],
    ] as const) {
      const refused = await post(`${service}/take`, body)
      expect([refused.status, refused.body.field]).toEqual([400, field])
    }
    expect((await post(`${hook.id}/take`, {})).status).toBe(422)
    expect((await post(`${service}/acknowledge`, { ids: [] })).status).toBe(400)
    for (const path of ['acknowledge', 'retry']) {
      const attempts = path === 'retry' ? { attempts: [1, 1] } : {}
      const refused = await post(`${service}/${path}`, { ids: [event!.id, hook.id], ...attempts })
      expect([refused.status, refused.body.message]).toEqual([404, `ids[1]: Event "${hook.id}" not found`])
      const one = path === 'retry' ? { attempts: [1] } : {}
      expect((await post(`${service}/${path}`, { ids: ['one'], ...one })).status).toBe(404)
    }
    const uneven = await post(`${service}/retry`, { ids: [event!.id], attempts: [1, 1] })
    expect([uneven.status, uneven.body.field]).toEqual([400, 'attempts'])
    expect((await post(`${service}/retry`, { ids: [event!.id] })).status).toBe(400)
    expect(await taker.state(admin, service)).toMatchObject({ pending: 1, taken: 1 })
    expect(await taker.acknowledge(admin, service, [event!, event!])).toBe(1)
    expect(await taker.acknowledge(admin, service, [event!])).toBe(0)
  })
})

describe('leases', () => {
  it('give the next events of a conversation only once all of the earlier ones are acknowledged', async () => {
    const { admin } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    const [one, other] = [await hooks.converse(admin), await hooks.converse(admin)]
    for (const text of ['1', '2', '3']) await hooks.say(admin, one, text)
    await hooks.say(admin, other, 'other')
    // Both conversations have their part of the two.
    const first = await taker.take(admin, service, { max: 2 })
    expect(texts(first).toSorted()).toEqual(['1', 'other'])
    expect(await taker.take(admin, service)).toEqual([])
    await taker.acknowledge(admin, service, first)
    const second = await taker.take(admin, service)
    expect(texts(second)).toEqual(['2', '3'])
    await taker.acknowledge(admin, service, second.slice(0, 1))
    await hooks.say(admin, one, '4')
    expect(await taker.take(admin, service)).toEqual([])
    await taker.acknowledge(admin, service, second.slice(1))
    expect(texts(await taker.take(admin, service))).toEqual(['4'])
  })

  it('end after a minute, and what is acknowledged later counts all the same', async () => {
    const { admin } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    const conversation = await hooks.converse(admin)
    await hooks.say(admin, conversation, '1')
    const late = await taker.take(admin, service)
    app.clock.advance(LEASE_MS + 1_000)
    expect(await taker.acknowledge(admin, service, late)).toBe(1)
    await hooks.say(admin, conversation, '2')
    const lost = await taker.take(admin, service)
    expect(texts(lost)).toEqual(['2'])
    app.clock.advance(LEASE_MS + 1_000)
    const again = await taker.take(admin, service)
    expect(again).toMatchObject([{ id: lost[0]!.id, attempt: 2 }])
    expect(again[0]!.payload).toEqual(lost[0]!.payload)
  })

  it('end with retry: the event comes again after a pause, ahead of later ones', async () => {
    const { admin } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    const conversation = await hooks.converse(admin)
    await hooks.say(admin, conversation, '1')
    await hooks.say(admin, conversation, '2')
    app.clock.standAt()
    try {
      expect(await taker.retry(admin, service, await taker.take(admin, service, { max: 1 }))).toBe(1)
      expect(await taker.take(admin, service)).toEqual([])
      app.clock.advance(2_000)
      expect(texts(await taker.take(admin, service))).toEqual(['1', '2'])
    } finally {
      app.clock.goOn()
    }
  })

  it('that have ended give nothing back that another consumer has taken since', async () => {
    const { admin } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    const conversation = await hooks.converse(admin)
    for (const text of ['1', '2']) await hooks.say(admin, conversation, text)
    const slow = await taker.take(admin, service, { max: 1 })
    app.clock.advance(LEASE_MS + 1_000)
    const other = await taker.take(admin, service)
    expect(texts(other)).toEqual(['1', '2'])
    expect(await taker.retry(admin, service, slow)).toBe(0)
    app.clock.advance(10_000)
    // The other one has them still: no third gets them beside it.
    expect(await taker.take(admin, service)).toEqual([])
    expect(await taker.retry(admin, service, [...slow, other[1]!])).toBe(1)
    expect(await taker.acknowledge(admin, service, other.slice(0, 1))).toBe(1)
    app.clock.advance(10_000)
    expect(texts(await taker.take(admin, service))).toEqual(['2'])
  })

  it('are shared by consumers: each event comes to one of them, in order within its conversation', async () => {
    const { admin, bot } = await hooks.center()
    const service = await taker.register(admin, { ...MESSAGES, bot: bot.id })
    const conversations = await Promise.all(Array.from({ length: 6 }, () => hooks.converse(admin)))
    const writing = Promise.all(
      conversations.map(async (id, at) => {
        for (let nth = 0; nth < 10; nth++) await hooks.say(admin, id, `${at} ${nth}`)
      }),
    )
    const got: Taken[] = []
    const consume = async (as: MadeUser): Promise<void> => {
      while (got.length < 60) {
        const taken = await taker.take(as, service, { max: 4, waitSeconds: 1 })
        got.push(...taken)
        if (taken.length > 0) await taker.acknowledge(as, service, taken)
      }
    }
    await Promise.all([writing, consume(admin), consume(bot), consume(bot)])
    expect(new Set(got.map(({ id }) => id)).size).toBe(60)
    for (const at of conversations.keys()) {
      const own = texts(got).filter((text) => text.startsWith(`${at} `))
      expect(own).toEqual(Array.from({ length: 10 }, (_, nth) => `${at} ${nth}`))
    }
  })
})

describe('a take that waits', () => {
  it('is answered when there is an event, also one that another consumer held', async () => {
    const { admin } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    const conversation = await hooks.converse(admin)
    const answer = taker.take(admin, service, { waitSeconds: 25 })
    await until(async () => (await waiting()) === 1)
    await hooks.say(admin, conversation, '1')
    const taken = await answer
    expect(texts(taken)).toEqual(['1'])
    await hooks.say(admin, conversation, '2')
    const next = taker.take(admin, service, { waitSeconds: 25 })
    await until(async () => (await waiting()) === 1)
    await taker.acknowledge(admin, service, taken)
    expect(texts(await next)).toEqual(['2'])
  })

  it('takes nothing once its connection has ended', async () => {
    const { admin } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    const conversation = await hooks.converse(admin)
    const sent = request(`${app.url}/v2/services/${service}/take`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await app.tokenFor(admin)}` },
    })
    sent.on('error', () => undefined)
    sent.end(JSON.stringify({ waitSeconds: 25 }))
    await until(async () => (await waiting()) === 1)
    sent.destroy()
    await until(async () => (await waiting()) === 0)
    await hooks.say(admin, conversation, 'for the next')
    expect(await taker.take(admin, service)).toMatchObject([{ attempt: 1 }])
  })

  it('is refused when too many of a caller wait', async () => {
    const { admin } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    const conversation = await hooks.converse(admin)
    const waits = Array.from({ length: 20 }, () => taker.take(admin, service, { waitSeconds: 25 }))
    await until(async () => (await waiting()) === 20)
    const refused = await app.rest(admin, 'POST', `/v2/services/${service}/take`, { waitSeconds: 1 })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
    expect(await taker.take(admin, service)).toEqual([])
    for (let nth = 0; nth < 20; nth++) await hooks.say(admin, await hooks.converse(admin), `${nth}`)
    const all = texts((await Promise.all(waits)).flat())
    expect(new Set(all).size).toBe(all.length)
    expect(conversation).toBeDefined()
  })

  it('ends when the node stops, and another node goes on', async () => {
    const { admin } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    const node = await startTestServer({}, { beside: app })
    const there = createTaker(node)
    const answer = there.take(admin, service, { waitSeconds: 25 })
    await until(async () => (await waiting(node.url)) === 1)
    await node.close()
    expect(await answer).toEqual([])
    await hooks.say(admin, await hooks.converse(admin), 'later')
    expect(texts(await taker.take(admin, service))).toEqual(['later'])
  })

  it('hears of events of another node without Redis', async () => {
    const { admin } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    const node = await startTestServer({}, { beside: app })
    try {
      const answer = createTaker(node).take(admin, service, { waitSeconds: 25 })
      await until(async () => (await waiting(node.url)) === 1)
      await hooks.say(admin, await hooks.converse(admin), 'from the other')
      expect(texts(await answer)).toEqual(['from the other'])
    } finally {
      await node.close()
    }
  })
})

describe('together with', () => {
  it('a webhook that is paused: the events are taken all the same, and nothing is sent for them', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    hook.receiver.answer = () => ({ status: 500 })
    const service = await taker.register(admin, MESSAGES)
    const conversation = await hooks.converse(admin)
    for (let nth = 0; nth < 3; nth++) await hooks.say(admin, conversation, String(nth))
    await until(async () => (await hooks.service(admin, hook.id)).webhook!.failures > 0)
    expect(texts(await drain(admin, service))).toEqual(['0', '1', '2'])
    expect((await hooks.service(admin, service)).webhook).toBeNull()
    const log = await hooks.deliveries(admin, service)
    expect(log.map(({ status, attemptCount }) => [status, attemptCount])).toEqual(Array(3).fill(['DELIVERED', 1]))
  })

  it('redelivery and replay', async () => {
    const { admin } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    const conversation = await hooks.converse(admin)
    const since = app.clock.now().toISOString()
    for (const text of ['1', '2']) await hooks.say(admin, conversation, text)
    const taken = await drain(admin, service)
    const [delivery] = await hooks.deliveries(admin, service)
    const again = taker.take(admin, service, { waitSeconds: 25 })
    await until(async () => (await waiting()) === 1)
    await app.gql(admin, `mutation { redeliverWebhook(delivery: "${delivery!.id}") }`)
    expect(await again).toMatchObject([{ id: taken[0]!.id, attempt: 2 }])
    await taker.acknowledge(admin, service, await again)
    await app.gql(admin, `mutation { replayWebhook(service: "${service}", since: "${since}") { since } }`)
    const replayed = await until(
      () => taker.state(admin, service),
      ({ pending }) => pending === 2,
    )
    expect(replayed.pending).toBe(2)
    expect(texts(await drain(admin, service))).toEqual(['1', '2'])
  })

  it('an erasure of a contact whose events wait', async () => {
    const { admin } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    const conversation = await hooks.converse(admin)
    await hooks.say(admin, conversation, 'a secret of Eve')
    // Nobody may be at work on it.
    for (const text of ['/accept', '/leave']) {
      await hooks.say(admin, conversation, text, { type: 'command' })
      if (text === '/accept') await hooks.say(admin, conversation, 'an answer', { role: 'agent' })
    }
    const held = await taker.take(admin, service, { max: 1 })
    expect(JSON.stringify(held)).toContain('a secret of Eve')
    const contact = held[0]!.payload.data.contact.id as string
    const { errors } = await app.gql(admin, `mutation { deleteContact(id: "${contact}") }`)
    expect(errors).toBeUndefined()
    await until(async () => (await app.gql(admin, '{ erasures { id } }')).data.erasures.length === 0)
    app.clock.advance(LEASE_MS + 1_000)
    const again = await taker.take(admin, service)
    expect(again[0]).toMatchObject({ id: held[0]!.id, attempt: 2 })
    expect(JSON.stringify(again)).not.toContain('a secret of Eve')
  })

  it('a service that is switched off, changes its type, or is deleted', async () => {
    const { admin } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    const patch = (body: object) => app.rest(admin, 'PATCH', `/v2/services/${service}`, body)
    const conversation = await hooks.converse(admin)
    await hooks.say(admin, conversation, 'kept')
    const taken = await taker.take(admin, service)
    expect((await patch({ status: 'inactive' })).status).toBe(200)
    await hooks.say(admin, conversation, 'unheard')
    const refused = await app.rest(admin, 'POST', `/v2/services/${service}/take`, {})
    expect([refused.status, refused.body.reason]).toEqual([422, 'SERVICE_INACTIVE'])
    expect(await taker.acknowledge(admin, service, taken)).toBe(1)
    expect((await patch({ status: 'active' })).body.status).toBe('active')
    await hooks.say(admin, conversation, 'heard')
    expect(texts(await taker.take(admin, service))).toEqual(['heard'])
    expect((await patch({ type: 'webhook', params: { url: 'http://127.0.0.1:1' } })).body.status).toBe('unverified')
    expect((await app.rest(admin, 'POST', `/v2/services/${service}/take`, {})).status).toBe(422)
    expect((await patch({ type: 'events', params: MESSAGES })).body.status).toBe('active')
    await hooks.say(admin, conversation, 'anew')
    expect(texts(await taker.take(admin, service))).toEqual(['anew'])
    expect((await app.rest(admin, 'DELETE', `/v2/services/${service}`)).status).toBe(204)
    expect((await app.rest(admin, 'POST', `/v2/services/${service}/take`, {})).status).toBe(404)
  })

  it('seven days without a consumer: given up, counted and shown', async () => {
    const { admin, organization } = await hooks.center()
    const service = await taker.register(admin, MESSAGES)
    await hooks.say(admin, await hooks.converse(admin), 'for nobody')
    app.clock.advance(6 * 86_400_000)
    await app.server.maintenance.run()
    // Tokens from before have expired.
    const [sixth, seventh] = [1, 2].map(() => app.makeUser({ organization, role: 'admin' }))
    expect(await taker.state(await sixth!, service)).toMatchObject({ pending: 1, failed: 0 })
    app.clock.advance(86_400_000)
    await app.server.maintenance.run()
    expect(await taker.state(await seventh!, service)).toMatchObject({ pending: 0, failed: 1 })
    const [delivery] = await hooks.deliveries(await seventh!, service)
    expect(delivery).toMatchObject({ status: 'FAILED', error: 'not acknowledged within 7 days' })
    expect(await (await fetch(`${app.url}/metrics`)).text()).toMatch(/^switchboard_events_expired_total [1-9]/m)
    expect(await taker.take(await seventh!, service)).toEqual([])
  })
})
