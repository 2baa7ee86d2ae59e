import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { buildSchema } from 'graphql'
import pino from 'pino'
import { Context } from '../../src/platform/context.js'
import { systemClock } from '../../src/platform/db/clock.js'
import { Database } from '../../src/platform/db/database.js'
import { Dispatcher } from '../../src/platform/events/dispatcher.js'
import type { LiveFeed } from '../../src/platform/events/live-feed.js'
import { appendEvents } from '../../src/platform/events/streams.js'
import { Metrics } from '../../src/platform/metrics.js'
import { FanOutGroup, type GroupMember } from '../../src/api/realtime/fan-out-group.js'
import { readLiveDocument } from '../../src/api/realtime/live-document.js'
import { LoaderCache } from '../../src/api/realtime/loader-cache.js'
import { SharedReads } from '../../src/api/realtime/shared-reads.js'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { openOperations } from '../support/operations.js'

const SCHEMA = buildSchema(`type Query { ok: Boolean } type Subscription { ticks: Tick! } type Tick { nth: Int! }`)
const STREAM = 'ticks:all'
/** More turns of the queue of microtasks than an event takes from being heard to being passed. */
const TURNS = 24

const log = pino({ level: 'silent' })
let made: TestDatabase
let database: Database
beforeAll(async () => {
  made = await makeDatabase()
  database = await Database.open({ url: made.url, poolSize: 4, entities: [], log })
  await database.migrate()
})
afterAll(async () => {
  await database?.close()
  await made?.drop()
})

const FEED: LiveFeed = {
  streams: [STREAM],
  audience: 'all',
  snapshot: async () => ({ __typename: 'Tick', nth: 0 }),
  toEvent: ({ data }) => ({ __typename: 'Tick', ...data }),
}

/** A group whose events come by a dispatcher, and a member that hears how many frames it is given. */
async function openGroup() {
  const dispatcher = new Dispatcher({ sql: database, log })
  const operations = openOperations(SCHEMA, 1_000_000_000)
  const services = {
    ...{ dispatcher, operations, clock: systemClock, log, metrics: new Metrics() },
    reads: new SharedReads(database),
    loaderCache: new LoaderCache(),
  }
  const document = readLiveDocument(SCHEMA, operations.prepare('subscription { ticks { nth } }'), {})
  const group = new FanOutGroup(services, document, [STREAM], 'ticks')
  const newContext = (): Context =>
    new Context({ database, clock: systemClock, log, caller: null, requestId: 'test', address: '127.0.0.1' })
  const memberOf = (heard: { frames: number }): GroupMember => ({
    callerKey: null,
    hidesContacts: false,
    mask: null,
    feed: FEED,
    newContext,
    deliver: () => void heard.frames++,
    resync: () => undefined,
    reconsider: () => undefined,
    complete: () => undefined,
  })
  await group.ready
  return { group, dispatcher, memberOf }
}

const tick = (nth: number) =>
  database.sqlTransaction((sql) => appendEvents(sql, [{ stream: STREAM, type: 'ticked', data: { nth } }], new Date()))

describe('a member that is attached while an event is being delivered to nobody', () => {
  it('receives it, or is attached after it, in any order', async () => {
    const { group, dispatcher, memberOf } = await openGroup()
    const lost: number[] = []
    for (let turns = 0; turns < TURNS; turns++) {
      const heard = { frames: 0 }
      const member = memberOf(heard)
      group.members.add(member)
      const [event] = await tick(turns)
      dispatcher.publish([event!])
      for (let turn = 0; turn < turns; turn++) await null
      const { number } = group.attach(member).get(STREAM)!
      await group.reach(new Map([[STREAM, { number: event!.number, tag: event!.tag! }]]))
      // Exactly one of both: told of it, or begun behind it.
      if (heard.frames + (number >= event!.number ? 1 : 0) !== 1) lost.push(turns)
      group.detach(member)
      group.members.delete(member)
    }
    expect(lost).toEqual([])
    group.stop()
  })
})
