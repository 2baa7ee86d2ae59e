import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import pino from 'pino'
import { systemClock } from '../../src/platform/db/clock.js'
import { Database } from '../../src/platform/db/database.js'
import { Dispatcher, type Ephemeral } from '../../src/platform/events/dispatcher.js'
import type { StoredEvent } from '../../src/platform/events/event.js'
import { RedisHints } from '../../src/platform/events/redis-hints.js'
import { keyIdOf, Sealer } from '../../src/platform/sealing/sealer.js'
import { appendEvents, ensureStreams, readHeads } from '../../src/platform/events/streams.js'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { until } from '../support/until.js'

const log = pino({ level: 'silent' })
const url = process.env.TEST_REDIS_URL
const withRedis = url ? describe : describe.skip

let made: TestDatabase
let database: Database
beforeAll(async () => {
  made = await makeDatabase()
  database = await Database.open({ url: made.url, poolSize: 4, entities: [], log })
  await database.migrate()
})
afterAll(async () => {
  await database.close()
  await made.drop()
})

interface Node {
  dispatcher: Dispatcher
  hints: RedisHints
  numbers: number[]
  ephemerals: Ephemeral[]
  write(count?: number): Promise<StoredEvent[]>
  stop(): Promise<void>
}

const KEY = randomBytes(32)

/** Cuts the connections of this name: other suites have theirs at the same Redis. @returns how many */
async function cut(admin: Redis, name: string, isChosen: (client: string) => boolean): Promise<number> {
  const clients = (await admin.call('CLIENT', 'LIST')) as string
  const own = clients.split('\n').filter((client) => client.includes(` name=${name} `) && isChosen(client))
  for (const client of own) await admin.call('CLIENT', 'KILL', 'ID', /^id=(\d+)/.exec(client)![1]!)
  return own.length
}
/** Later than the nodes' clock by this. */
let laterMs = 0

const openHints = (redisUrl: string, key = KEY): RedisHints =>
  new RedisHints({
    url: redisUrl,
    nodeId: systemClock.newId(),
    sealer: new Sealer([key]),
    now: () => new Date(Date.now() + laterMs),
    log,
  })

/** By default a node that finds out about others' events by hints alone: its check of heads comes after the test. */
async function startNode(stream: string, redisUrl: string, headCheckMs = 600_000): Promise<Node> {
  const hints = openHints(redisUrl)
  const dispatcher = new Dispatcher({ sql: database, log, hints, headCheckMs })
  dispatcher.start()
  await ensureStreams(database, [stream])
  const numbers: number[] = []
  const ephemerals: Ephemeral[] = []
  dispatcher.listen(stream, (await readHeads(database, [stream])).get(stream)!.head, {
    onEvent: ({ number }) => void numbers.push(number),
    onEphemeral: (event) => void ephemerals.push(event),
  })
  return {
    dispatcher,
    hints,
    numbers,
    ephemerals,
    async write(count = 1) {
      const events = Array.from({ length: count }, (_each, index) => ({ stream, type: 'happened', data: { index } }))
      const stored = await database.sqlTransaction((sql) => appendEvents(sql, events, systemClock.now()))
      dispatcher.publish(stored)
      return stored
    },
    async stop() {
      dispatcher.stop()
      await hints.close()
    },
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_each, index) => index + 1)

withRedis('hints by Redis', () => {
  it('carry events and ephemerals to the other nodes, each once and in order', async () => {
    const nodes = await Promise.all([1, 2, 3].map(() => startNode('hinted', url!)))
    // Until its subscription stands, a node hears nothing.
    await until(() => {
      nodes[0]!.dispatcher.publishEphemeral({ stream: 'hinted', type: 'ping', data: {} })
      return nodes.every(({ ephemerals }) => ephemerals.length > 0)
    })
    for (let round = 0; round < 10; round += 1) await nodes[round % 3]!.write(3)
    await until(() => nodes.every(({ numbers }) => numbers.length >= 30))
    for (const { numbers } of nodes) expect(numbers).toEqual(upTo(30))
    await Promise.all(nodes.map((node) => node.stop()))
  })

  it('are not lost when the connections to Redis are cut', async () => {
    // A hint that the writer could not send is made up for by the reader's check of heads.
    const named = `${url!}?connectionName=hints-that-are-cut`
    const [writer, reader] = await Promise.all([startNode('cut', named), startNode('cut', named, 300)])
    const admin = new Redis(url!)
    let [written, cuts] = [0, 0]
    for (let round = 0; round < 8; round += 1) {
      const isSubscriber = (client: string): boolean => !client.includes(' sub=0 ')
      cuts += await cut(admin, 'hints-that-are-cut', (client) => round % 2 === 1 || isSubscriber(client))
      for (let count = 0; count < 20; count += 1) written += (await writer!.write()).length
    }
    await until(() => reader!.numbers.length >= written)
    expect(reader!.numbers).toEqual(upTo(written))
    expect(cuts).toBeGreaterThan(0)
    admin.disconnect()
    await Promise.all([writer!.stop(), reader!.stop()])
  })

  it('are of the installation alone whose key they have, also beside a copy of its database', async () => {
    const node = await startNode('foreign', url!)
    const ofOther = randomBytes(32)
    const other = openHints(url!, ofOther)
    const spy = new Redis(url!)
    const heard = new Set<string>()
    spy.on('pmessage', (_pattern: string, topic: string) => heard.add(topic.split(':')[1]!))
    await Promise.all([KEY, ofOther].map((key) => spy.psubscribe(`switchboard:${keyIdOf(key)}:events:*`)))
    const event = { stream: 'foreign', number: 1, type: 'happened', at: new Date(), data: {}, tag: 1, previous: 0 }
    const same = await startNode('foreign', url!)
    await until(() => {
      same.dispatcher.publishEphemeral({ stream: 'foreign', type: 'ping', data: {} })
      other.publish([event])
      return node.ephemerals.length > 3 && heard.size > 1
    })
    expect([...heard].toSorted()).toEqual([KEY, ofOther].map(keyIdOf).toSorted())
    expect(node.numbers).toEqual([])
    spy.disconnect()
    await Promise.all([node.stop(), same.stop(), other.close()])
  })
})

withRedis('who reaches Redis and is no node', () => {
  it('reads nothing of the hints, and can neither make one nor repeat one with an effect', async () => {
    const [writer, reader] = await Promise.all([startNode('attacked', url!), startNode('attacked', url!)])
    const [spy, attacker] = [new Redis(url!), new Redis(url!)]
    const heard: [topic: string, message: string][] = []
    spy.on('pmessage', (_pattern: string, topic: string, message: string) => heard.push([topic, message]))
    await spy.psubscribe(`switchboard:${keyIdOf(KEY)}:events:*`)
    const typing: Ephemeral = { stream: 'attacked', type: 'typing', data: { user: 'confidential' } }
    await until(() => {
      writer!.dispatcher.publishEphemeral(typing)
      return reader!.ephemerals.length > 0
    })
    const [last] = await writer!.write()
    await until(() => reader!.numbers.length === 1)
    await until(() => heard.length > 1)
    const [[topic]] = heard as [[string, string]]
    expect(heard.map(([, message]) => message).join('')).not.toMatch(/confidential|attacked|happened/)

    // The next number, behind the last event, with everything right but the seal.
    const lie = { ...last!, number: last!.number + 1, previous: last!.tag, data: { lie: true } }
    const message = JSON.stringify({ node: 'x', at: Date.now(), events: [lie], ephemeral: typing })
    const other = new Sealer([randomBytes(32)])
    const place = { table: 'redis', column: 'hint', id: 'topic' }
    const forged = [message, other.seal(place, topic, message), 'x'.repeat(1_000_000), '', '{', 'v1.x.y', 'null']
    const known = reader!.ephemerals.length
    laterMs = 60_000
    for (const each of forged) for (let times = 0; times < 50; times += 1) await attacker.publish(topic, each)
    // What was heard, again, a minute later: events are known, and who typed has typed.
    const again = heard.slice()
    for (const [where, each] of again) await attacker.publish(where, each)
    // On another topic it is of no stream that is heard there; here it opens no more.
    for (const [, each] of again) await attacker.publish(`${topic}0`, each)
    // All of it has been received: this comes behind it.
    await until(() => {
      writer!.dispatcher.publishEphemeral({ stream: 'attacked', type: 'ping', data: {} })
      return reader!.ephemerals.some(({ type }) => type === 'ping')
    })
    expect(reader!.numbers).toEqual([1])
    expect(reader!.ephemerals.slice(known).filter(({ type }) => type === 'typing')).toEqual([])
    await writer!.write(2)
    await until(() => reader!.numbers.length === 3)
    expect(reader!.numbers).toEqual([1, 2, 3])
    laterMs = 0
    spy.disconnect()
    attacker.disconnect()
    await Promise.all([writer!.stop(), reader!.stop()])
  })
})

describe('without Redis', () => {
  it('a node delivers its own events without errors', async () => {
    const node = await startNode('alone', 'redis://127.0.0.1:1')
    await node.write(3)
    node.dispatcher.publishEphemeral({ stream: 'alone', type: 'ping', data: {} })
    expect(node.numbers).toEqual([1, 2, 3])
    expect(node.ephemerals).toHaveLength(1)
    await node.stop()
  })

  it.each([
    ['refuses', 700],
    ['takes connections and says nothing', 300],
    ['takes connections and says nothing, when they have been given up once', 2_600],
  ])('that %s closing keeps no process', async (what, afterMs) => {
    const silent = createServer()
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
    const port = what === 'refuses' ? 1 : (silent.address() as AddressInfo).port
    const path = fileURLToPath(new URL('./hints-process.mjs', import.meta.url))
    const child = spawn(process.execPath, [path, `redis://127.0.0.1:${port}`, String(afterMs)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = new Promise<number | null>((resolve) => void child.once('exit', resolve))
    const said = Buffer.concat((await child.stdout.toArray()) as Buffer[]).toString()
    expect(said).toBe('closed')
    expect(await exited).toBe(0)
    silent.close()
  })
})
