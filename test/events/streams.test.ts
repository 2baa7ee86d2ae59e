import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import pino from 'pino'
import { systemClock } from '../../src/platform/db/clock.js'
import { Database } from '../../src/platform/db/database.js'
import { Dispatcher } from '../../src/platform/events/dispatcher.js'
import { maintainEventPartitions } from '../../src/platform/events/event-partitions.js'
import { NOWHERE, type StoredEvent } from '../../src/platform/events/event.js'
import { appendEvents, ensureStreams, readEvents, readHeads } from '../../src/platform/events/streams.js'
import { Maintenance, type MaintenanceTask } from '../../src/platform/maintenance/maintenance.js'
import { pruneIdempotencyKeys } from '../../src/platform/limits/idempotency.js'
import { pruneTokens } from '../../src/modules/auth/token-families.js'
import { makeEmptyDatabase, type TestDatabase } from '../support/database.js'
import { FakeClock } from '../support/test-server.js'
import { until } from '../support/until.js'

const log = pino({ level: 'silent' })
const DAY_MS = 86_400_000
let made: TestDatabase
let database: Database
beforeAll(async () => {
  made = await makeEmptyDatabase()
  database = await Database.open({ url: made.url, poolSize: 12, entities: [], log })
  await database.migrate()
})
afterAll(async () => {
  await database.close()
  await made.drop()
})

const append = (streams: string[], at = systemClock.now()) =>
  database.sqlTransaction((sql) =>
    appendEvents(
      sql,
      streams.map((stream, index) => ({ stream, type: 'happened', data: { index } })),
      at,
    ),
  )
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

describe('numbers of a stream', () => {
  it('have no gaps and become visible in their order, under many writers, some of whom fail', async () => {
    const streams = Array.from({ length: 6 }, (_each, index) => `gapless:${index}`)
    const heads = new Map<string, number>()
    const run = { isWriting: true }
    const reader = (async () => {
      let reads = 0
      for (; run.isWriting; reads++) {
        for (const stream of streams) {
          const position = heads.get(stream) ?? 0
          const events = await readEvents(database, stream, position, 1_000)
          // What is seen is all that there is up to it: nothing comes in between later.
          expect(events.map(({ number }) => number)).toEqual(events.map((_event, index) => position + 1 + index))
          heads.set(stream, position + events.length)
        }
      }
      return reads
    })()
    let written = 0
    const writer = async (): Promise<void> => {
      for (let turn = 0; turn < 60; turn++) {
        // In any order and repeated: the statement sorts them.
        const chosen = Array.from(
          { length: 1 + Math.floor(Math.random() * 8) },
          () => streams[Math.floor(Math.random() * 6)]!,
        )
        if (Math.random() < 0.2) {
          await database
            .sqlTransaction(async (sql) => {
              await appendEvents(
                sql,
                chosen.map((stream) => ({ stream, type: 'undone', data: {} })),
                systemClock.now(),
              )
              throw new Error('undone')
            })
            .catch(() => undefined)
        } else {
          const stored = await append(chosen)
          expect(stored.map(({ stream }) => stream)).toEqual(chosen)
          written += stored.length
        }
      }
    }
    await Promise.all(Array.from({ length: 8 }, writer))
    run.isWriting = false
    expect(await reader).toBeGreaterThan(3)
    const counted = await readHeads(database, streams)
    expect([...counted.values()].reduce((sum, { head }) => sum + head.number, 0)).toBe(written)
    const rows = await database.query(`select 1 from event where stream like 'gapless:%' and type = 'undone'`)
    expect(rows).toEqual([])
  })
})

describe('the dispatcher', () => {
  it('delivers each event once and in order, even if hints are lost, duplicated or late', async () => {
    const dispatcher = new Dispatcher({ sql: database, log, headCheckMs: 50 })
    dispatcher.start()
    await ensureStreams(database, ['told'])
    const heard: number[] = []
    dispatcher.listen('told', (await readHeads(database, ['told'])).get('told')!.head, {
      onEvent: ({ number }) => void heard.push(number),
    })
    const late: StoredEvent[][] = []
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let turn = 0; turn < 25; turn++) {
          const stored = await append(['told', 'told'])
          const luck = Math.random()
          if (luck < 0.3) late.push(stored)
          else if (luck < 0.9) dispatcher.events(stored)
          if (luck > 0.8) dispatcher.events(stored.toReversed())
        }
      }),
    )
    for (const stored of late.slice(0, 20)) dispatcher.events(stored)
    // By its own checks: one that is under way already may have read older heads.
    await until(() => heard.length >= 400)
    expect(heard).toEqual(Array.from({ length: 400 }, (_each, index) => index + 1))
    dispatcher.stop()
  })

  it('reports a gap where events have expired, even between two that have not', async () => {
    const dispatcher = new Dispatcher({ sql: database, log })
    await append(['holed', 'holed', 'holed', 'holed', 'holed'])
    await database.query(`delete from event where stream = 'holed' and number in (1, 2, 4)`)
    const told: string[] = []
    dispatcher.listen('holed', NOWHERE, {
      onEvent: ({ number }) => void told.push(`event ${number}`),
      onBreak: (_stream, { number }) => void told.push(`break at ${number}`),
    })
    await dispatcher.reach('holed', 5)
    expect(told).toEqual(['break at 2', 'event 3', 'break at 4', 'event 5'])
  })
})

describe('maintenance', () => {
  const partitions = async (): Promise<string[]> =>
    (
      await database.query<{ name: string }>(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'event'::regclass order by 1`,
      )
    ).map(({ name }) => name)
  const nameOf = (time: Date): string => `event_${time.toISOString().slice(0, 10).replaceAll('-', '')}`
  const keep = (days: number): MaintenanceTask => {
    return { name: 'events', run: (sql, now) => maintainEventPartitions(sql, now, days) }
  }
  const maintenance = (clock: FakeClock, tasks: MaintenanceTask[]) => new Maintenance({ database, clock, log, tasks })

  it('creates the partitions of the coming days, moves early events there, and drops days past the retention', async () => {
    const clock = new FakeClock()
    // No midnight passes by itself.
    clock.standAt()
    const start = clock.now()
    await database.query('delete from event')
    const round = maintenance(clock, [keep(2)])
    await append(['kept', 'kept'], clock.now())
    await round.run()
    const days = [0, 1, 2, 3].map((day) => nameOf(new Date(start.getTime() + day * DAY_MS)))
    expect(await partitions()).toEqual([...days, 'event_default'])
    expect(await database.query('select 1 from event_default')).toEqual([])
    expect((await readEvents(database, 'kept', 0, 10)).map(({ number }) => number)).toEqual([1, 2])

    // Six days without maintenance: what is written comes to the default partition, and nothing is lost.
    clock.advance(6 * DAY_MS)
    await append(['kept'], clock.now())
    expect(await database.query('select 1 from event_default')).toHaveLength(1)
    await round.run()
    expect(await partitions()).toEqual([
      ...[6, 7, 8, 9].map((day) => nameOf(new Date(start.getTime() + day * DAY_MS))),
      'event_default',
    ])
    expect((await readEvents(database, 'kept', 0, 10)).map(({ number }) => number)).toEqual([3])
    // Numbers go on: the stream's counter is kept.
    expect((await append(['kept'], clock.now()))[0]!.number).toBe(4)
    const plan = await database.query<{ 'QUERY PLAN': string }>(
      `explain select * from event where stream = 'x' and number > 3 order by number`,
    )
    expect(JSON.stringify(plan)).not.toContain('Seq Scan')
  })

  it('runs alongside writers, one node at a time', async () => {
    const clock = new FakeClock()
    clock.standAt()
    const run = { isWriting: true }
    const writers = Array.from({ length: 4 }, async () => {
      while (run.isWriting) await append(['busy'], clock.now())
    })
    let running = 0
    const alone: MaintenanceTask = {
      name: 'alone',
      async run() {
        expect(++running).toBe(1)
        await sleep(20)
        running--
      },
    }
    const nodes = Array.from({ length: 3 }, () => maintenance(clock, [keep(1), alone]))
    for (let day = 0; day < 8; day++) {
      clock.advance(DAY_MS)
      await Promise.all(nodes.map((node) => node.run()))
      await nodes[0]!.run()
    }
    const now = clock.now()
    const written = `select 1 from event where stream = 'busy' and at = $1 limit 1`
    await until(async () => (await database.query(written, [now])).length > 0)
    run.isWriting = false
    await Promise.all(writers)
    expect(await partitions()).toEqual(
      [-1, 0, 1, 2, 3].map((day) => nameOf(new Date(now.getTime() + day * DAY_MS))).concat('event_default'),
    )
    const head = (await readHeads(database, ['busy'])).get('busy')!.head.number
    const left = await readEvents(database, 'busy', 0, 1_000_000)
    expect(left.at(-1)!.number).toBe(head)
    // A writer that waited over midnight has the number of the new day and the time of the old one: near the day that
    // was dropped there may be holes, which readers notice. What was written on a day that is kept is all there.
    const day = now.toISOString().slice(0, 10)
    const kept = left.slice(left.findIndex(({ at }) => at.toISOString().startsWith(day))).map(({ number }) => number)
    expect(kept).toEqual(kept.map((_number, index) => kept[0]! + index))
    expect(kept.length).toBeGreaterThan(0)
  })

  it('blocks no writer while a dump reads a partition to be dropped, and drops it afterwards', async () => {
    const clock = new FakeClock()
    clock.standAt()
    clock.advance(30 * DAY_MS)
    await maintenance(clock, [keep(1)]).run()
    const expired = nameOf(clock.now())
    expect(await partitions()).toContain(expired)
    clock.advance(5 * DAY_MS)
    const dump = new pg.Client({ connectionString: made.url })
    const writer = new pg.Client({ connectionString: made.url })
    await Promise.all([dump.connect(), writer.connect()])
    // As pg_dump reads.
    await dump.query('begin isolation level repeatable read')
    await dump.query('lock table event in access share mode')
    await writer.query(`set lock_timeout = '2s'`)
    const query = async (text: string, values: readonly unknown[] = []): Promise<never[]> =>
      (await writer.query(text, [...values])).rows as never[]
    const sql = { query }
    let isOver = false
    const daily = maintenance(clock, [keep(1)])
    const first = daily.run().finally(() => (isOver = true))
    let written = 0
    // It gives up in the end: the next round tries again.
    for (; !isOver; written++) {
      await appendEvents(sql, [{ stream: 'dumped', type: 'happened', data: {} }], clock.now())
      await readEvents(database, 'dumped', written, 1)
    }
    await first
    expect(written).toBeGreaterThan(0)
    expect(await partitions()).toContain(expired)
    await dump.query('commit')
    await Promise.all([dump.end(), writer.end()])
    await daily.run()
    expect(await partitions()).not.toContain(expired)
  })

  it('continues with the other tasks when one fails', async () => {
    let ran = 0
    const fails = { name: 'fails', run: () => Promise.reject(new Error('no')) }
    await maintenance(new FakeClock(), [fails, { name: 'runs', run: async () => void ran++ }]).run()
    expect(ran).toBe(1)
  })

  it('deletes idempotency keys after 24 hours, and tokens and their families when they have expired', async () => {
    const clock = new FakeClock()
    const ago = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000)
    for (const [key, hours] of [
      ['old', 24.1],
      ['new', 23.9],
    ] as const) {
      await database.query(
        `insert into idempotency_key (caller, key, request_hash, created_at) values ('c', $1, 'h', $2)`,
        [key, ago(hours)],
      )
    }
    const families = { live: systemClock.newId(), ended: systemClock.newId() }
    for (const [id, hours] of [
      [families.live, -1],
      [families.ended, 1],
    ] as const) {
      await database.query('insert into token_family (id, created_at, expires_at) values ($1, $2, $3)', [
        id,
        ago(900),
        ago(hours),
      ])
    }
    // Of the living family: spent but not expired, and expired.
    for (const [family, hours] of [
      [families.live, -1],
      [families.live, 1],
      [families.ended, 1],
    ] as const) {
      await database.query(
        'insert into refresh_token (id, family_id, created_at, expires_at, spent_at) values ($1, $2, $3, $4, $3)',
        [systemClock.newId(), family, ago(800), ago(hours)],
      )
    }
    await maintenance(clock, [
      { name: 'keys', run: pruneIdempotencyKeys },
      { name: 'tokens', run: pruneTokens },
    ]).run()
    expect(await database.query('select key from idempotency_key')).toEqual([{ key: 'new' }])
    expect(await database.query('select id from token_family')).toEqual([{ id: families.live }])
    expect(
      await database.query('select family_id, expires_at > $1 as is_live from refresh_token', [clock.now()]),
    ).toEqual([{ family_id: families.live, is_live: true }])
  })
})
