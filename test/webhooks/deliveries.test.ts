import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordFailed } from '../../src/modules/webhooks/attempt-store.js'
import { LeftPlace } from '../../src/platform/fairness/left-place.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { createHooks, type Hook, type Hooks } from './hooks.js'
import type { Received, ReceiverAnswer } from './receiver.js'
import { until } from '../support/until.js'

let app: TestServer
let hooks: Hooks

beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { pace: 10 })
  hooks = createHooks(app)
})
afterEach(() => app.clock.goOn())
afterAll(async () => {
  await app.close()
  await hooks.close()
})

const MESSAGES = { events: ['message.create.contact.chat'] }
const texts = (received: readonly Received[]) => received.map(({ json }) => json.data.message?.text)
const ids = (received: readonly Received[]) => received.map(({ json }) => json.id)

/** Waits until what was received is recorded too: the attempts are counted by then. */
const recorded = (admin: MadeUser, { id }: Hook): Promise<unknown> =>
  until(async () => (await hooks.deliveries(admin, id)).every(({ status }) => status === 'DELIVERED'))

/** The clock goes on, and with it what is due; tokens made before it may have expired. */
async function advance(ms: number, user: MadeUser): Promise<MadeUser> {
  app.clock.advance(ms)
  return app.makeUser({ organization: user.organization, role: user.role })
}

describe('a delivery', () => {
  it('is retried with the same bytes and id until it is accepted, each attempt recorded', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    const answers: ReceiverAnswer[] = [
      // A cut of a connection that was used before would be taken for its end, and made good at once.
      { status: 500, body: 'out of order', headers: { connection: 'close' } },
      { isCut: true },
      { status: 302, headers: { location: hook.receiver.url } },
      { status: 204 },
    ]
    hook.receiver.answer = () => answers[hook.receiver.received.length - 1]!
    // No attempt is made by itself meanwhile.
    app.clock.standAt()
    await hooks.say(admin, await hooks.converse(admin), 'hello')
    for (let attempt = 1; attempt < 4; attempt++) {
      await hook.receiver.count(attempt)
      await until(async () => (await hooks.deliveries(admin, hook.id))[0]?.attemptCount === attempt)
      app.clock.advance(10_000)
    }
    await hook.receiver.count(4)
    await until(async () => (await hooks.deliveries(admin, hook.id))[0]?.status === 'DELIVERED')
    const [delivery] = await hooks.deliveries(admin, hook.id)
    expect(delivery).toMatchObject({
      event: 'message.create.contact.chat',
      attemptCount: 4,
      statusCode: 204,
      error: null,
    })
    expect(delivery!.attempts).toMatchObject([
      { number: 1, statusCode: 500, error: 'answered 500', response: 'out of order' },
      { number: 2, statusCode: null, error: expect.stringMatching(/socket hang up|ECONNRESET/) },
      { number: 3, statusCode: 302, error: 'answered 302: redirects are not followed' },
      { number: 4, statusCode: 204, error: null },
    ])
    expect(new Set(hook.receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(ids(hook.receiver.received))).toEqual(new Set([delivery!.eventId]))
    expect(delivery!.body).toBe(hook.receiver.received[0]!.body)
    const stamps = hook.receiver.received.map(({ headers }) => headers['webhook-timestamp'])
    expect(new Set(stamps).size).toBe(4)
  })

  it('waits as long as Retry-After asks, and no longer than an hour', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    hook.receiver.answer = () => ({ status: 429, headers: { 'retry-after': '86400' } })
    await hooks.say(admin, await hooks.converse(admin), 'not now')
    await hook.receiver.count(1)
    await until(async () => (await hooks.deliveries(admin, hook.id))[0]?.attemptCount === 1)
    app.clock.advance(60_000)
    // What is due by now is sent to another one, and it was due long before.
    const witness = await hooks.register(admin, MESSAGES)
    await hooks.say(admin, await hooks.converse(admin), 'to both')
    await witness.receiver.count(1)
    expect(texts(hook.receiver.received).filter((text) => text === 'not now')).toHaveLength(1)
    app.clock.advance(3_600_000)
    await until(() => texts(hook.receiver.received).filter((text) => text === 'not now').length === 2)
  })

  it('blocks those after it in its conversation, and no others', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    const other = await hooks.register(admin, MESSAGES)
    const [stuck, free] = [await hooks.converse(admin), await hooks.converse(admin)]
    let isBroken = true
    hook.receiver.answer = ({ json }) => ({ status: isBroken && json.data.conversation.id === stuck ? 500 : 200 })
    for (const number of [1, 2, 3]) {
      await hooks.say(admin, stuck, `stuck ${number}`)
      await hooks.say(admin, free, `free ${number}`)
    }
    const of = (receiver: Hook['receiver'], start: string) =>
      texts(receiver.received).filter((text) => text.startsWith(start))
    await until(() => of(hook.receiver, 'free').length === 3 && of(other.receiver, 'stuck').length === 3)
    await until(() => of(hook.receiver, 'stuck').length > 0)
    expect([of(hook.receiver, 'free'), of(other.receiver, 'stuck')]).toEqual([
      ['free 1', 'free 2', 'free 3'],
      ['stuck 1', 'stuck 2', 'stuck 3'],
    ])
    expect(new Set(of(hook.receiver, 'stuck'))).toEqual(new Set(['stuck 1']))
    isBroken = false
    app.clock.advance(60_000)
    await until(() => of(hook.receiver, 'stuck').includes('stuck 3'))
    expect([...new Set(of(hook.receiver, 'stuck'))]).toEqual(['stuck 1', 'stuck 2', 'stuck 3'])
  })

  it('shares its endpoint with at most seven others concurrently, and is not blocked by a slow one', async () => {
    const { admin } = await hooks.center()
    const slow = await hooks.register(admin, MESSAGES)
    const quick = await hooks.register(admin, MESSAGES)
    const held = Promise.withResolvers<void>()
    slow.receiver.answer = () => ({ after: held.promise })
    const conversations = await Promise.all(Array.from({ length: 20 }, () => hooks.converse(admin)))
    await Promise.all(conversations.map((conversation) => hooks.say(admin, conversation, 'hello')))
    await quick.receiver.count(20)
    await slow.receiver.count(8)
    expect(slow.receiver.received).toHaveLength(8)
    held.resolve()
    await slow.receiver.count(20)
    expect(slow.receiver.busiest).toBe(8)
  })

  it('keeps the order of a conversation with many writers, and repeats nothing', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, { events: ['message.create.contact.*'] })
    const conversations = await Promise.all(Array.from({ length: 4 }, () => hooks.converse(admin)))
    await Promise.all(
      conversations.flatMap((conversation) =>
        Array.from({ length: 25 }, (_, index) => hooks.say(admin, conversation, `${index}`)),
      ),
    )
    await hook.receiver.count(100)
    for (const conversation of conversations) {
      const { body } = await app.rest(
        admin,
        'GET',
        `/v2/conversations/${conversation}/messages?limit=100&sort=createdAt`,
      )
      const heard = hook.receiver.received.filter(({ json }) => json.data.conversation.id === conversation)
      const stream = await app.server.database.query<{ id: string }>(
        `select data -> 'message' ->> 'id' as id from event where stream = $1 and type = 'message.added'
         order by number`,
        [`conversation:${conversation}`],
      )
      expect(heard.map(({ json }) => json.data.message.id)).toEqual(stream.map(({ id }) => id))
      expect(body).toHaveLength(25)
    }
    expect(hook.receiver.received).toHaveLength(100)
  })
})

describe('a partition of deliveries', () => {
  it('is taken over immediately when its runner is dead, long before its lease expires', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    let isBroken = true
    hook.receiver.answer = () => ({ status: isBroken ? 500 : 200, headers: { 'retry-after': '3600' } })
    await hooks.say(admin, await hooks.converse(admin), 'hello')
    await until(async () => (await hooks.deliveries(admin, hook.id))[0]?.attemptCount === 1)
    isBroken = false
    await app.server.database.query(
      `update webhook_partition set leased_by = 1, leased_until = $2, due_at = $1 where service_id = $3`,
      [app.clock.now(), new Date(app.clock.now().getTime() + 3_600_000), hook.id],
    )
    await hook.receiver.count(2)
    expect(hook.receiver.received).toHaveLength(2)
  })
})

describe('the duration of an attempt', () => {
  it("is the receiver's, without the wait for a place to record it", async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    let answeredMs = 0
    const slow = async (wait: () => Promise<unknown>): Promise<unknown> => {
      const since = performance.now()
      const answer = await wait()
      // Of two deliveries, either may be looked at.
      answeredMs = Math.max(answeredMs, performance.now() - since)
      await sleep(50)
      return answer
    }
    const spied = jest.spyOn(LeftPlace.prototype, 'outside').mockImplementation(slow as LeftPlace['outside'])
    try {
      await hooks.say(admin, await hooks.converse(admin), 'hello')
      await until(async () => (await hooks.deliveries(admin, hook.id))[0]?.status === 'DELIVERED')
    } finally {
      spied.mockRestore()
    }
    const [delivery] = await hooks.deliveries(admin, hook.id)
    expect(answeredMs).toBeGreaterThan(0)
    expect(delivery!.attempts[0]!.durationMs).toBeLessThanOrEqual(Math.ceil(answeredMs))
  })
})

describe('a runner that was paused', () => {
  it('does not overwrite what another one has recorded since, nor count its failure', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    await hooks.say(admin, await hooks.converse(admin), 'hello')
    await until(async () => (await hooks.deliveries(admin, hook.id))[0]?.status === 'DELIVERED')
    const [before] = await hooks.deliveries(admin, hook.id)
    const paused = { id: before!.id, serviceId: hook.id, attempts: 0, pendingSince: app.clock.now(), redactions: 0 }
    const outcome = { at: app.clock.now(), durationMs: 1, statusCode: null, error: 'timed out', response: null }
    expect(await recordFailed(app.server.database, paused, outcome, { isOver: true, heldUntil: null })).toBeNull()
    expect(await hooks.deliveries(admin, hook.id)).toEqual([before])
    expect((await hooks.service(admin, hook.id)).webhook).toMatchObject({ failures: 0, lastError: null })
  })
})

describe('a receiver that asks to wait', () => {
  it('is sent nothing of any conversation until then, whatever node is asked, and does not count as failing', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    const watch = await hooks.register(admin, MESSAGES)
    app.clock.standAt()
    let isBusy = true
    hook.receiver.answer = () => (isBusy ? { status: 429, headers: { 'retry-after': '120' } } : { status: 200 })
    const conversations = await Promise.all(Array.from({ length: 12 }, () => hooks.converse(admin)))
    await hooks.say(admin, conversations[0]!, 'first')
    const { webhook, status } = await until(
      () => hooks.service(admin, hook.id),
      (service) => service.webhook!.heldUntil !== null,
    )
    expect(new Date(webhook!.heldUntil!).getTime() - app.clock.now().getTime()).toBeGreaterThanOrEqual(120_000)
    expect([status, webhook!.failures, webhook!.lastError]).toEqual(['ACTIVE', 0, null])
    const asked = hook.receiver.received.length
    for (const conversation of conversations) await hooks.say(admin, conversation, 'more')
    const other = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { beside: app })
    try {
      app.clock.advance(110_000)
      // What another webhook gets has passed by both nodes' looks at what is due.
      await hooks.say(admin, conversations[1]!, 'and more')
      await watch.receiver.next(({ json }) => json.data.message.text === 'and more')
      expect(hook.receiver.received).toHaveLength(asked)
      isBusy = false
      app.clock.advance(120_000)
      const sent = await until(async () => {
        const deliveries = await hooks.deliveries(admin, hook.id)
        return deliveries.every((delivery) => delivery.status === 'DELIVERED') && deliveries
      })
      expect(sent).toHaveLength(14)
      const ofFirst = hook.receiver.received
        .slice(asked)
        .filter(({ json }) => json.data.conversation.id === conversations[0])
      expect(texts(ofFirst)).toEqual(['first', 'more'])
      expect((await hooks.service(admin, hook.id)).webhook!.heldUntil).toBeNull()
    } finally {
      app.clock.goOn()
      await other.close()
    }
  })

  it('but refuses one event that way again and again, gets the others', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    const conversation = await hooks.converse(admin)
    hook.receiver.answer = ({ json }) =>
      json.data.message.text === 'too much' ? { status: 429, headers: { 'retry-after': '1' } } : { status: 200 }
    await hooks.say(admin, conversation, 'too much')
    await hooks.say(admin, conversation, 'after it')
    await until(async () => {
      app.clock.advance(2_000)
      const deliveries = await hooks.deliveries(admin, hook.id)
      return deliveries.find(({ event, status }) => event.startsWith('message') && status === 'DELIVERED')
    })
    expect((await hooks.service(admin, hook.id)).status).toBe('ACTIVE')
  })
})

describe('an endpoint that keeps failing', () => {
  it('is reported, gets one delivery at a time, is paused after an hour, and recovers with all pending events', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    const watch = await hooks.register(admin, { events: ['service.error'] })
    let isBroken = true
    hook.receiver.answer = () => ({ status: isBroken ? 503 : 200, delayMs: isBroken ? 20 : 0 })
    const conversations = await Promise.all(Array.from({ length: 12 }, () => hooks.converse(admin)))
    await Promise.all(conversations.map((conversation) => hooks.say(admin, conversation, 'are you there?')))
    await hooks.reach(admin, hook.id, 'failing')
    const error = await watch.receiver.next()
    expect(error.json.data.service).toMatchObject({ id: hook.id, status: 'failing', error: 'answered 503' })
    expect((await hooks.service(admin, hook.id)).webhook).toMatchObject({
      pending: 12,
      probeAt: expect.any(String),
      lastError: 'answered 503',
    })

    /** Waits until what was sent is recorded. */
    const isOver = () =>
      until(async () => {
        const counts = (await hooks.deliveries(admin, hook.id)).map(({ attemptCount }) => attemptCount)
        return counts.reduce((sum, count) => sum + count, 0) >= hook.receiver.received.length
      })
    await until(() => hook.receiver.received.length >= 12)
    // Those that were sent before it counted as failing.
    await isOver()
    hook.receiver.busiest = 0
    const tried = hook.receiver.received.length
    app.clock.advance(120_000)
    await until(() => hook.receiver.received.length > tried)
    expect(hook.receiver.busiest).toBe(1)
    app.clock.advance(3_600_000)
    await hooks.reach(admin, hook.id, 'paused')

    await isOver()
    isBroken = false
    // An hour until the next probe, a quarter more or less.
    app.clock.advance(4_500_000)
    await hooks.reach(admin, hook.id, 'active')
    await until(async () => (await hooks.deliveries(admin, hook.id)).every(({ status }) => status === 'DELIVERED'))
    expect((await hooks.service(admin, hook.id)).webhook).toMatchObject({
      pending: 0,
      failures: 0,
      lastError: null,
      probeAt: null,
    })
  })

  it('is revived by hand: by a handshake, or by making it active', async () => {
    const { admin } = await hooks.center()
    const [hook, witness] = [await hooks.register(admin, MESSAGES), await hooks.register(admin, MESSAGES)]
    const { database } = app.server
    for (const revive of [
      () => app.gql(admin, `mutation { verifyWebhook(service: "${hook.id}") { id } }`),
      () => app.rest(admin, 'PATCH', `/v2/services/${hook.id}`, { status: 'active' }),
    ]) {
      await database.query(
        `update webhook set status = 'paused', failures = 40, failing_since = now(),
           probe_at = now() + interval '3 days'
         where service_id = $1`,
        [hook.id],
      )
      await database.query(`update service set status = 'paused' where id = $1`, [hook.id])
      const conversation = await hooks.converse(admin)
      await hooks.say(admin, conversation, 'waiting')
      // One that is not paused has it by now.
      await witness.receiver.next(({ json }) => json.data.conversation.id === conversation)
      expect(hook.receiver.received.some(({ json }) => json.data.conversation.id === conversation)).toBe(false)
      await revive()
      await hook.receiver.next(({ json }) => json.data.conversation.id === conversation)
      expect((await hooks.service(admin, hook.id)).status).toBe('ACTIVE')
    }
  })

  it('has a delivery given up after 24 hours; later ones continue', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    hook.receiver.answer = ({ json }) => ({ status: json.data.message.text === 'poison' ? 400 : 200 })
    const conversation = await hooks.converse(admin)
    await hooks.say(admin, conversation, 'poison')
    await hook.receiver.count(1)
    // Its 24 hours begin with the record of its first attempt.
    await until(async () => (await hooks.deliveries(admin, hook.id))[0]?.attemptCount === 1)
    const later = await advance(24 * 3_600_000, admin)
    await hooks.say(later, conversation, 'food')
    await until(() => texts(hook.receiver.received).filter((text) => text === 'poison').length > 1)
    app.clock.advance(3_600_000)
    await until(() => texts(hook.receiver.received).includes('food'))
    await until(async () => (await hooks.deliveries(later, hook.id))[1]?.status === 'DELIVERED')
    const [poison, food] = await hooks.deliveries(later, hook.id)
    expect([poison!.status, poison!.error, food!.status]).toEqual(['FAILED', 'answered 400', 'DELIVERED'])
    expect(await hooks.deliveries(later, hook.id, { status: { eq: 'failed' } })).toHaveLength(1)
  })

  it('does not fail without an attempt: events that waited while the server was off for a day have 24 hours left', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    // All places of the endpoint are taken by receivers that do not answer, so that one delivery waits for its turn.
    const held = Promise.withResolvers<void>()
    hook.receiver.answer = ({ json }) => (json.data.message.text === 'held' ? { after: held.promise } : {})
    for (let nth = 0; nth < 8; nth += 1) await hooks.say(admin, await hooks.converse(admin), 'held')
    await until(() => hook.receiver.busiest >= 8)
    await hooks.say(admin, await hooks.converse(admin), 'waits')
    const later = await advance(25 * 3_600_000, admin)
    await app.server.maintenance.run()
    const isWaiting = ({ attemptCount, status }: { attemptCount: number; status: string }) =>
      attemptCount === 0 && status === 'FAILED'
    expect((await hooks.deliveries(later, hook.id)).filter(isWaiting)).toEqual([])
    held.resolve()
    await until(() => texts(hook.receiver.received).includes('waits'))
  })

  it('has no event waiting for longer than a day, even without attempts, and stores nothing forever', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    await app.rest(admin, 'PATCH', `/v2/services/${hook.id}`, {
      params: { url: 'http://127.0.0.1:1/nobody', ...MESSAGES },
    })
    await hooks.say(admin, await hooks.converse(admin), 'into the void')
    let later = await advance(25 * 3_600_000, admin)
    // Not before the address has been asked once more.
    await until(async () => {
      await app.server.maintenance.run()
      return (await hooks.deliveries(later, hook.id))[0]?.status === 'FAILED'
    })
    expect(await hooks.deliveries(later, hook.id)).toMatchObject([{ error: 'not delivered within 24 hours' }])
    later = await advance(9 * 24 * 3_600_000, admin)
    await app.server.maintenance.run()
    expect(await hooks.deliveries(later, hook.id)).toEqual([])
  })
})

describe('redelivery and replay', () => {
  it('send one event again, with the same id and the same bytes', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    await hooks.say(admin, await hooks.converse(admin), 'hello')
    await hook.receiver.count(1)
    await recorded(admin, hook)
    const [delivery] = await hooks.deliveries(admin, hook.id)
    const again = await app.gql(admin, `mutation { redeliverWebhook(delivery: "${delivery!.id}") }`)
    expect(again.data).toEqual({ redeliverWebhook: true })
    const [first, second] = await hook.receiver.count(2)
    expect(second!.body).toBe(first!.body)
    await until(async () => (await hooks.deliveries(admin, hook.id))[0]?.attempts.length === 2)
    expect(await hooks.deliveries(admin, hook.id)).toMatchObject([{ status: 'DELIVERED', attemptCount: 2 }])
  })

  it.each([
    ['accepted', 200],
    ['refused', 500],
  ])('send one again that is under way, and is %s then', async (_what, status) => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    const answered = Promise.withResolvers<void>()
    hook.receiver.answer = () => (hook.receiver.received.length === 1 ? { status, after: answered.promise } : {})
    await hooks.say(admin, await hooks.converse(admin), 'hello')
    await hook.receiver.count(1)
    const [delivery] = await hooks.deliveries(admin, hook.id)
    const again = await app.gql(admin, `mutation { redeliverWebhook(delivery: "${delivery!.id}") }`)
    expect(again.data).toEqual({ redeliverWebhook: true })
    answered.resolve()
    const [first, second] = await hook.receiver.count(2)
    expect(second!.body).toBe(first!.body)
    await until(async () => (await hooks.deliveries(admin, hook.id))[0]?.status === 'DELIVERED')
    expect(await hooks.deliveries(admin, hook.id)).toMatchObject([
      { attemptCount: 2, attempts: [{ statusCode: status }, { statusCode: 200 }] },
    ])
  })

  it('send the log again since a time, including events from before the webhook, in order', async () => {
    const { admin } = await hooks.center()
    const conversations = [await hooks.converse(admin), await hooks.converse(admin)]
    for (const conversation of conversations) await hooks.say(admin, conversation, 'before')
    const hook = await hooks.register(admin, MESSAGES)
    for (const conversation of conversations) await hooks.say(admin, conversation, 'during')
    // Those of two conversations come in any order.
    const second = (await hook.receiver.count(2)).find(({ json }) => json.data.conversation.id === conversations[1])
    await recorded(admin, hook)
    await app.gql(admin, `mutation { replayWebhook(service: "${hook.id}", since: "2020-01-01") { since until } }`)
    await hook.receiver.count(6)
    for (const conversation of conversations) {
      const heard = hook.receiver.received.slice(2).filter(({ json }) => json.data.conversation.id === conversation)
      expect(texts(heard)).toEqual(['before', 'during'])
      expect(heard[0]!.json.timestamp < heard[1]!.json.timestamp).toBe(true)
    }
    expect(new Set(ids(hook.receiver.received)).size).toBe(4)
    await recorded(admin, hook)

    // Since the second event, which happened last.
    await app.gql(admin, `mutation { replayWebhook(service: "${hook.id}", after: "${second!.json.id}") { since } }`)
    await hook.receiver.count(7)
    await recorded(admin, hook)
    const args = `service: "${hook.id}", since: "2020-01-01", conversation: "${conversations[0]}"`
    await app.gql(admin, `mutation { replayWebhook(${args}) { since } }`)
    await hook.receiver.count(9)
    // What comes after all of them in each conversation.
    for (const conversation of conversations) await hooks.say(admin, conversation, 'after')
    await until(() => texts(hook.receiver.received).filter((text) => text === 'after').length === 2)
    expect(hook.receiver.received).toHaveLength(11)
    const last = hook.receiver.received.slice(7).filter(({ json }) => json.data.message.text !== 'after')
    expect(last.map(({ json }) => json.data.conversation.id)).toEqual([conversations[0], conversations[0]])
  })

  it('replay more events than one step takes, each once', async () => {
    const { admin } = await hooks.center()
    const conversation = await hooks.converse(admin)
    for (let batch = 0; batch < 6; batch++) {
      const messages = Array.from({ length: 100 }, (_, index) => ({ role: 'contact', text: `${batch * 100 + index}` }))
      expect((await app.rest(admin, 'POST', `/v2/conversations/${conversation}/messages`, messages)).status).toBe(201)
    }
    const hook = await hooks.register(admin, MESSAGES)
    await app.gql(admin, `mutation { replayWebhook(service: "${hook.id}", since: "2020-01-01") { since } }`)
    await hook.receiver.count(600)
    expect(texts(hook.receiver.received)).toEqual(Array.from({ length: 600 }, (_, index) => `${index}`))
  })

  it('refuse a request without a time or an event', async () => {
    const { admin } = await hooks.center()
    const hook = await hooks.register(admin, MESSAGES)
    const code = async (args: string) =>
      (await app.gql(admin, `mutation { replayWebhook(service: "${hook.id}"${args}) { since } }`)).errors![0]!
        .extensions.code
    expect([await code(''), await code(', since: "2020-01-01", after: "x"'), await code(', after: "x"')]).toEqual([
      'BAD_USER_INPUT',
      'BAD_USER_INPUT',
      'NOT_FOUND',
    ])
    expect(await code(`, after: "${hook.id}"`)).toBe('NOT_FOUND')
  })
})

describe('an answer with messages', () => {
  const answer = (messages: unknown) => ({ body: JSON.stringify({ messages }) })
  const said = async (admin: MadeUser, conversation: string) => {
    const { body } = await app.rest(admin, 'GET', `/v2/conversations/${conversation}/messages?limit=100&sort=createdAt`)
    return (body as { text: string; role: string; user?: string }[]).map(({ text, role, user }) => ({
      text,
      role,
      user,
    }))
  }

  it("joins the conversation as the webhook's bot, once for each event", async () => {
    const { admin, bot } = await hooks.center()
    const hook = await hooks.register(admin, { ...MESSAGES, bot: bot.id })
    hook.receiver.answer = ({ json }) =>
      json.data.message.role === 'contact'
        ? answer([{ text: 'one moment' }, { text: '/set lead true', type: 'command' }])
        : {}
    const conversation = await hooks.converse(admin)
    await hooks.say(admin, conversation, 'hello')
    await until(async () => (await said(admin, conversation)).length === 3)
    expect(await said(admin, conversation)).toEqual([
      { text: 'hello', role: 'contact', user: admin.id },
      { text: 'one moment', role: 'bot', user: bot.id },
      { text: '/set lead true', role: 'bot', user: bot.id },
    ])
    const ofHello = async () => (await hooks.deliveries(admin, hook.id))[0]!
    await until(async () => (await ofHello()).reply !== null)
    expect((await ofHello()).reply).toBe('2 messages added to the conversation, for the team only')

    // As if the process had ended between the answer's messages and the record of the attempt.
    await app.server.database.query('update webhook_delivery set reply = null where id = $1', [(await ofHello()).id])
    for (let times = 2; times <= 3; times++) {
      await app.gql(admin, `mutation { redeliverWebhook(delivery: "${(await ofHello()).id}") }`)
      await until(async () => (await ofHello()).attemptCount === times && (await ofHello()).status === 'DELIVERED')
    }
    expect(await said(admin, conversation)).toHaveLength(3)
    expect((await app.rest(admin, 'GET', `/v2/conversations/${conversation}`)).body.meta).toMatchObject({
      lead: 'true',
    })
  })

  it.each<[string, unknown, RegExp]>([
    ['no list', 'hello', /^refused: messages must be a list/],
    ['the role system', [{ text: 'a' }, { text: 'b', role: 'system' }], /^refused: /],
    ['an unknown command', [{ text: '/dance', type: 'command' }], /^refused: /],
  ])('is refused as a whole with %s, and says so', async (_what, messages, reply) => {
    const { admin, bot } = await hooks.center()
    const hook = await hooks.register(admin, { ...MESSAGES, bot: bot.id })
    hook.receiver.answer = () => answer(messages)
    const conversation = await hooks.converse(admin)
    await hooks.say(admin, conversation, 'hello')
    await until(async () => (await hooks.deliveries(admin, hook.id))[0]?.reply != null)
    expect((await hooks.deliveries(admin, hook.id))[0]).toMatchObject({
      status: 'DELIVERED',
      reply: expect.stringMatching(reply),
    })
    expect(await said(admin, conversation)).toHaveLength(1)
  })

  it('joins without meaningless fields, and names them', async () => {
    const { admin, bot } = await hooks.center()
    const hook = await hooks.register(admin, { ...MESSAGES, bot: bot.id })
    const conversation = await hooks.converse(admin)
    hook.receiver.answer = ({ json }) =>
      json.data.message.role === 'contact' ? answer([{ text: 'a', colour: 'red', conversation }]) : {}
    await hooks.say(admin, conversation, 'hello')
    await until(async () => (await hooks.deliveries(admin, hook.id))[0]?.reply != null)
    expect((await hooks.deliveries(admin, hook.id))[0]).toMatchObject({
      status: 'DELIVERED',
      reply: '1 message added to the conversation, for the team only; ignored: "messages[0].colour"',
    })
    expect((await hooks.service(admin, hook.id)).webhook).toMatchObject({
      lastIgnored: '1 message added to the conversation, for the team only; ignored: "messages[0].colour"',
      lastIgnoredAt: expect.any(String),
    })
  })

  it('is ignored without a bot, or without a conversation; other bodies have no effect', async () => {
    const { admin, bot } = await hooks.center()
    const silent = await hooks.register(admin, MESSAGES)
    const talking = await hooks.register(admin, {
      events: ['contact.create', 'message.create.contact.chat'],
      bot: bot.id,
    })
    silent.receiver.answer = () => answer([{ text: 'hello' }])
    talking.receiver.answer = ({ json }) =>
      json.event === 'contact.create' ? answer([{ text: 'hello' }]) : { body: '{"messages": [broken' }
    const conversation = await hooks.converse(admin)
    await hooks.say(admin, conversation, 'hello')
    await until(async () => (await hooks.deliveries(admin, silent.id))[0]?.status === 'DELIVERED')
    await until(
      async () =>
        (await hooks.deliveries(admin, talking.id)).filter(({ status }) => status === 'DELIVERED').length === 2,
    )
    expect((await hooks.deliveries(admin, silent.id))[0]!.reply).toBe('ignored: params.bot is not set')
    expect((await hooks.service(admin, silent.id)).webhook!.lastIgnored).toBe('ignored: params.bot is not set')
    const replies = new Map((await hooks.deliveries(admin, talking.id)).map(({ event, reply }) => [event, reply]))
    expect(Object.fromEntries(replies)).toEqual({
      'contact.create': 'ignored: the event does not belong to a conversation',
      'message.create.contact.chat': null,
    })
    expect(await said(admin, conversation)).toHaveLength(1)
  })

  it("does not come back as an event, unless the webhook asks for the bot's own messages", async () => {
    const { admin, bot } = await hooks.center()
    const deaf = await hooks.register(admin, { ...MESSAGES, bot: bot.id })
    const hearing = await hooks.register(admin, { ...MESSAGES, bot: bot.id, ownMessages: true })
    deaf.receiver.answer = ({ json }) => (json.data.message.text === 'hello' ? answer([{ text: 'one moment' }]) : {})
    const conversation = await hooks.converse(admin)
    await hooks.say(admin, conversation, 'hello')
    // What the bot passes on is the consumer's.
    await hooks.say(bot, conversation, 'passed on')
    await hooks.say(admin, conversation, 'from an agent', { role: 'agent' })
    await hearing.receiver.count(4)
    await deaf.receiver.count(3)
    expect(new Set(texts(hearing.receiver.received))).toEqual(
      new Set(['hello', 'one moment', 'passed on', 'from an agent']),
    )
    expect(texts(deaf.receiver.received)).toEqual(['hello', 'passed on', 'from an agent'])
    expect((await hooks.deliveries(admin, deaf.id)).map(({ event }) => event)).toHaveLength(3)

    // The setting of a service that is already there.
    const params = { ...MESSAGES, url: deaf.receiver.url, bot: bot.id, ownMessages: true }
    expect((await app.rest(admin, 'PATCH', `/v2/services/${deaf.id}`, { params })).status).toBe(200)
    await hooks.say(bot, conversation, 'from the bot', { role: 'agent' })
    await until(() => texts(deaf.receiver.received).includes('from the bot'))
  })

  it('that answers itself ends, once automations have answered each other five times', async () => {
    const { admin, bot } = await hooks.center()
    const hook = await hooks.register(admin, { ...MESSAGES, bot: bot.id, ownMessages: true })
    hook.receiver.answer = ({ json }) => answer([{ text: `you said: ${json.data.message.text}`.slice(0, 200) }])
    const conversation = await hooks.converse(admin)
    await hooks.say(admin, conversation, 'hello')
    await until(async () =>
      (await hooks.deliveries(admin, hook.id)).some(({ reply }) => reply?.startsWith('refused: depth: 5')),
    )
    // Another one goes on meanwhile: what comes later is done.
    const other = await hooks.converse(admin)
    await hooks.say(admin, other, 'hello')
    // The consumer's, and four answers.
    await until(async () => (await said(admin, other)).length === 5)
    expect(await said(admin, conversation)).toHaveLength(5)
  })
})
