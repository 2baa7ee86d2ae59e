import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Sql } from '../../src/platform/db/database.js'
import { conversationStream } from '../../src/platform/events/event.js'
import { appendEvents, readEpoch } from '../../src/platform/events/streams.js'
import { outgoingEvents } from '../../src/modules/webhooks/outgoing-event.js'
import { recordEvents } from '../../src/modules/webhooks/record-events.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { conversationOf, createFeeds, messagesOf, type Feeds } from './feeds.js'
import { createHooks, type Hooks } from './hooks.js'

let app: TestServer
let hooks: Hooks
let feeds: Feeds

beforeAll(async () => {
  app = await startTestServer()
  hooks = createHooks(app)
  feeds = createFeeds(app)
})
afterAll(async () => {
  await app.close()
  await hooks.close()
})

/** A transaction that begins, and commits when it is told to. */
async function begin(): Promise<{
  run: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>
  commit: () => Promise<void>
}> {
  const [begun, end] = [Promise.withResolvers<Sql>(), Promise.withResolvers<void>()]
  // It has its id from the start, as each transaction of the product.
  const ended = app.server.database.sqlTransaction(async (sql) => {
    await sql.query('select pg_current_xact_id()')
    begun.resolve(sql)
    await end.promise
  })
  const sql = await begun.promise
  return {
    run: (work) => work(sql),
    async commit() {
      end.resolve()
      await ended
    },
  }
}

/** Appends an event to a conversation and records it, as the writer does last. */
async function record(sql: Sql, conversation: string): Promise<void> {
  const event = { stream: conversationStream(conversation), type: 'conversation.created', data: { id: conversation } }
  const stored = await appendEvents(sql, [event], app.clock.now())
  await recordEvents(sql, outgoingEvents(await readEpoch(sql), stored), app.clock.now())
}

describe('transactions that overlap', () => {
  let admin: MadeUser
  let after: string
  let conversation: string
  const numbers = async (): Promise<number[]> => {
    const { events } = await feeds.read(admin, { after, types: ['conversation.create'] })
    const ids = events.map(({ id }) => id)
    const rows = await app.server.database.query<{ id: string; number: number }>(
      'select id, number from webhook_event where id = any($1::uuid[])',
      [ids],
    )
    const byId = new Map(rows.map(({ id, number }) => [id, number]))
    return ids.map((id) => byId.get(id)!)
  }
  beforeAll(async () => {
    ;({ admin } = await hooks.center())
    await feeds.begin(admin)
    conversation = await hooks.converse(admin)
    await until(async () => (await feeds.readAll(admin)).some(({ event }) => event === 'conversation.create'))
  })

  it('keep the order of their conversation, also if the later one has the smaller id', async () => {
    after = (await feeds.read(admin)).cursor
    const older = await begin()
    const younger = await begin()
    await younger.run((sql) => record(sql, conversation))
    await younger.commit()
    // Its lock was free only now.
    await older.run((sql) => record(sql, conversation))
    await older.commit()
    const [first, second, ...more] = await numbers()
    expect([second, more]).toEqual([first! + 1, []])
  })

  it('are not passed over: what is committed earlier waits for what may come before it', async () => {
    after = (await feeds.read(admin)).cursor
    const other = await hooks.converse(admin)
    const start = (await feeds.read(admin)).cursor
    const slow = await begin()
    await slow.run((sql) => record(sql, conversation))
    const quick = await begin()
    await quick.run((sql) => record(sql, other))
    await quick.commit()
    const held = await app.rest(admin, 'GET', `/v2/events?after=${start}&waitSeconds=1`)
    expect(held.body).toMatchObject({ events: [], hasMore: false })
    // One that waits has both as soon as the slow one has ended.
    const types = ['conversation.create']
    const waiting = feeds.read(admin, { after: held.body.cursor, waitSeconds: 25, types })
    await until(async () => (await feeds.waiting()) === 1)
    await slow.commit()
    const { events, cursor } = await waiting
    // Of another suite there may be a transaction between the two that has not ended yet.
    const rest = await feeds.readAll(admin, { after: cursor, types })
    const found = [...events, ...rest].map(conversationOf)
    expect(found.toSorted()).toEqual([conversation, other].toSorted())
  })

  it('leave nothing behind when they fail', async () => {
    const start = (await feeds.read(admin)).cursor
    const failing = app.server.database.sqlTransaction(async (sql) => {
      await record(sql, conversation)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect((await feeds.read(admin, { after: start })).events).toEqual([])
  })
})

describe('a database that was restored', () => {
  it('on another server: its events come first, in the order of each conversation, and cursors from before are refused', async () => {
    const { admin } = await hooks.center()
    const service = await feeds.begin(admin)
    const { database } = app.server
    const conversation = await hooks.converse(admin)
    for (const text of ['1', '2', '3']) await hooks.say(admin, conversation, text)
    const before = await feeds.readAll(admin)
    const feed = `(select feed_id from webhook where service_id = '${service}')`
    // Transactions of the other server, of which this one has not reached the ids yet.
    await database.query(`update feed_event set xid = xid + 9000000000 where feed_id = ${feed}`)
    await database.query(`update event_feed set database_id = 1 where id = ${feed}`)
    await hooks.say(admin, conversation, '4')
    const refused = await app.rest(admin, 'GET', '/v2/events')
    expect([refused.status, refused.body.reason]).toEqual([503, 'TEMPORARILY_UNAVAILABLE'])
    await app.server.maintenance.run()
    await hooks.say(admin, conversation, '5')
    for (const { cursor } of before)
      expect(await feeds.refused(admin, { after: cursor })).toEqual([422, 'CURSOR_UNKNOWN', 'after'])
    expect(messagesOf(await feeds.readAll(admin, { limit: 2 }))).toEqual(['1', '2', '3', '4', '5'])
  })

  it('to an earlier time: a cursor of a lost event is refused, one of an event that is there goes on', async () => {
    const { admin } = await hooks.center()
    await feeds.begin(admin)
    const { database } = app.server
    const conversation = await hooks.converse(admin)
    for (const text of ['1', '2']) await hooks.say(admin, conversation, text)
    const kept = (await feeds.readAll(admin)).at(-1)!
    const { cursor: keptCursor } = await feeds.read(admin, { after: kept.cursor })
    await hooks.say(admin, conversation, 'lost')
    const lost = (await feeds.readAll(admin, { after: kept.cursor })).map(({ id, cursor }) => ({ id, cursor }))
    // Its numbers are given again, to other events.
    const ids = lost.map(({ id }) => id)
    const gone = await database.query<{ xid: number; number: number }>(
      'delete from feed_event where event_id = any($1::uuid[]) returning xid, number',
      [ids],
    )
    await hooks.say(admin, conversation, 'another')
    for (const { xid, number } of gone)
      await database.query(
        `update feed_event set xid = $1 where number = (
           select min(number) from feed_event where number > $2 and xid > $1)`,
        [xid, number],
      )
    for (const { cursor } of lost)
      expect(await feeds.refused(admin, { after: cursor })).toEqual([422, 'CURSOR_UNKNOWN', 'after'])
    for (const after of [kept.cursor, keptCursor])
      expect(messagesOf(await feeds.readAll(admin, { after }))).toEqual(['another'])
  })
})
