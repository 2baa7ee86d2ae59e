import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { freePort } from '../../bench/chaos/free-port.js'
import { Victim } from '../../bench/chaos/victim.js'
import { RedisProcess } from '../../bench/chaos/redis-process.js'
import { CONVERSATION, QUEUE } from '@switchboard/client/documents'
import {
  rule,
  startConversationFixture,
  until,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { closeCodeOf, liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'
import { withRedisServer } from '../support/redis-server.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

interface LiveEvent {
  __typename: string
  at: string
  entry?: { conversation: string; channel: string }
  message?: { text: string }
  user?: string
  typing?: boolean
}

const TYPE = 'mutation ($id: ID!) { setTyping(conversation: $id, typing: true) }'
/** Two whole servers on one database and one Redis of their own. */
let redis: RedisProcess
let one: ConversationFixture
let other: TestServer
let workflow: string | null = null
const clients: Client[] = []
beforeAll(async () => {
  redis = await RedisProcess.start()
  one = await startConversationFixture({ REDIS_URL: redis.url })
  other = await startTestServer({ REDIS_URL: redis.url, DATABASE_URL: one.databaseUrl })
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.dispose()))
  await other.close()
  // The database is its.
  await one.close()
  await redis.stop()
})

async function open(
  url: string,
  as: MadeUser,
  query: string,
  variables = {},
): Promise<LiveSubscription<LiveEvent> & { client: Client }> {
  const client = liveClient(url, await one.tokenFor(as))
  clients.push(client)
  const field = query.includes('queue(') ? 'queue' : 'conversation'
  const live = subscribe<LiveEvent>(client, field, query, variables)
  await live.next(({ __typename }) => __typename.endsWith('Snapshot'))
  return Object.assign(live, { client })
}

/** The one workflow of the organization from now on. */
async function onlyWorkflow(rules: object[]): Promise<void> {
  if (workflow) await one.run(one.admin, 'mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id: workflow })
  workflow = await one.makeWorkflow(rules)
}

/** Sends on one node and waits for it on the other. */
async function hop(live: LiveSubscription<LiveEvent>, conversation: string, text: string): Promise<void> {
  const sent = await one.send(one.bot, conversation, { role: 'CONTACT', text })
  expect(sent.code).toBeUndefined()
  await live.next(({ message }) => message?.text === text)
}

/** Types on one node until it is seen on the other: what is not stored travels by Redis only. */
async function seesTyping(live: LiveSubscription<LiveEvent>, conversation: string): Promise<void> {
  const seen = (): number => live.events.filter(({ __typename }) => __typename === 'TypingChanged').length
  const before = seen()
  await until(async () => {
    expect((await one.run(one.ben, TYPE, { id: conversation })).code).toBeUndefined()
    return seen() > before
  })
}

const names = (count: number, of: string) => Array.from({ length: count }, (_each, index) => `${of} ${index}`)

withRedisServer('two nodes on one database and one Redis', () => {
  test("receive each other's events: writes once and in order, and typing (8, delivery)", async () => {
    const { id } = await one.create()
    const live = await open(other.url, one.ann, CONVERSATION.query, { id })
    const texts = names(20, 'said')
    for (const text of texts) await one.send(one.bot, id, { role: 'CONTACT', text })
    await live.next(({ message }) => message?.text === texts.at(-1))
    expect(live.events.flatMap(({ message }) => message?.text ?? [])).toEqual(texts)
    await seesTyping(live, id)
    expect(live.events.find(({ __typename }) => __typename === 'TypingChanged')).toMatchObject({
      user: one.ben.id,
      typing: true,
    })
  })

  test('count a subscriber on either: a rule fired on one node finds the agent on the other (3.4.6)', async () => {
    const channel = await one.makeChannel('Elsewhere', [one.ann])
    const queued = () => one.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await onlyWorkflow([rule({ channels: [channel] })])
    expect(await queued()).toMatchObject({ channels: [], channelsOffline: [channel] })
    const live = await open(other.url, one.ann, QUEUE.query)
    const { id, channels, channelsOffline } = await queued()
    expect({ channels, channelsOffline }).toEqual({ channels: [channel], channelsOffline: [] })
    await live.next(({ entry }) => entry?.conversation === id)
    await live.client.dispose()
    await until(queued, ({ channelsOffline: offline }) => offline.includes(channel))
  })

  test('end sessions revoked on either, with 4403', async () => {
    const agent = await one.makeAgent()
    const { id } = await one.create()
    const client = liveClient(other.url, await one.tokenFor(agent))
    clients.push(client)
    const closed = closeCodeOf(client)
    await subscribe(client, 'conversation', CONVERSATION.query, { id }).next()
    await one.run(one.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: agent.id })
    expect(await closed).toBe(4403)
  })

  test('let exactly one of four agents accept with ifQueued, two by REST and two by GraphQL, in each of 100 races (4.8)', async () => {
    const agents = [one.ann, one.ben, await one.makeAgent(), await one.makeAgent()]
    const accept = 'mutation ($id: ID!) { acceptConversation(conversation: $id, ifQueued: true) { status } }'
    const command = { type: 'command', text: '/accept', meta: { ifQueued: true } }
    const race = async (): Promise<void> => {
      const { id } = await one.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
      const outcomes = await Promise.all(
        agents.map(async (agent, index) => {
          const node = index % 2 === 0 ? one : other
          if (index < 2)
            return (await node.rest(await one.tokenFor(agent), 'POST', `/v2/conversations/${id}/messages`, command))
              .status
          const { errors } = await node.gql(await one.tokenFor(agent), accept, { id })
          return errors ? { UNPROCESSABLE: 422 }[errors[0]!.extensions.code] : 201
        }),
      )
      expect(outcomes.toSorted()).toEqual([201, 422, 422, 422])
      const { status, participants } = await one.show(id)
      expect([status, participants.filter(({ accepted }) => accepted).length]).toEqual(['ACTIVE', 1])
    }
    for (let turn = 0; turn < 10; turn += 1) await Promise.all(Array.from({ length: 10 }, race))
  })

  test('continue without Redis, whether it is down or hangs, and return to normal', async () => {
    const { id } = await one.create()
    const live = await open(other.url, one.ann, CONVERSATION.query, { id })
    const said: string[] = []
    const all = async (of: string): Promise<void> => {
      for (const text of names(5, of)) {
        said.push(text)
        await hop(live, id, text)
      }
    }
    await seesTyping(live, id)
    await redis.kill()
    await all('gone')
    await redis.start()
    await seesTyping(live, id)
    await all('back')
    redis.pause()
    await all('paused')
    redis.resume()
    await seesTyping(live, id)
    await all('resumed')
    expect(live.events.flatMap(({ message }) => message?.text ?? [])).toEqual(said)
  })
})

withRedisServer('a node that dies', () => {
  test('frees its presence, and conversations shown only to it meanwhile are routed again (3.4.6)', async () => {
    const [lost, fallback] = [await one.makeChannel('Lost', [one.ann]), await one.makeChannel('Fallback', [one.ben])]
    await onlyWorkflow([rule({ channels: [lost], isLastRule: true }, { priority: 2 }), rule({ channels: [fallback] })])
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const dying = new Victim(
      'test/support/node-process.mjs',
      {
        PORT: String(port),
        HOST: '127.0.0.1',
        LOG_LEVEL: 'fatal',
        DATABASE_URL: one.databaseUrl,
        REDIS_URL: redis.url,
      },
      `${url}/readyz`,
    )
    await dying.start()
    await open(url, one.ann, QUEUE.query)
    const ben = await open(other.url, one.ben, QUEUE.query)
    const queued = () => one.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    expect(await queued()).toMatchObject({ channels: [lost], channelsOffline: [] })
    await dying.kill()
    // It counts still: nobody knows yet, however slow this machine is.
    const { database } = one.server
    await database.query("update node set seen_at = seen_at + interval '1 hour'")
    const { id } = await queued()
    const shown = await one.show(id)
    expect(shown).toMatchObject({ channels: [lost], channelsOffline: [] })
    await database.query("update node set seen_at = seen_at - interval '1 hour' where seen_at > now()")
    await ben.next(({ entry }) => entry?.conversation === id && entry.channel === fallback)
    const rerouted = await one.show(id)
    expect(rerouted).toMatchObject({ status: 'QUEUED', channels: [fallback], channelsOffline: [lost] })
    expect(rerouted.routingTrace.map(({ trigger }) => trigger)).toEqual([
      'its subscribers were lost',
      'contact message',
    ])
    expect(await queued()).toMatchObject({ channels: [fallback], channelsOffline: [lost] })
  })

  test('that was wrongly considered dead, or has lost its presence with PostgreSQL, brings its channels online again', async () => {
    const channel = await one.makeChannel('Back', [one.ann])
    await onlyWorkflow([rule({ channels: [channel] })])
    await open(other.url, one.ann, QUEUE.query)
    await one.server.database.query('delete from node')
    // Nobody is believed to be offline until all nodes have registered again.
    const { id, channels, channelsOffline } = await one.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    expect({ channels, channelsOffline }).toEqual({ channels: [channel], channelsOffline: [] })
    await until(
      () => one.show(id),
      ({ channels }) => channels.includes(channel),
    )
    expect((await one.show(id)).channelsOffline).toEqual([])
  })
})
