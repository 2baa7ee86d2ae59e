import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { closeCodeOf, liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const MINUTE_MS = 60_000
const PASSWORD = 'correct horse battery'
const UPDATE =
  'mutation ($o: ID, $p: UpdateSignInPolicyInput!) { updateSignInPolicy(organization: $o, patch: $p) { version } }'
/** A rule of 30 minutes has ended whom it ends after so long: the last use is stored late by up to six minutes. */
const [IDLE, ENDED] = [30 * MINUTE_MS, 36 * MINUTE_MS]

/** Two nodes without Redis: the second hears of nothing. */
let one: TestServer
let other: TestServer
let center: MadeOrganization & { owner: MadeUser }
let team: MadeOrganization
let agent: MadeUser
const clients: Client[] = []

beforeAll(async () => {
  one = await startTestServer()
  other = await startTestServer({}, { beside: one })
})
beforeEach(async () => {
  center = await one.makeContactCenter()
  team = await one.makeOrganization({ parent: center })
  agent = await one.makeUser({ organization: team, password: PASSWORD })
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
})
afterAll(async () => {
  await other.close()
  await one.close()
})

interface Tokens {
  token: string
  refreshToken: string
}

async function set(patch: object, of: MadeOrganization = center): Promise<void> {
  const { errors } = await one.gql(await one.tokenFor(center.owner), UPDATE, { o: of.id, p: patch })
  expect(errors).toBeUndefined()
}
async function signIn({ email }: MadeUser, node = one): Promise<Tokens> {
  const { status, body } = await node.rest(null, 'POST', '/v2/auth/token', { email, password: PASSWORD })
  expect(status).toBe(201)
  return body as unknown as Tokens
}
async function uses({ token }: Tokens, node = one, headers: Record<string, string> = {}): Promise<string> {
  const { status, body } = await node.rest(token, 'GET', '/v2/users/me', undefined, headers)
  return status === 200 ? 'ok' : `${status} ${body.reason}`
}
/** A caller is cached for two seconds of the machine's time, in which the test's clock has gone on by many minutes. */
const becomesRefused = (tokens: Tokens, node = one): Promise<string> =>
  until(
    () => uses(tokens, node),
    (answer) => answer !== 'ok',
  )
const refreshes = async ({ refreshToken }: Tokens, { email }: MadeUser): Promise<string> => {
  const { status, body } = await one.rest(null, 'POST', '/v2/auth/token', { refreshToken, clientId: email })
  return status === 201 ? 'ok' : `${status} ${body.reason}`
}
/** Opens a socket with a subscription; `code` is that with which it is closed. */
async function socketOf({ token }: Tokens, node = one): Promise<{ client: Client; code: Promise<number> }> {
  const client = liveClient(node.url, token)
  clients.push(client)
  const code = closeCodeOf(client)
  await subscribe(client, 'inbox', 'subscription { inbox { __typename } }').next()
  return { client, code }
}
/** The last use is written without anybody waiting for it. @param sessions of the user, all of them */
const isWrittenSince = (user: MadeUser, since: Date, sessions = 1): Promise<unknown> =>
  until(async () => {
    const found = await one.server.database.query('select from token_family where user_id = $1 and seen_at >= $2', [
      user.id,
      since,
    ])
    return found.length === sessions
  })

describe('sessions that nobody uses', () => {
  it('end: requests, refreshes and sockets are refused on both nodes, however much a socket listens', async () => {
    await set({ idleMinutes: 30 })
    const tokens = await signIn(agent)
    const [here, there] = await Promise.all([socketOf(tokens), socketOf(tokens, other)])
    one.clock.advance(ENDED)
    expect(await Promise.all([here.code, there.code])).toEqual([4403, 4403])
    expect([await becomesRefused(tokens), await becomesRefused(tokens, other)]).toEqual(
      Array(2).fill('401 TOKEN_INVALID'),
    )
    expect(await refreshes(tokens, agent)).toBe('401 REFRESH_REFUSED')
    expect(await uses(await signIn(agent))).toBe('ok')
  })

  it('go on while they are used: by requests, refreshes, and what is done on a socket', async () => {
    await set({ idleMinutes: 30 })
    const [byRequest, byRefresh] = [await signIn(agent), await signIn(agent)]
    const bySocket = await one.makeUser({ organization: team, password: PASSWORD })
    const { client, code } = await socketOf(await signIn(bySocket), other)
    let refreshed = byRefresh
    for (let round = 0; round < 3; round++) {
      one.clock.advance(IDLE)
      const since = one.clock.now()
      expect(await uses(byRequest, other)).toBe('ok')
      const answer = await one.rest(null, 'POST', '/v2/auth/token', {
        refreshToken: refreshed.refreshToken,
        clientId: agent.email,
      })
      expect(answer.status).toBe(201)
      refreshed = answer.body as unknown as Tokens
      const asked = subscribe(client, 'me', '{ me { id } }')
      expect(await asked.next()).toBeDefined()
      await Promise.all([isWrittenSince(agent, since, 2), isWrittenSince(bySocket, since)])
    }
    expect(await Promise.race([code, Promise.resolve('open')])).toBe('open')
  })

  it('are not used by a page that nobody is at', async () => {
    await set({ idleMinutes: 30 })
    const tokens = await signIn(agent)
    one.clock.advance(IDLE)
    expect(await uses(tokens, one, { 'switchboard-unattended': '1' })).toBe('ok')
    one.clock.advance(ENDED - IDLE)
    expect(await becomesRefused(tokens)).toBe('401 TOKEN_INVALID')
  })

  it('end at once when the rule comes in, which is counted before; the strictest of the path, and of no other customer', async () => {
    const stranger = await one.makeContactCenter()
    const elsewhere = await one.makeUser({ organization: stranger, password: PASSWORD })
    const bot = await one.makeUser({ organization: team, role: 'bot', password: PASSWORD })
    const lead = await one.makeUser({ organization: center, password: PASSWORD })
    const [idle, foreign, machine, above] = await Promise.all([agent, elsewhere, bot, lead].map((user) => signIn(user)))
    one.clock.advance(ENDED)
    const effects = await one.gql(
      await one.tokenFor(center.owner),
      'query ($o: ID) { signInPolicyEffects(organization: $o, patch: { idleMinutes: 30 }) { apiTokens sessions } }',
      { o: team.id },
    )
    // Not of the bot, nor of who is above.
    expect(effects.data.signInPolicyEffects).toEqual({ apiTokens: 0, sessions: 1 })
    await set({ idleMinutes: 240 })
    await set({ idleMinutes: 30 }, team)
    const { errors } = await one.gql(await one.tokenFor(center.owner), UPDATE, { o: team.id, p: { idleMinutes: 300 } })
    expect(errors![0]!.extensions).toMatchObject({ reason: 'STRICTER_ABOVE', field: 'idleMinutes' })
    expect(await uses(idle!, other)).toBe('401 TOKEN_INVALID')
    expect(await Promise.all([foreign!, machine!, above!].map((each) => uses(each, other)))).toEqual(['ok', 'ok', 'ok'])
    // It is compared, and not written.
    await set({ idleMinutes: null }, team)
    expect(
      await until(
        () => uses(idle!, other),
        (answer) => answer === 'ok',
      ),
    ).toBe('ok')
  })

  it('have minutes that are counted', async () => {
    for (const idleMinutes of [4, 43_201]) {
      const { errors } = await one.gql(await one.tokenFor(center.owner), UPDATE, { o: null, p: { idleMinutes } })
      expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'idleMinutes' })
    }
  })

  it('go on while they are used, however long their sign-in page had been open', async () => {
    await set({ idleMinutes: 30 })
    // A page tells that nobody is at it from a minute after the last key on.
    const { status, body } = await one.rest(
      null,
      'POST',
      '/v2/auth/token',
      { email: agent.email, password: PASSWORD },
      { 'switchboard-unattended': '1' },
    )
    expect(status).toBe(201)
    const tokens = body as unknown as Tokens
    for (let round = 0; round < 3; round++) {
      one.clock.advance(IDLE)
      const since = one.clock.now()
      expect(await uses(tokens, other)).toBe('ok')
      await isWrittenSince(agent, since)
    }
  })

  it('go on while they are used although no use of them was ever written', async () => {
    await set({ idleMinutes: 30 })
    const tokens = await signIn(agent)
    await one.server.database.query('update token_family set seen_at = null where user_id = $1', [agent.id])
    one.clock.advance(IDLE)
    const since = one.clock.now()
    expect(await uses(tokens, other)).toBe('ok')
    await isWrittenSince(agent, since)
  })
})
