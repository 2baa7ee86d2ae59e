import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { createFeeds, messagesOf, type Feeds } from './feeds.js'
import { createHooks, type Hooks } from './hooks.js'

let app: TestServer
let hooks: Hooks
let feeds: Feeds

beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  hooks = createHooks(app)
  feeds = createFeeds(app)
})
afterAll(async () => {
  await app.close()
  await hooks.close()
})

const DAY_MS = 86_400_000
const MESSAGES = ['message.create.*']

describe('a feed', () => {
  it('gives what a webhook receives, in the same order within each conversation, and nothing from before it', async () => {
    const { admin } = await hooks.center()
    const conversations = [await hooks.converse(admin), await hooks.converse(admin)]
    await hooks.say(admin, conversations[0]!, 'before')
    const hook = await hooks.register(admin)
    await feeds.begin(admin)
    for (let nth = 0; nth < 4; nth++)
      for (const id of conversations) await hooks.say(admin, id, `${nth}`, nth === 2 ? { role: 'agent' } : undefined)
    await hooks.say(admin, conversations[0]!, '/leave', { type: 'command' })
    await app.rest(admin, 'POST', '/v2/locations', { name: 'Pier' })
    const fed = await feeds.readAll(admin, { limit: 3 })
    expect(messagesOf(fed)).not.toContain('before')
    expect(messagesOf(fed)).toHaveLength(9)
    expect(new Set(fed.map(({ id }) => id)).size).toBe(fed.length)
    // It was there before the feed: its own creation is not in it.
    const received = await until(
      () => hook.receiver.received.filter(({ json }) => !json.event.startsWith('service.')),
      (all) => all.length === fed.filter(({ event }) => !event.startsWith('service.')).length,
    )
    const byId = new Map(received.map(({ json }) => [json.id, json]))
    for (const { id, event, payload } of fed.filter(({ event: name }) => !name.startsWith('service.'))) {
      expect(payload).toEqual(byId.get(id))
      expect(payload).toMatchObject({ id, event })
    }
    for (const conversation of conversations) {
      const own = (all: { data: { conversation?: { id: string } }; id: string }[]) =>
        all.filter(({ data }) => data.conversation?.id === conversation).map(({ id }) => id)
      expect(own(fed.map(({ payload }) => payload))).toEqual(own(received.map(({ json }) => json)))
    }
  })

  it('goes on from the cursor of each event, and of each answer, as often as it is asked', async () => {
    const { admin } = await hooks.center()
    await feeds.begin(admin)
    const start = (await feeds.read(admin)).cursor
    const conversation = await hooks.converse(admin)
    for (const text of ['1', '2', '3']) await hooks.say(admin, conversation, text)
    const all = (await feeds.read(admin, { after: start })).events
    for (const [index, { cursor }] of all.entries()) {
      const rest = await feeds.read(admin, { after: cursor })
      expect(rest.events).toEqual(all.slice(index + 1))
      expect(rest.hasMore).toBe(false)
    }
    const first = await feeds.read(admin, { after: start, limit: 2 })
    expect(first).toMatchObject({ events: all.slice(0, 2), cursor: all[1]!.cursor, hasMore: true })
    expect((await feeds.read(admin)).events.map(({ id }) => id)).toEqual(
      (await feeds.readAll(admin, { limit: 1 })).map(({ id }) => id),
    )
  })

  it('gives events of the wanted types alone, and its cursor passes the others', async () => {
    const { admin } = await hooks.center()
    await feeds.begin(admin)
    const conversation = await hooks.converse(admin)
    await hooks.say(admin, conversation, '1')
    const types = [...MESSAGES, 'location.*']
    const page = await feeds.read(admin, { types })
    expect(messagesOf(page.events)).toEqual(['1'])
    expect(page.events.every(({ event }) => /^(message\.create|location)\./.test(event))).toBe(true)
    await app.rest(admin, 'POST', '/v2/channels', { name: 'Desk' })
    const next = await feeds.read(admin, { types, after: page.cursor })
    expect(next).toMatchObject({ events: [], hasMore: false })
    expect(next.cursor).not.toBe(page.cursor)
    expect((await feeds.read(admin, { after: next.cursor })).events).toEqual([])
    expect((await feeds.read(admin, { after: page.cursor })).events.map(({ event }) => event)).toEqual([
      'channel.create',
    ])
  })

  it('looks through many events of other types by itself, and says that there is more when they are too many', async () => {
    const { admin } = await hooks.center()
    const service = await feeds.begin(admin)
    const { cursor } = await feeds.read(admin)
    await hooks.say(admin, await hooks.converse(admin), 'the last')
    const { database } = app.server
    const of = `from feed_event f where f.feed_id = (select feed_id from webhook where service_id = $1)
      and f.event = 'message.create.contact.chat'`
    // Many of another type before it.
    await database.query(
      `with last as (delete ${of} returning *)
       insert into feed_event (feed_id, xid, event_id, event, at)
       select feed_id, xid, event_id, case when nth = 6000 then event else 'label.create' end, at
       from last, generate_series(1, 6000) nth order by nth`,
      [service],
    )
    const first = await feeds.read(admin, { after: cursor, types: MESSAGES })
    expect(first).toMatchObject({ events: [], hasMore: true })
    expect(messagesOf((await feeds.read(admin, { after: first.cursor, types: MESSAGES })).events)).toEqual(['the last'])
    const waited = await feeds.read(admin, { after: cursor, types: MESSAGES, waitSeconds: 25 })
    expect(messagesOf(waited.events)).toEqual(['the last'])
  })

  it('answers with fewer events than asked when they are large, and at least one', async () => {
    const { admin } = await hooks.center()
    const service = await feeds.begin(admin)
    await hooks.say(admin, await hooks.converse(admin), 'x')
    const { database } = app.server
    const [source] = await database.query<{ id: string }>(
      `select event_id as id from feed_event f join webhook w using (feed_id)
       where w.service_id = $1 and event = 'message.create.contact.chat'`,
      [service],
    )
    const body = JSON.stringify({
      id: source!.id,
      event: 'x',
      timestamp: '',
      organization: '',
      data: { links: {}, text: 'x'.repeat(1_500_000) },
      activity: {},
    })
    await database.query('update webhook_event set body = $2 where id = $1', [source!.id, body])
    await database.query(
      `insert into feed_event (feed_id, xid, event_id, event, at)
       select f.feed_id, f.xid, f.event_id, f.event, f.at from feed_event f, generate_series(1, 9) where f.event_id = $1`,
      [source!.id],
    )
    const sizes: number[] = []
    for (let after: string | undefined; ;) {
      const page = await feeds.read(admin, { types: MESSAGES, ...(after && { after }) })
      if (page.events.length === 0) break
      sizes.push(page.events.length)
      expect(page.hasMore).toBe(sizes.reduce((sum, size) => sum + size, 0) < 10)
      after = page.cursor
    }
    expect(sizes).toEqual([3, 3, 3, 1])
  })

  it('is read by GraphQL as by /v2, and tells what it keeps', async () => {
    const { admin } = await hooks.center()
    const service = await feeds.begin(admin)
    await hooks.say(admin, await hooks.converse(admin), 'hello')
    const page = await feeds.read(admin)
    const query = 'query ($id: ID) { eventFeed(service: $id) { events { id event cursor payload at } cursor hasMore } }'
    const { data } = await app.gql(admin, query, { id: service })
    expect(data.eventFeed).toEqual(page)
    const shown = await app.gql(
      admin,
      'query ($id: ID!) { service(id: $id) { settings { __typename } params webhook { pending } events { pending } feed { begunAt oldestAt newestAt } } }',
      { id: service },
    )
    const { feed, ...rest } = shown.data.service
    expect(rest).toEqual({ settings: null, params: {}, webhook: null, events: null })
    expect(feed.begunAt <= feed.newestAt && feed.oldestAt <= feed.newestAt).toBe(true)
    expect(
      (await app.gql(admin, `{ webhookDeliveries(service: "${service}") { totalCount } }`)).errors![0]!.message,
    ).toBe(`service ${service} is of type "feed", not webhook or events`)
  })
})

describe('a read that begins by a time', () => {
  it('has all from then on', async () => {
    const { admin } = await hooks.center()
    await feeds.begin(admin)
    const conversation = await hooks.converse(admin)
    for (const text of ['1', '2']) await hooks.say(admin, conversation, text)
    app.clock.advance(60_000)
    const since = app.clock.now().toISOString()
    // A seal of the audit log may have come with the next hour.
    const { cursor, events, hasMore } = await feeds.read(admin, { since })
    expect([messagesOf(events), hasMore]).toEqual([[], false])
    for (const text of ['3', '4']) await hooks.say(admin, conversation, text)
    expect(messagesOf(await feeds.readAll(admin, { since, limit: 1 }))).toEqual(['3', '4'])
    expect(messagesOf(await feeds.readAll(admin, { after: cursor }))).toEqual(['3', '4'])
  })

  it('is refused where something is missing, with the time from which nothing is', async () => {
    const { admin } = await hooks.center()
    const before = app.clock.now().toISOString()
    app.clock.advance(1_000)
    await feeds.begin(admin)
    const { status, body } = await app.rest(admin, 'GET', `/v2/events?since=${before}`)
    expect([status, body.reason, body.field]).toEqual([422, 'EVENTS_GONE', 'since'])
    expect(body.message).toContain('the feed began then')
    expect((await feeds.read(admin, { since: body.keptSince })).events).toBeDefined()
  })
})

describe('after seven days', () => {
  it('events are gone: cursors before them are refused by name, those after them go on', async () => {
    const { admin, organization } = await hooks.center()
    const service = await feeds.begin(admin)
    const start = (await feeds.read(admin)).cursor
    const conversation = await hooks.converse(admin)
    for (const text of ['1', '2']) await hooks.say(admin, conversation, text)
    const old = (await feeds.readAll(admin)).map(({ cursor }) => cursor)
    app.clock.advance(6 * DAY_MS)
    await app.server.maintenance.run()
    const sixth = await app.makeUser({ organization, role: 'admin' })
    expect(messagesOf(await feeds.readAll(sixth, { after: start }))).toEqual(['1', '2'])
    const sixthDay = app.clock.now().toISOString()
    await hooks.say(sixth, conversation, '3')
    app.clock.advance(DAY_MS)
    await app.server.maintenance.run()
    const seventh = await app.makeUser({ organization, role: 'admin' })
    for (const after of [start, ...old.slice(0, -1)])
      expect(await feeds.refused(seventh, { after })).toEqual([422, 'EVENTS_GONE', 'after'])
    // Whoever had the last one that expired has missed nothing.
    expect(messagesOf(await feeds.readAll(seventh, { after: old.at(-1)! }))).toEqual(['3'])
    expect(messagesOf(await feeds.readAll(seventh))).toEqual(['3'])
    expect(messagesOf(await feeds.readAll(seventh, { since: sixthDay }))).toEqual(['3'])
    const early = new Date(Date.parse(sixthDay) - 6.5 * DAY_MS).toISOString()
    expect(await feeds.refused(seventh, { since: early })).toEqual([422, 'EVENTS_GONE', 'since'])
    app.clock.advance(8 * DAY_MS)
    await app.server.maintenance.run()
    const later = await app.makeUser({ organization, role: 'admin' })
    const empty = await feeds.read(later)
    // The audit log is sealed by the hour, which may be now.
    expect([messagesOf(empty.events), empty.hasMore]).toEqual([[], false])
    await hooks.say(later, conversation, '4')
    expect(messagesOf(await feeds.readAll(later, { after: empty.cursor }))).toEqual(['4'])
    expect(await feeds.refused(later, { after: old.at(-1)! })).toEqual([422, 'EVENTS_GONE', 'after'])
    expect(await feeds.refused(later, { since: sixthDay })).toEqual([422, 'EVENTS_GONE', 'since'])
    const [kept] = await app.server.database.query<{ count: number }>(
      'select count(*) as count from feed_event f join webhook w using (feed_id) where w.service_id = $1 and f.at < $2',
      [service, new Date(app.clock.now().getTime() - 7 * DAY_MS)],
    )
    expect(kept!.count).toBe(0)
  })

  it('an event that left the log before the feed was pruned is refused, not passed over', async () => {
    const { admin } = await hooks.center()
    const service = await feeds.begin(admin)
    const { cursor } = await feeds.read(admin)
    await hooks.say(admin, await hooks.converse(admin), 'gone')
    await app.server.database.query(
      `delete from event e using webhook_event w, feed_event f, webhook h
       where h.service_id = $1 and f.feed_id = h.feed_id and w.id = f.event_id and e.stream = w.stream and e.number = w.number`,
      [service],
    )
    expect(await feeds.refused(admin, { after: cursor })).toEqual([422, 'EVENTS_GONE', 'after'])
  })
})

describe('a read that waits', () => {
  it('is answered when there is an event; all that wait are', async () => {
    const { admin } = await hooks.center()
    await feeds.begin(admin)
    const conversation = await hooks.converse(admin)
    const { cursor: after } = await feeds.read(admin)
    const reads = [1, 2, 3].map(() => feeds.read(admin, { after, waitSeconds: 25, types: MESSAGES }))
    await until(async () => (await feeds.waiting()) === 3)
    await hooks.say(admin, conversation, 'hello')
    for (const { events } of await Promise.all(reads)) expect(messagesOf(events)).toEqual(['hello'])
    expect(await feeds.waiting()).toBe(0)
  })

  it('hears of events of another node without Redis, and ends when its node stops', async () => {
    const { admin } = await hooks.center()
    await feeds.begin(admin)
    const conversation = await hooks.converse(admin)
    const { cursor: after } = await feeds.read(admin)
    const node = await startTestServer({}, { beside: app })
    const there = createFeeds(node)
    const answer = there.read(admin, { after, waitSeconds: 25, types: MESSAGES })
    await until(async () => (await there.waiting()) === 1)
    await hooks.say(admin, conversation, 'from the other')
    const page = await answer
    expect(messagesOf(page.events)).toEqual(['from the other'])
    const left = there.read(admin, { after: (await feeds.read(admin)).cursor, waitSeconds: 25 })
    await until(async () => (await there.waiting()) === 1)
    await node.close()
    expect(await left).toMatchObject({ events: [], hasMore: false })
  })

  it('is refused when too many of a caller wait', async () => {
    const { admin } = await hooks.center()
    await feeds.begin(admin)
    const conversation = await hooks.converse(admin)
    const { cursor: after } = await feeds.read(admin)
    const reads = Array.from({ length: 20 }, () => feeds.read(admin, { after, waitSeconds: 25, types: MESSAGES }))
    await until(async () => (await feeds.waiting()) === 20)
    const refused = await app.rest(admin, 'GET', `/v2/events?after=${after}&waitSeconds=1`)
    expect([refused.status, refused.headers.get('retry-after'), refused.body.message]).toEqual([
      429,
      '5',
      'more than 20 reads of one caller are waiting',
    ])
    // Who waits keeps nobody from reading.
    expect((await feeds.read(admin, { after })).events).toEqual([])
    await hooks.say(admin, conversation, 'for all')
    expect((await Promise.all(reads)).every(({ events }) => events.length > 0)).toBe(true)
  })
})

describe('what is asked amiss', () => {
  it('is refused by name', async () => {
    const { admin } = await hooks.center()
    expect(await feeds.refused(admin)).toEqual([422, 'NO_FEED', 'service'])
    const service = await feeds.begin(admin)
    const { cursor } = await feeds.read(admin)
    for (const after of ['x', '1.abc', `${cursor}AA`, cursor.slice(2), 'é', 'A'.repeat(2_000)])
      expect(await feeds.refused(admin, { after })).toEqual([400, 'INVALID_VALUE', 'after'])
    for (const [field, args] of [
      ['limit', { limit: 0 }],
      ['limit', { limit: 501 }],
      ['waitSeconds', { waitSeconds: 26 }],
      ['waitSeconds', { waitSeconds: -1 }],
      ['since', { since: 'yesterday' }],
      ['since', { since: app.clock.now().toISOString(), after: cursor }],
      ['types[1]', { types: ['message.*', 'mesage.create'] }],
      ['types[0]', { types: ['!'] }],
    ] as const)
      expect(await feeds.refused(admin, args)).toEqual([400, 'INVALID_VALUE', field])
    const hook = await hooks.register(admin)
    expect((await feeds.refused(admin, { service: hook.id }))[0]).toBe(422)
    expect((await feeds.refused(admin, { service: 'none' })).slice(0, 2)).toEqual([404, 'MALFORMED_ID'])
    for (const params of [{ events: ['message.*'] }, { url: 'https://example.com' }]) {
      const { status, body } = await app.rest(admin, 'PATCH', `/v2/services/${service}`, { params })
      expect([status, body.field]).toEqual([400, `params.${Object.keys(params)[0]}`])
      expect(body.message).toContain('it has none')
    }
    const second = await app.rest(admin, 'POST', '/v2/services', { type: 'feed' })
    expect([second.status, second.body.reason]).toEqual([422, 'TOO_MANY'])
  })

  it('two feeds that begin at the same time are one', async () => {
    const { admin } = await hooks.center()
    const answers = await Promise.all([1, 2, 3].map(() => app.rest(admin, 'POST', '/v2/services', { type: 'feed' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422])
  })
})
