import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const HOUR_MS = 3_600_000

/** Two nodes without Redis: what one does, the other learns from the database. */
let node: TestServer
let other: TestServer
let admin: MadeUser

beforeAll(async () => {
  node = await startTestServer()
  other = await startTestServer({}, { beside: node })
  admin = await node.makeUser({ organization: await node.makeOrganization(), role: 'admin' })
})
afterAll(async () => {
  await other.close()
  await node.close()
})

/** A sign-in of its own each time: these tests pass over days. */
const asAdmin = async (query: string, variables: Record<string, unknown>) =>
  node.gql(await node.tokenFor(admin), query, variables)

interface Bot {
  id: string
  apiToken: string
}

let bots = 0
async function makeBot(): Promise<Bot> {
  const { data } = await asAdmin(
    'mutation ($input: CreateUserInput!) { bot: createUser(input: $input) { id apiToken } }',
    { input: { email: `bot-${bots++}@example.com`, role: 'BOT' } },
  )
  return (data as { bot: Bot }).bot
}

async function rotate(user: string, overlapHours?: number): Promise<string> {
  const { data, errors } = await asAdmin(
    'mutation ($user: ID!, $overlapHours: Int) { bot: rotateApiToken(user: $user, overlapHours: $overlapHours) { apiToken } }',
    { user, overlapHours },
  )
  expect(errors).toBeUndefined()
  return (data as { bot: Bot }).bot.apiToken
}

const isValidOn = async (server: TestServer, token: string): Promise<boolean> =>
  (await server.gql(token, '{ me { id } }')).errors === undefined

const validity = (...tokens: string[]): Promise<boolean[]> =>
  Promise.all(tokens.flatMap((token) => [isValidOn(node, token), isValidOn(other, token)]))

/** Waits: a node's cached callers are at most two seconds old. */
const becomes = (expected: boolean[], ...tokens: string[]): Promise<boolean[]> =>
  until(
    () => validity(...tokens),
    (now) => JSON.stringify(now) === JSON.stringify(expected),
  )

const LIST = 'query ($id: ID!) { user(id: $id) { apiTokens { id endsAt } } }'
const listed = async (as: string, id: string): Promise<{ id: string; endsAt: string | null }[]> =>
  ((await node.gql(as, LIST, { id })).data as { user: { apiTokens: [] } }).user.apiTokens

describe('rotateApiToken with an overlap', () => {
  it('keeps the old token valid until its end, on every node and with what is cached, and lists both', async () => {
    const bot = await makeBot()
    expect(await validity(bot.apiToken)).toEqual([true, true])
    const since = node.clock.now().getTime()
    const fresh = await rotate(bot.id, 24)
    expect(await validity(bot.apiToken, fresh)).toEqual([true, true, true, true])
    const tokens = await listed(await node.tokenFor(admin), bot.id)
    expect(tokens.map(({ endsAt }) => endsAt === null)).toEqual([true, false])
    expect(Date.parse(tokens[1]!.endsAt!) - since).toBeGreaterThanOrEqual(24 * HOUR_MS)
    expect(await listed(bot.apiToken, bot.id)).toEqual([])

    node.clock.advance(24 * HOUR_MS - 60_000)
    expect(await validity(bot.apiToken, fresh)).toEqual([true, true, true, true])
    node.clock.advance(120_000)
    await becomes([false, false, true, true], bot.apiToken, fresh)
    expect((await listed(await node.tokenFor(admin), bot.id)).map(({ endsAt }) => endsAt)).toEqual([null])
  })

  it("ends the old token's guests, sockets and delayed messages with it, not before", async () => {
    const bot = await makeBot()
    const created = await node.gql(
      bot.apiToken,
      'mutation ($input: CreateConversationInput!) { conversation: createConversation(input: $input) { id } }',
      { input: { touchpoint: 'WEB', contact: { profile: { name: 'Carl', email: 'carl@example.com' } } } },
    )
    const { id } = (created.data as { conversation: { id: string } }).conversation
    const opened = await node.gql(
      bot.apiToken,
      'mutation ($id: ID!) { guest: createGuestToken(conversation: $id) { token } }',
      { id },
    )
    const guest = (opened.data as { guest: { token: string } }).guest.token
    const send = async (text: string, delay: number): Promise<void> => {
      const { errors } = await node.gql(
        bot.apiToken,
        'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }',
        { id, message: { text, delay } },
      )
      expect(errors).toBeUndefined()
    }
    await send('in the overlap', 60_000)
    await send('from the grave', 2 * HOUR_MS)
    const client = liveClient(other.url, bot.apiToken)
    const live = subscribe(client, 'conversation', 'subscription ($id: ID!) { conversation(id: $id) { __typename } }', {
      id,
    })
    await live.next()
    await rotate(bot.id, 1)

    const READ = 'query ($id: ID!) { conversation(id: $id) { messages(last: 10) { edges { node { text } } } } }'
    const texts = async (): Promise<string[]> => {
      const { data } = await asAdmin(READ, { id })
      const { edges } = (data as { conversation: { messages: { edges: { node: { text: string } }[] } } }).conversation
        .messages
      return edges.map(({ node: { text } }) => text)
    }
    node.clock.advance(61_000)
    await until(texts, (now) => now.includes('in the overlap'))
    expect((await node.gql(guest, '{ __typename }')).errors).toBeUndefined()
    expect([live.isComplete, live.errors]).toEqual([false, []])

    node.clock.advance(HOUR_MS)
    await until(
      async () => (await node.gql(guest, 'query ($id: ID!) { conversation(id: $id) { id } }', { id })).errors,
      (errors) => errors !== undefined,
    )
    await until(async () => live.isComplete || live.errors.length > 0, Boolean)
    node.clock.advance(HOUR_MS)
    await until(
      () => node.server.database.query<{ id: string }>("select id from job where kind = 'message.delayed'"),
      (jobs) => jobs.length === 0,
    )
    expect(await texts()).toEqual(['in the overlap'])
    await client.dispose()
  })

  it('has at most two tokens: a further rotation ends the oldest, one without overlap ends both', async () => {
    const bot = await makeBot()
    const second = await rotate(bot.id, 24)
    const third = await rotate(bot.id, 24)
    await becomes([false, false, true, true, true, true], bot.apiToken, second, third)
    const fourth = await rotate(bot.id)
    await becomes([false, false, false, false, true, true], second, third, fourth)
    expect(await listed(await node.tokenFor(admin), bot.id)).toHaveLength(1)
  })

  it.each<[string, string]>([
    ['revoking', 'mutation ($id: ID!) { revokeApiToken(user: $id) { id } }'],
    ['archiving', 'mutation ($id: ID!) { updateUser(id: $id, patch: { status: ARCHIVED }) { id } }'],
    ['another role', 'mutation ($id: ID!) { updateUser(id: $id, patch: { role: AGENT }) { id } }'],
    ['deleting', 'mutation ($id: ID!) { deleteUser(id: $id) }'],
  ])('ends both tokens at once by %s', async (_, operation) => {
    const bot = await makeBot()
    const fresh = await rotate(bot.id, 24)
    expect(await validity(bot.apiToken, fresh)).toEqual([true, true, true, true])
    expect((await asAdmin(operation, { id: bot.id })).errors).toBeUndefined()
    expect(await Promise.all([isValidOn(node, bot.apiToken), isValidOn(node, fresh)])).toEqual([false, false])
    await becomes([false, false, false, false], bot.apiToken, fresh)
    const left = await node.server.database.query('select 1 from ending_api_token where user_id = $1', [bot.id])
    expect(left).toEqual([])
  })

  it('refuses an overlap of more than a day, or of less than none', async () => {
    const bot = await makeBot()
    for (const overlapHours of [25, -1]) {
      const { errors } = await asAdmin(
        'mutation ($user: ID!, $overlapHours: Int) { rotateApiToken(user: $user, overlapHours: $overlapHours) { id } }',
        { user: bot.id, overlapHours },
      )
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'overlapHours' })
    }
    expect(await validity(bot.apiToken)).toEqual([true, true])
  })
})
