import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { RedisProcess } from '../../bench/chaos/redis-process.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { closeCodeOf, liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

interface Session {
  id: string
  userAgent: string | null
  network: string | null
  createdAt: string
  seenAt: string
  isCurrent: boolean
}
interface Tokens {
  token: string
  refreshToken: string
}

const PASSWORD = 'correct horse battery'
const SESSIONS = 'query ($user: ID!) { sessions(user: $user) { id userAgent network createdAt seenAt isCurrent } }'
const END = 'mutation ($user: ID!, $session: ID!) { endSession(user: $user, session: $session) }'
const END_ALL = 'mutation ($user: ID!) { endSessions(user: $user) }'

/** Two nodes: that they tell each other at once is a test of its own, `test/events/access-broadcast`. */
let redis: RedisProcess
let one: TestServer
let other: TestServer
let center: MadeOrganization & { owner: MadeUser }
let admin: MadeUser
const clients: Client[] = []

beforeAll(async () => {
  redis = await RedisProcess.start()
  one = await startTestServer({ REDIS_URL: redis.url })
  other = await startTestServer({ REDIS_URL: redis.url }, { beside: one })
  center = await one.makeContactCenter()
  admin = await one.makeUser({ organization: center, role: 'admin' })
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
})
afterAll(async () => {
  await other.close()
  await one.close()
  await redis.stop()
})

const makeAgent = () => one.makeUser({ organization: center, password: PASSWORD })

async function signIn({ email }: MadeUser, userAgent = 'Mozilla/5.0 Firefox/150', node = one): Promise<Tokens> {
  const response = await fetch(`${node.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({
      query: 'mutation ($e: String!, $p: String!) { createToken(email: $e, password: $p) { token refreshToken } }',
      variables: { e: email, p: PASSWORD },
    }),
  })
  const { data } = (await response.json()) as { data: { createToken: Tokens } }
  return data.createToken
}
const sessionsOf = async (as: string | MadeUser, user = 'me', node = one): Promise<Session[]> =>
  (await node.gql(as, SESSIONS, { user })).data.sessions
const codeOf = async (answer: Promise<{ errors?: { extensions: { code: string } }[] }>): Promise<string> =>
  (await answer).errors?.[0]?.extensions.code ?? 'ok'
const uses = (token: string, node: TestServer): Promise<string> => codeOf(node.gql(token, '{ me { id } }'))
const refreshes = ({ refreshToken }: Tokens, { email }: MadeUser): Promise<string> =>
  codeOf(
    one.gql(null, 'mutation ($t: String!, $c: String) { refreshToken(refreshToken: $t, clientId: $c) { token } }', {
      t: refreshToken,
      c: email,
    }),
  )

/** A token that has ended is in another node's cache for two seconds at most, if the hint to it is lost. */
const isRefused = (token: string, node: TestServer): Promise<string> =>
  until(
    () => uses(token, node),
    (code) => code === 'UNAUTHENTICATED',
  )

/** Opens a socket, and tells the code with which it is closed. */
async function openSocket(token: string, node: TestServer): Promise<{ closed: Promise<number> }> {
  const client = liveClient(node.url, token)
  clients.push(client)
  const closed = closeCodeOf(client)
  const inbox = subscribe(client, 'inbox', 'subscription { inbox { __typename } }')
  await inbox.next()
  return { closed }
}

async function auditOf(user: MadeUser): Promise<{ action: string; details: Record<string, unknown> }[]> {
  const { data } = await one.gql(
    admin,
    `query ($id: String!) { auditEntries(first: 50, filter: { object: { eq: $id }, action: { in: ["endSession", "endSessions"] } }) {
      nodes { action details } } }`,
    { id: user.id },
  )
  return data.auditEntries.nodes
}

describe('sessions', () => {
  it('are shown with device, network and times, the current one first, and nothing secret', async () => {
    const agent = await makeAgent()
    await signIn(agent, 'curl/8.0')
    const { token } = await signIn(agent)
    const found = await sessionsOf(token)
    expect(found).toMatchObject([
      { userAgent: 'Mozilla/5.0 Firefox/150', network: '127.0.0.1', isCurrent: true },
      { userAgent: 'curl/8.0', network: '127.0.0.1', isCurrent: false },
    ])
    expect((await one.rest(token, 'GET', '/v2/users/me/sessions')).body).toMatchObject(found)
    expect(await sessionsOf(admin, agent.id)).toMatchObject([{ isCurrent: false }, { isCurrent: false }])
  })

  it('tell the last use, also of a cached caller, and where tokens were renewed', async () => {
    const agent = await makeAgent()
    const tokens = await signIn(agent, 'curl/8.0')
    const [first] = await sessionsOf(tokens.token)
    one.clock.advance(10 * 60_000)
    await uses(tokens.token, other)
    await until(
      async () => (await sessionsOf(admin, agent.id))[0]!,
      ({ seenAt }) => Date.parse(seenAt) >= Date.parse(first!.seenAt) + 10 * 60_000,
    )
    expect(await refreshes(tokens, agent)).toBe('ok')
    const [renewed] = await sessionsOf(admin, agent.id)
    expect(renewed).toMatchObject({ id: first!.id, createdAt: first!.createdAt })
    expect(renewed!.userAgent).not.toBe('curl/8.0')
  })

  it('end one by one, on the other node too: sockets, access tokens and refresh tokens', async () => {
    const agent = await makeAgent()
    const [mine, lost] = [await signIn(agent), await signIn(agent, 'lost/1')]
    const [kept, here, there] = [
      await openSocket(mine.token, other),
      await openSocket(lost.token, one),
      await openSocket(lost.token, other),
    ]
    let isKept = true
    void kept.closed.then(() => (isKept = false))
    // Both are in the caches of the other node.
    expect([await uses(mine.token, other), await uses(lost.token, other)]).toEqual(['ok', 'ok'])
    const session = (await sessionsOf(mine.token)).find(({ userAgent }) => userAgent === 'lost/1')!.id
    expect((await one.gql(mine.token, END, { user: 'me', session })).data.endSession).toBe(true)
    expect(await Promise.all([here.closed, there.closed])).toEqual([4403, 4403])
    expect(await uses(lost.token, one)).toBe('UNAUTHENTICATED')
    await isRefused(lost.token, other)
    expect(await refreshes(lost, agent)).toBe('UNAUTHENTICATED')
    expect([await uses(mine.token, other), isKept]).toEqual(['ok', true])
    // Once more, from another tab: it is no error.
    expect((await one.gql(mine.token, END, { user: 'me', session })).data.endSession).toBe(false)
    expect(await sessionsOf(mine.token)).toMatchObject([{ isCurrent: true }])
    expect((await auditOf(agent)).map(({ action }) => action)).toEqual(['endSession'])
  })

  it('end all but the current one; an administrator ends all of another', async () => {
    const agent = await makeAgent()
    const [mine, second, third] = [await signIn(agent), await signIn(agent), await signIn(agent)]
    expect((await other.gql(mine.token, END_ALL, { user: agent.id })).data.endSessions).toBe(2)
    await Promise.all([second, third].map(({ token }) => isRefused(token, one)))
    expect(await uses(mine.token, one)).toBe('ok')
    const { closed } = await openSocket(mine.token, other)
    expect((await one.rest(admin, 'DELETE', `/v2/users/${agent.id}/sessions`)).status).toBe(204)
    expect(await closed).toBe(4403)
    await isRefused(mine.token, other)
    expect(await sessionsOf(admin, agent.id)).toEqual([])
    // Whoever has none is signed out as well: the administrator's action is noted all the same.
    expect((await one.gql(admin, END_ALL, { user: agent.id })).data.endSessions).toBe(0)
    expect(await auditOf(agent)).toHaveLength(3)
    expect(await refreshes(mine, agent)).toBe('UNAUTHENTICATED')
  })

  it("are not another's: an agent's colleague, an owner's, another contact center's", async () => {
    const [agent, colleague] = [await makeAgent(), await makeAgent()]
    const [{ token }, theirs] = [await signIn(agent), await signIn(colleague)]
    const [session] = await sessionsOf(theirs.token)
    const foreign = await one.makeContactCenter()
    const end = (as: string | MadeUser, user: string, id = session!.id) =>
      codeOf(one.gql(as, END, { user, session: id }))
    expect(await end(token, 'me')).toBe('NOT_FOUND')
    expect(await end(token, 'me', 'nonsense')).toBe('NOT_FOUND')
    expect(await end(token, colleague.id)).toBe('FORBIDDEN')
    expect(await end(foreign.owner, colleague.id)).toBe('NOT_FOUND')
    expect(await end(admin, agent.id)).toBe('NOT_FOUND')
    expect(await codeOf(one.gql(admin, END_ALL, { user: center.owner.id }))).toBe('FORBIDDEN')
    expect(await codeOf(one.gql(token, SESSIONS, { user: colleague.id }))).toBe('FORBIDDEN')
    expect(await codeOf(one.gql(foreign.owner, SESSIONS, { user: colleague.id }))).toBe('NOT_FOUND')
    expect(await uses(theirs.token, other)).toBe('ok')
  })

  it('are gone with a changed password, an archived user and a deleted one; an API token is none and stays', async () => {
    const agent = await makeAgent()
    const { token } = await signIn(agent)
    const { closed } = await openSocket(token, other)
    await one.gql(admin, `mutation ($id: ID!) { updateUser(id: $id, patch: { password: "another horse" }) { id } }`, {
      id: agent.id,
    })
    expect(await closed).toBe(4403)
    expect(await sessionsOf(admin, agent.id)).toEqual([])
    const gone = await makeAgent()
    const tokens = await signIn(gone)
    const left = await openSocket(tokens.token, other)
    await one.gql(admin, 'mutation ($id: ID!) { updateUser(id: $id, patch: { status: ARCHIVED }) { id } }', {
      id: gone.id,
    })
    expect(await left.closed).toBe(4403)
    expect(await sessionsOf(admin, gone.id)).toEqual([])
    await one.gql(admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: gone.id })
    expect(await one.server.database.query('select from token_family where user_id = $1', [gone.id])).toEqual([])
    const made = await one.gql(
      admin,
      'mutation ($input: CreateUserInput!) { createUser(input: $input) { id apiToken } }',
      { input: { email: `bot-${crypto.randomUUID()}@example.com`, role: 'BOT' } },
    )
    const { id, apiToken } = made.data.createUser as { id: string; apiToken: string }
    expect(await sessionsOf(apiToken)).toEqual([])
    expect((await one.gql(admin, END_ALL, { user: id })).data.endSessions).toBe(0)
    expect((await one.gql(apiToken, END_ALL, { user: 'me' })).data.endSessions).toBe(0)
    expect([await uses(apiToken, one), await uses(apiToken, other)]).toEqual(['ok', 'ok'])
  })

  it('keep nothing of guests', async () => {
    const { database } = one.server
    expect(
      await database.query(
        'select from token_family where contact_id is not null and (network, user_agent) is not null',
      ),
    ).toEqual([])
  })
})
