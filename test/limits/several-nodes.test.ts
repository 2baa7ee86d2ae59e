import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type RestAnswer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

/** Section 8 over two nodes: one database, and one Redis where there is one. */

const REDIS = process.env.TEST_REDIS_URL
const withRedis = REDIS ? describe : describe.skip
const AT_ONCE = 50

let nodes: readonly [TestServer, TestServer]
let admin: MadeUser
let ann: MadeUser
let bot: MadeUser

beforeAll(async () => {
  const env = { ...(REDIS && { REDIS_URL: REDIS }), TRUST_PROXY: 'true', RATE_LIMIT_PER_SECOND: '20' }
  const first = await startTestServer(env)
  nodes = [first, await startTestServer(env, { beside: first })]
  const organization = await first.makeOrganization()
  admin = await first.makeUser({ organization, role: 'admin' })
  ann = await first.makeUser({ organization })
  bot = await first.makeUser({ organization, role: 'bot' })
})
afterAll(async () => {
  for (const node of nodes.toReversed()) await node.close()
})

/** Sends as many at once, by turns to each node. */
function burst<T>(count: number, act: (node: TestServer, index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => act(nodes[index % 2]!, index)))
}

const GRAPHQL_SEND = `mutation ($id: ID!, $message: MessageInput!) {
  sendMessage(conversation: $id, message: $message) { id likes comments { text } } }`

/** By GraphQL, which the request rate is not for. @returns the error's code, or `ok` */
async function send(
  node: TestServer,
  as: MadeUser,
  id: string,
  message: object,
): Promise<{ code: string; wait?: number }> {
  const { errors } = await node.gql(as, GRAPHQL_SEND, { id, message })
  const extensions = errors?.[0]?.extensions
  return { code: extensions?.code ?? 'ok', wait: extensions?.retryAfterSeconds as number | undefined }
}

const passed = (outcomes: { code: string }[]): number => outcomes.filter(({ code }) => code === 'ok').length

let contacts = 0
async function converse(): Promise<{ id: string; message: string }> {
  const { data } = await nodes[0].gql(
    admin,
    `mutation ($input: CreateConversationInput!) {
      createConversation(input: $input) { id messages { edges { node { id } } } } }`,
    {
      input: {
        touchpoint: 'WEB',
        contact: { profile: { name: 'Carl', email: `carl-${++contacts}@example.com` } },
        messages: [{ role: 'CONTACT', text: 'Hello' }],
      },
    },
  )
  const { id, messages } = data.createConversation
  return { id, message: messages.edges[0].node.id }
}

withRedis('20 requests a second (section 8)', () => {
  let addresses = 0
  const newAddress = (): string => `198.51.100.${++addresses}`
  const ask = (node: TestServer, as: MadeUser, address: string): Promise<RestAnswer> =>
    node.rest(as, 'GET', '/v2/users/me', undefined, { 'x-forwarded-for': address })

  /** Requests that a window has left, as the answer says. */
  const leftOf = (policy: 'address' | 'key', { headers }: RestAnswer): string | undefined =>
    new RegExp(`"${policy}";r=(\\d+)`).exec(headers.get('ratelimit') ?? '')?.[1]
  const passes = (answers: RestAnswer[]): RestAnswer[] => answers.filter(({ status }) => status === 200)

  /**
   * Bursts anew until one fits into a window: a slow machine is no failure. Nor is a Redis that answers too late there: for
   * as long each node counts for itself, which shows in what a common counter is said to have left, twice the same.
   */
  async function inOneWindow(
    count: number,
    make: () => Promise<(node: TestServer, index: number) => Promise<RestAnswer>>,
    counter?: 'address' | 'key',
  ): Promise<RestAnswer[]> {
    let answers: RestAnswer[] = []
    await until(async () => {
      const request = await make()
      const started = performance.now()
      answers = await burst(count, request)
      if (performance.now() - started > 950) return false
      const left = counter ? passes(answers).map((answer) => leftOf(counter, answer)) : []
      return new Set(left).size === left.length
    })
    return answers
  }

  const statuses = (answers: RestAnswer[]): [passed: number, refused: number] => [
    passes(answers).length,
    answers.filter(({ status }) => status === 429).length,
  ]

  const newAgent = (): Promise<MadeUser> => nodes[0].makeUser({ organization: ann.organization })

  it('are allowed per key, on all nodes and from all addresses', async () => {
    const answers = await inOneWindow(
      40,
      async () => {
        const key = await newAgent()
        // Signed in on both before the second begins.
        await Promise.all(nodes.map((node) => node.gql(key, '{ me { id } }')))
        return (node) => ask(node, key, newAddress())
      },
      'key',
    )
    expect(statuses(answers)).toEqual([20, 20])
  })

  it('are allowed per address, on all nodes and with all keys; for IPv6 per /64', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, newAgent))
    for (const key of keys) await Promise.all(nodes.map((node) => node.gql(key, '{ me { id } }')))
    const fromOne = await inOneWindow(
      40,
      async () => {
        const address = newAddress()
        return (node, index) => ask(node, keys[index % 10]!, address)
      },
      'address',
    )
    expect(statuses(fromOne)).toEqual([20, 20])
    let networks = 0
    const fromNetwork = await inOneWindow(
      40,
      async () => {
        const network = `2001:db8:1:${(++networks).toString(16)}`
        return (node, index) => ask(node, keys[index % 10]!, `${network}::${(index + 1).toString(16)}`)
      },
      'address',
    )
    expect(statuses(fromNetwork)).toEqual([20, 20])
    const fromSeveral = await inOneWindow(40, async () => {
      const network = ++networks
      return (node, index) => ask(node, keys[index % 10]!, `2001:db8:2:${(network * 100 + index).toString(16)}::1`)
    })
    expect(statuses(fromSeveral)).toEqual([40, 0])
  })

  it('are allowed again after Retry-After', async () => {
    const answers = await inOneWindow(
      25,
      async () => {
        const address = newAddress()
        const key = await newAgent()
        return (node) => ask(node, key, address)
      },
      'address',
    )
    const refused = answers.find(({ status }) => status === 429)!
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBe(1)
    // Whoever asks again while it is refused does not put that off.
    const key = await newAgent()
    const address = newAddress()
    await burst(25, (node) => ask(node, key, address))
    await until(async () => (await ask(nodes[1], key, address)).status === 200)
  })
})

describe("a bot's limits in a conversation, over two nodes (section 8)", () => {
  it('allow 8 identical messages of 50 concurrent ones, on any node, and the next after Retry-After', async () => {
    const { id } = await converse()
    const outcomes = await burst(AT_ONCE, (node) => send(node, bot, id, { text: 'Are you there?' }))
    expect(passed(outcomes)).toBe(8)
    const wait = Math.max(...outcomes.map((outcome) => outcome.wait ?? 0))
    expect(wait).toBeGreaterThan(150)
    // A reply does not make them less identical.
    expect((await send(nodes[1], ann, id, { role: 'AGENT', text: 'Yes' })).code).toBe('ok')
    nodes[0].clock.advance((wait - 20) * 1_000)
    expect((await send(nodes[1], bot, id, { text: 'Are you there?' })).code).toBe('RATE_LIMITED')
    nodes[0].clock.advance(20_000)
    expect((await send(nodes[1], bot, id, { text: 'Are you there?' })).code).toBe('ok')
  })

  it('distinguish two cards that only differ in their title', async () => {
    const { id } = await converse()
    const card = (title: string) => (node: TestServer) =>
      send(node, bot, id, { type: 'CARD', text: 'Offer', meta: { title } })
    expect(passed(await burst(12, card('Boats')))).toBe(8)
    expect(passed(await burst(4, card('Sails')))).toBe(4)
    const mention = { type: 'MENTION', text: 'Look', meta: { targetUser: ann.id } }
    expect((await send(nodes[0], ann, id, { role: 'AGENT', text: 'Go on' })).code).toBe('ok')
    expect(passed(await burst(12, (node) => send(node, bot, id, mention)))).toBe(8)
  })

  it('allow 20 consecutive messages of 50 concurrent ones, until an agent or the consumer replies on any node', async () => {
    const { id } = await converse()
    const numbered = (round: string) => (node: TestServer, index: number) =>
      send(node, bot, id, { text: `${round} ${index}` })
    const outcomes = await burst(AT_ONCE, numbered('first'))
    expect(passed(outcomes)).toBe(20)
    const replies = [
      () => send(nodes[1], ann, id, { role: 'AGENT', text: 'I am here' }),
      () => send(nodes[0], bot, id, { role: 'CONTACT', text: 'So am I' }),
    ]
    for (const [index, reply] of replies.entries()) {
      expect((await reply()).code).toBe('ok')
      expect(passed(await burst(AT_ONCE, numbered(`after ${index}`)))).toBe(20)
    }
    const { wait } = await send(nodes[1], bot, id, { text: 'One more' })
    expect(wait).toBeGreaterThan(3_500)
    nodes[0].clock.advance(wait! * 1_000)
    expect((await send(nodes[1], bot, id, { text: 'One more' })).code).toBe('ok')
  })
})

describe('likes and comments of a message, over two nodes (section 8)', () => {
  it('are limited to exactly 100 and 10', async () => {
    const { id, message } = await converse()
    const { database } = nodes[0].server
    await database.query(
      'update message set likes = (select array_agg(gen_random_uuid()) from generate_series(1, 95)) where id = $1',
      [message],
    )
    const fans = await Promise.all(
      Array.from({ length: 12 }, () => nodes[0].makeUser({ organization: ann.organization })),
    )
    const like = { type: 'COMMAND', text: '/action like', meta: { message } }
    const likes = await burst(12, (node, index) => send(node, fans[index]!, id, like))
    expect(passed(likes)).toBe(5)
    const comments = await burst(24, (node, index) =>
      send(node, ann, id, { type: 'COMMAND', text: `/action comment ${index}`, meta: { message } }),
    )
    expect(passed(comments)).toBe(10)
    const [stored] = await database.query<{ likes: string[]; comments: object[] }>(
      'select likes, comments from message where id = $1',
      [message],
    )
    expect([new Set(stored!.likes).size, stored!.comments.length]).toEqual([100, 10])
  })
})
