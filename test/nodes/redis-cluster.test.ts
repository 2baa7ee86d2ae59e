import type { Cluster } from 'ioredis'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { RequestRate } from '../../src/platform/limits/request-rate.js'
import { closeRedis, COUNTED_ALONE, openRedis } from '../../src/platform/redis.js'
import { CONVERSATION } from '@switchboard/client/documents'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'
import { RedisCluster } from '../support/redis-cluster.js'
import { withRedisServer } from '../support/redis-server.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { untilPasses } from '../support/until.js'

type LiveEvent = { __typename: string; message?: { text: string } }

/** So many that all three masters have a topic of some. */
const CONVERSATIONS = 12
/** None ends while it is counted. */
const WINDOW_SECONDS = 600
const TYPE = 'mutation ($id: ID!) { setTyping(conversation: $id, typing: true) }'

let cluster: RedisCluster
let one: ConversationFixture
let other: TestServer
beforeAll(async () => {
  cluster = await RedisCluster.start()
  one = await startConversationFixture({ REDIS_URL: cluster.url })
  other = await startTestServer({ REDIS_URL: cluster.url, DATABASE_URL: one.databaseUrl })
})
afterAll(async () => {
  await other.close()
  await one.close()
  await cluster.stop()
})

withRedisServer('two nodes on a Redis Cluster', () => {
  test('exchange events by sharded topics, even when a master dies and returns', async () => {
    const client = liveClient(other.url, await one.tokenFor(one.ann))
    const conversations = await Promise.all(Array.from({ length: CONVERSATIONS }, async () => (await one.create()).id))
    const lives = await Promise.all(
      conversations.map(async (id): Promise<LiveSubscription<LiveEvent>> => {
        const live = subscribe<LiveEvent>(client, 'conversation', CONVERSATION.query, { id })
        await live.next()
        return live
      }),
    )
    let turn = 0
    /** Says something in each conversation, and waits until the other node's subscriber has it. */
    const sayInAll = async (): Promise<void> => {
      for (const [index, id] of conversations.entries()) {
        const text = `said ${turn++}`
        expect((await one.send(one.bot, id, { role: 'CONTACT', text })).code).toBeUndefined()
        await lives[index]!.next(({ message }) => message?.text === text)
      }
    }
    const typings = (index: number): number =>
      lives[index]!.events.filter(({ __typename }) => __typename === 'TypingChanged').length
    /** Types in each conversation until it is seen: what is not stored travels by Redis only, by the master of its topic. */
    const seeTypingInAll = async (): Promise<void> => {
      for (const [index, id] of conversations.entries()) {
        const before = typings(index)
        await until(async () => {
          expect((await one.run(one.ben, TYPE, { id })).code).toBeUndefined()
          return typings(index) > before
        })
      }
    }
    await seeTypingInAll()
    await sayInAll()
    await cluster.killMaster(1)
    await sayInAll()
    await cluster.startMaster(1)
    await seeTypingInAll()
    await sayInAll()
    for (const live of lives) {
      const heard = live.events.flatMap(({ message }) => message?.text ?? [])
      expect(heard).toHaveLength(turn / CONVERSATIONS)
      expect(new Set(heard).size).toBe(heard.length)
    }
    await client.dispose()
  })

  test('share the request rate (8)', async () => {
    const open = () =>
      openRedis({ url: cluster.url, onError: () => undefined, answerMs: 2_000, retries: 1, reconnectMsMax: 500 })
    const clients = [open(), open()]
    try {
      await until(
        async () => clients.map(({ status }) => status),
        (all) => all.every((status) => status === 'ready'),
      )
      // A client connects to each master when it first needs it, and counts by itself until then.
      const masters = clients.flatMap((client) => (client as Cluster).nodes('master'))
      expect(masters).toHaveLength(6)
      // One that does not answer in time is counted without, also where this process was late.
      await untilPasses(async () => void (await Promise.all(masters.map((master) => master.ping()))))
      let countedAlone = 0
      for (const client of clients) client.on(COUNTED_ALONE, () => (countedAlone += 1))
      const rates = clients.map((client) => new RequestRate(20, client, WINDOW_SECONDS))
      // Each has its own key, on whichever master.
      const passed = async (): Promise<number> => {
        const key = String(Math.random())
        const counts = await Promise.all(
          rates.flatMap((rate) => Array.from({ length: 50 }, () => rate.count('key', key))),
        )
        return counts.filter(({ isExceeded }) => !isExceeded).length
      }
      // The master that was away may still be coming back: meanwhile each node counts for itself.
      await until(
        () => Promise.all(Array.from({ length: 6 }, passed)),
        (all) => all.every((count) => count === 20),
      )
      for (let together = 0; together < 4;) {
        const before = countedAlone
        const count = await passed()
        if (countedAlone > before) continue
        expect(count).toBe(20)
        together += 1
      }
    } finally {
      clients.forEach(closeRedis)
    }
  })
})
