import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { closeCodeOf, liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type GraphqlAnswer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const DAY_MS = 86_400_000
const UPDATE =
  'mutation ($o: ID, $p: UpdateSignInPolicyInput!) { updateSignInPolicy(organization: $o, patch: $p) { version } }'
const EFFECTS =
  'query ($o: ID, $p: UpdateSignInPolicyInput!) { signInPolicyEffects(organization: $o, patch: $p) { apiTokens sessions } }'

/** Two nodes without Redis: the second hears of nothing, and answers 401 for what has expired, as legacy clients want it. */
let one: TestServer
let other: TestServer
let center: MadeOrganization & { owner: MadeUser }
let team: MadeOrganization
let admin: MadeUser
const clients: Client[] = []

beforeAll(async () => {
  one = await startTestServer()
  other = await startTestServer({ EXPIRED_TOKEN_STATUS: '401' }, { beside: one })
})
beforeEach(async () => {
  center = await one.makeContactCenter()
  team = await one.makeOrganization({ parent: center })
  admin = await one.makeUser({ organization: center, role: 'admin' })
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
})
afterAll(async () => {
  await other.close()
  await one.close()
})

interface Bot {
  id: string
  apiToken: string
}

// The tests state what they expect of it.
type Answer = GraphqlAnswer<any> // oxlint-disable-line typescript/no-explicit-any
/** A sign-in of its own each time: these tests pass over days. */
async function ask(query: string, variables: Record<string, unknown>, as = admin): Promise<Answer['data']> {
  const { data, errors } = await one.gql(await one.tokenFor(as), query, variables)
  expect(errors).toBeUndefined()
  return data
}
const set = (patch: object, of?: MadeOrganization): Promise<unknown> => ask(UPDATE, { o: of?.id ?? null, p: patch })
const effects = async (patch: object, of?: MadeOrganization) =>
  (await ask(EFFECTS, { o: of?.id ?? null, p: patch })).signInPolicyEffects
const makeBot = async (of: MadeOrganization = center, as = admin): Promise<Bot> =>
  (
    await ask(
      'mutation ($i: CreateUserInput!) { createUser(input: $i) { id apiToken } }',
      { i: { email: `${crypto.randomUUID()}@example.com`, role: 'BOT', organization: of.id } },
      as,
    )
  ).createUser
const rotate = async ({ id }: Bot, overlapHours = 0): Promise<string> =>
  (
    await ask('mutation ($u: ID!, $h: Int) { rotateApiToken(user: $u, overlapHours: $h) { apiToken } }', {
      u: id,
      h: overlapHours,
    })
  ).rotateApiToken.apiToken
const tokensOf = async ({ id }: Bot): Promise<{ createdAt: string; endsAt: string | null }[]> =>
  (await ask('query ($id: ID!) { user(id: $id) { apiTokens { createdAt endsAt } } }', { id })).user.apiTokens

/** The answers of both nodes. */
async function uses(token: string): Promise<string[]> {
  return Promise.all(
    [one, other].map(async (node) => {
      const { status, body } = await node.rest(token, 'GET', '/v2/users/me')
      return status === 200 ? 'ok' : `${status} ${body.reason}`
    }),
  )
}
/** Callers are cached for two seconds. */
const become = (token: string, expected: string[]): Promise<string[]> =>
  until(
    () => uses(token),
    (now) => JSON.stringify(now) === JSON.stringify(expected),
  )
const WORKS = ['ok', 'ok']
const EXPIRED = ['403 TOKEN_EXPIRED', '401 TOKEN_EXPIRED']

/** Opens a socket with a subscription; `code` is that with which it is closed. */
async function socketOf(token: string, node: TestServer, document: string): Promise<{ code: Promise<number> }> {
  const client = liveClient(node.url, token)
  clients.push(client)
  const code = closeCodeOf(client)
  await subscribe(client, /subscription \{ (\w+)/.exec(document)![1]!, document).next()
  return { code }
}

describe('the oldest API token', () => {
  it('ends at its age, on both nodes, as other credentials do; a new one works, and the list says until when', async () => {
    await set({ apiTokenMaxDays: 30 })
    const bot = await makeBot()
    const [listed] = await tokensOf(bot)
    expect(Date.parse(listed!.endsAt!) - Date.parse(listed!.createdAt)).toBe(30 * DAY_MS)
    expect(Math.abs(Date.parse(listed!.createdAt) - one.clock.now().getTime())).toBeLessThan(DAY_MS)
    one.clock.advance(29 * DAY_MS)
    expect(await uses(bot.apiToken)).toEqual(WORKS)
    one.clock.advance(DAY_MS)
    expect(await uses(bot.apiToken)).toEqual(EXPIRED)
    const { errors } = await one.gql(bot.apiToken, '{ me { id } }')
    expect(errors![0]).toMatchObject({ message: 'jwt expired', extensions: { code: 'UNAUTHENTICATED' } })
    // Shown as ended, so that whoever looks for the reason finds it.
    const now = one.clock.now().getTime()
    expect((await tokensOf(bot)).map(({ endsAt }) => Date.parse(endsAt!) <= now)).toEqual([true])
    // An overlap does not make the old one younger.
    const fresh = await rotate(bot, 24)
    expect(await become(fresh, WORKS)).toEqual(WORKS)
    expect(await uses(bot.apiToken)).toEqual(EXPIRED)
    // It is compared, and not written: a rule that goes lets it work again until its overlap ends.
    await set({ apiTokenMaxDays: null })
    expect(await become(bot.apiToken, WORKS)).toEqual(WORKS)
    expect((await tokensOf(bot))[0]!.endsAt).toBeNull()
  })

  it('ends at once where the rule comes in later: sockets close, also of guests; which ones was said before', async () => {
    const stranger = await one.makeContactCenter()
    const [bot, below] = [await makeBot(), await makeBot(team)]
    const elsewhere = await makeBot(stranger, stranger.owner)
    one.clock.advance(40 * DAY_MS)
    const young = await makeBot()
    const { createConversation } = (
      await one.gql(bot.apiToken, 'mutation ($i: CreateConversationInput!) { createConversation(input: $i) { id } }', {
        i: { touchpoint: 'WEB', contact: { profile: { name: 'Carl', email: 'carl@example.com' } } },
      })
    ).data
    const opened = await one.gql(
      bot.apiToken,
      'mutation ($c: ID!) { createGuestToken(conversation: $c) { token refreshToken } }',
      { c: createConversation.id },
    )
    const guest = opened.data.createGuestToken
    const watched = `subscription { conversation(id: "${createConversation.id}") { __typename } }`
    const closed = await Promise.all([
      socketOf(bot.apiToken, one, 'subscription { inbox { __typename } }'),
      socketOf(bot.apiToken, other, 'subscription { inbox { __typename } }'),
      socketOf(guest.token, other, watched),
    ])
    expect(await effects({ apiTokenMaxDays: 30 })).toEqual({ apiTokens: 2, sessions: 0 })
    expect(await effects({ apiTokenMaxDays: 30 }, team)).toEqual({ apiTokens: 1, sessions: 0 })
    expect(await effects({ apiTokenMaxDays: 41 })).toEqual({ apiTokens: 0, sessions: 0 })
    expect(await uses(bot.apiToken)).toEqual(WORKS)

    await set({ apiTokenMaxDays: 30 })
    expect(await become(bot.apiToken, EXPIRED)).toEqual(EXPIRED)
    expect(await become(below.apiToken, EXPIRED)).toEqual(EXPIRED)
    expect(await Promise.all(closed.map(({ code }) => code))).toEqual([4403, 4403, 4403])
    const read = (): Promise<number> =>
      other.rest(guest.token, 'GET', `/v2/conversations/${createConversation.id}`).then(({ status }) => status)
    expect(await until(read, (status) => status === 401)).toBe(401)
    const refresh = await one.rest(null, 'POST', '/v2/auth/token', { refreshToken: guest.refreshToken })
    expect(refresh.status).toBeGreaterThanOrEqual(400)
    expect(await uses(young.apiToken)).toEqual(WORKS)
    expect(await uses(elsewhere.apiToken)).toEqual(WORKS)
    // They have ended: the same rule would end nothing more.
    expect(await effects({ apiTokenMaxDays: 30 })).toEqual({ apiTokens: 0, sessions: 0 })
  })

  it('is younger where an organization below is stricter, and never older than above', async () => {
    await set({ apiTokenMaxDays: 30 })
    await set({ apiTokenMaxDays: 10 }, team)
    const [bot, below] = [await makeBot(), await makeBot(team)]
    const { errors } = await one.gql(await one.tokenFor(admin), UPDATE, { o: team.id, p: { apiTokenMaxDays: 31 } })
    expect(errors![0]!.extensions).toMatchObject({ reason: 'STRICTER_ABOVE', field: 'apiTokenMaxDays', above: 30 })
    one.clock.advance(10 * DAY_MS)
    expect([await uses(below.apiToken), await uses(bot.apiToken)]).toEqual([EXPIRED, WORKS])
  })

  it('has days that are counted, and is told to the audit log', async () => {
    for (const apiTokenMaxDays of [0, 3651]) {
      const { errors } = await one.gql(await one.tokenFor(admin), UPDATE, { o: null, p: { apiTokenMaxDays } })
      expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'apiTokenMaxDays' })
    }
    await set({ apiTokenMaxDays: 90, apiTokenNetworks: ['192.0.2.0/24', '2001:db8::/32'] })
    await set({ apiTokenMaxDays: 60, apiTokenNetworks: ['192.0.2.0/24'] })
    const { auditEntries } = await ask(
      '{ auditEntries(first: 1, filter: { action: { eq: "updateSignInPolicy" } }) { nodes { details } } }',
      {},
    )
    expect(auditEntries.nodes[0].details.changes[0].values).toMatchObject({
      apiTokenMaxDays: { from: 90, to: 60 },
      apiTokenNetworks: { from: ['192.0.2.0/24', '2001:db8::/32'], to: ['192.0.2.0/24'] },
    })
  })
})
