import { afterAll, beforeAll, expect, it } from '@jest/globals'
import pino from 'pino'
import { Random } from '../../bench/chaos/random.js'
import { systemClock } from '../../src/platform/db/clock.js'
import { Database, type Sql } from '../../src/platform/db/database.js'
import { Dispatcher } from '../../src/platform/events/dispatcher.js'
import {
  follows,
  isSamePosition,
  positionOf,
  type StoredEvent,
  type StreamPosition,
} from '../../src/platform/events/event.js'
import { appendEvents, ensureStreams, readEvents, readHeads } from '../../src/platform/events/streams.js'
import { makeDatabase, type TestDatabase } from '../support/database.js'

/**
 * Random histories with rollbacks, against a model: a listener of each stream, and cursors of all ages, of which none may
 * ever take a history for its own that it is not. PostgreSQL's savepoints bring the tables back to an older state.
 */
const ROUNDS = Number(process.env.HISTORY_ROUNDS ?? 100)
const STREAMS_PER_ROUND = 100
const STEPS = 24

const log = pino({ level: 'silent' })
let made: TestDatabase
let database: Database
beforeAll(async () => {
  made = await makeDatabase()
  database = await Database.open({ url: made.url, poolSize: 2, entities: [], log })
  await database.migrate()
})
afterAll(async () => {
  await database.close()
  await made.drop()
})

/** Somebody's knowledge of a stream: the events, by ids that are never given again, and the position it trusts. */
interface Known {
  position: StreamPosition
  ids: readonly number[]
}

interface Listener extends Known {
  stream: string
  cursors: Known[]
  breaks: number
}

class Histories {
  readonly listeners: Listener[]
  readonly faults: string[] = []
  readonly counts = { rollbacks: 0, breaks: 0, honoured: 0, refused: 0 }
  /** The ids up to each place of each history that there ever was. */
  readonly #prefixes = new Map<string, readonly number[]>()
  readonly #dispatcher: Dispatcher
  /** Hints that are still on their way, some of them from histories that are no more. */
  #hints: StoredEvent[] = []
  #savepoints = 0
  #ids = 0

  private constructor(
    private readonly sql: Sql,
    private readonly random: Random,
    heads: Map<string, StreamPosition>,
  ) {
    this.#dispatcher = new Dispatcher({ sql, log })
    this.listeners = [...heads].map(([stream, position]) => ({ stream, position, ids: [], cursors: [], breaks: 0 }))
    for (const listener of this.listeners) {
      this.#prefixes.set(keyOf(listener.stream, listener.position), [])
      this.#dispatcher.listen(listener.stream, listener.position, {
        onEvent: (event) => this.#receive(listener, event),
        onBreak: (_stream, position) => this.#break(listener, position),
      })
    }
  }

  static async begin(sql: Sql, random: Random, names: string[]): Promise<Histories> {
    await ensureStreams(sql, names)
    const heads = await readHeads(sql, names)
    return new Histories(sql, random, new Map(names.map((name) => [name, heads.get(name)!.head])))
  }

  async step(): Promise<void> {
    const luck = this.random.next()
    if (luck < 0.45) return this.#append()
    if (luck < 0.6) return void (await this.sql.query(`savepoint s${(this.#savepoints += 1)}`))
    if (luck < 0.72) return this.#rollBack()
    if (luck < 0.8) return this.#dispatcher.checkHeads()
    for (const listener of this.listeners) {
      if (this.random.chance(0.3)) listener.cursors.push({ position: listener.position, ids: listener.ids })
    }
    this.#tell(0.5)
  }

  /**
   * Checks, when all is quiet, that every listener knows what the database has, and each cursor is found out or goes on
   * right.
   */
  async finish(): Promise<void> {
    this.#tell(1)
    await this.#dispatcher.checkHeads()
    await this.#dispatcher.checkHeads()
    const rows = await this.sql.query<{ stream: string; ids: number[] }>(
      `select stream, array_agg((data ->> 'id')::int order by number) as ids from event group by stream`,
    )
    const truth = new Map(rows.map(({ stream, ids }) => [stream, ids]))
    const heads = await readHeads(
      this.sql,
      this.listeners.map(({ stream }) => stream),
    )
    for (const listener of this.listeners) {
      const { stream, ids } = listener
      const are = truth.get(stream) ?? []
      if (!isSame(ids, are)) this.faults.push(`${stream} knows ${ids.join()} of ${are.join()}`)
      for (const cursor of listener.cursors) await this.#present(stream, cursor, heads.get(stream)!.head, are)
      this.counts.breaks += listener.breaks
    }
    this.#dispatcher.stop()
  }

  /** A cursor goes on exactly if what it knows is the beginning of what there is. */
  async #present(
    stream: string,
    { position, ids }: Known,
    head: StreamPosition,
    truth: readonly number[],
  ): Promise<void> {
    const events = await readEvents(this.sql, stream, position.number, 1_000)
    let at = position
    const isHonoured =
      events.every((event) => follows(at, event) && (at = positionOf(event))) && isSamePosition(at, head)
    const isOfThis = isSame(ids, truth.slice(0, ids.length))
    this.counts[isHonoured ? 'honoured' : 'refused'] += 1
    if (isHonoured !== isOfThis)
      this.faults.push(`${stream}: a cursor of ${ids.join()} in ${truth.join()}: ${isHonoured}`)
  }

  async #append(): Promise<void> {
    const chosen = this.listeners
      .filter(() => this.random.chance(0.4))
      .flatMap(({ stream }) => {
        return Array.from({ length: this.random.chance(0.3) ? 3 : 1 }, () => stream)
      })
    const events = chosen.map((stream) => ({ stream, type: 'happened', data: { id: (this.#ids += 1) } }))
    const stored = await appendEvents(this.sql, events, systemClock.now())
    const before = new Map<string, readonly number[]>()
    for (const event of stored) {
      const { stream, number, tag, previous, data } = event
      const prefix =
        before.get(stream) ?? this.#prefixes.get(keyOf(stream, { number: number - 1, tag: previous! })) ?? []
      const ids = [...prefix, data.id as number]
      before.set(stream, ids)
      this.#prefixes.set(keyOf(stream, { number, tag: tag! }), ids)
    }
    this.#hints.push(...stored)
    this.#tell(0.6)
  }

  async #rollBack(): Promise<void> {
    if (this.#savepoints === 0) return
    this.#savepoints = 1 + Math.floor(this.random.next() * this.#savepoints)
    await this.sql.query(`rollback to savepoint s${this.#savepoints}`)
    this.counts.rollbacks += 1
  }

  /** Tells the dispatcher of what was appended at some time: in its order mostly, late, twice or never. */
  #tell(share: number): void {
    const told = this.#hints.filter(() => this.random.chance(share))
    this.#hints = this.#hints.filter((event) => !told.includes(event) || this.random.chance(0.1)).slice(-400)
    this.#dispatcher.events(this.random.chance(0.8) ? told : told.toReversed())
  }

  #receive(listener: Listener, event: StoredEvent): void {
    listener.position = positionOf(event)
    listener.ids = [...listener.ids, event.data.id as number]
    const are = this.#prefixes.get(keyOf(listener.stream, listener.position))
    if (!are || !isSame(listener.ids, are))
      this.faults.push(`${listener.stream} takes ${listener.ids.join()} for ${are?.join()}`)
  }

  /** As its subscribers do: the state anew, as of that event. */
  #break(listener: Listener, position: StreamPosition): void {
    listener.breaks += 1
    listener.position = position
    listener.ids = this.#prefixes.get(keyOf(listener.stream, position)) ?? []
  }
}

const keyOf = (stream: string, { number, tag }: StreamPosition): string => `${stream}/${number}/${tag}`
const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index])

const undone = new Error('undone')

it(`none of ${ROUNDS * STREAMS_PER_ROUND} random histories with rollbacks has a silent gap`, async () => {
  const seed = Number(process.env.HISTORY_SEED ?? Date.now() % 1_000_000)
  const sums = { rollbacks: 0, breaks: 0, honoured: 0, refused: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const faults: string[] = []
    const play = database.sqlTransaction(async (sql) => {
      const names = Array.from({ length: STREAMS_PER_ROUND }, (_each, index) => `history ${index}`)
      const histories = await Histories.begin(sql, new Random(seed + round), names)
      for (let step = 0; step < STEPS; step += 1) await histories.step()
      await histories.finish()
      faults.push(...histories.faults)
      for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += histories.counts[key]
      throw undone
    })
    await expect(play).rejects.toBe(undone)
    expect({ seed: seed + round, faults: faults.slice(0, 3) }).toEqual({ seed: seed + round, faults: [] })
  }
  process.stdout.write(`seed ${seed}: ${JSON.stringify(sums)}\n`)
  expect(Math.min(...Object.values(sums))).toBeGreaterThan(ROUNDS / 2)
})
