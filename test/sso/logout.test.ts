import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { RedisProcess } from '../../bench/chaos/redis-process.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { until } from '../support/until.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { Browser } from './browser.js'
import { startIdentityProvider, type IdentityProvider } from './identity-provider.js'
import { makeProvider, PUBLIC_URL, signInAt, tokenOf } from './sso-fixture.js'

const OPEN = { createUsers: true, defaultRole: 'agent' }
const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} }

/** Two nodes: that they tell each other at once is a test of its own, `test/events/access-broadcast`. */
let redis: RedisProcess
let one: TestServer
let other: TestServer
let provider: IdentityProvider
/** Names users in its sign-outs, and no sessions. */
let plain: IdentityProvider
let admin: MadeUser
let center: MadeOrganization & { owner: MadeUser }
let service: string
let plainService: string
const clients: Client[] = []

beforeAll(async () => {
  redis = await RedisProcess.start()
  one = await startTestServer({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true', REDIS_URL: redis.url })
  other = await startTestServer({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true', REDIS_URL: redis.url }, { beside: one })
  const place = (url: string): string => url.replace(PUBLIC_URL, one.url)
  provider = await startIdentityProvider({ place })
  plain = await startIdentityProvider({ clientId: 'plain', place, namesSessions: false })
  center = await one.makeContactCenter()
  admin = await one.makeUser({ organization: center, role: 'admin' })
  service = await makeProvider(one, admin, provider, OPEN)
  plainService = await makeProvider(one, admin, plain, OPEN)
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
})
afterAll(async () => {
  await other.close()
  await one.close()
  await redis.stop()
  await provider.close()
  await plain.close()
})

interface Session {
  browser: Browser
  person: string
  user: string
  token: string
}

/** A person of a provider signs in. @param browser where the person is signed in already */
async function signIn(at = service, idp = provider, session?: Session): Promise<Session> {
  const person = session?.person ?? `p${crypto.randomUUID()}`
  if (!session) idp.people.set(person, { email: `${person}@${idp.client.clientId}.example` })
  const browser = new Browser({ [PUBLIC_URL]: one.url })
  expect((await signInAt(browser, at, person)).reason).toBeNull()
  return { browser, person, ...(await tokenOf(browser))! }
}
const uses = async (token: string, node: TestServer): Promise<string> =>
  (await node.gql(token, '{ me { id } }')).errors?.[0]?.extensions.code ?? 'ok'
async function openSocket(token: string, node: TestServer): Promise<{ closed: Promise<number>; isClosed(): boolean }> {
  const client = liveClient(node.url, token)
  clients.push(client)
  let isClosed = false
  const closed = new Promise<number>((resolve) => {
    client.on('closed', (event) => {
      isClosed = true
      resolve((event as { code: number }).code)
    })
  })
  await subscribe(client, 'inbox', 'subscription { inbox { __typename } }').next()
  return { closed, isClosed: () => isClosed }
}
const told = (session: Session, idp = provider): Promise<void> =>
  idp.end((address, init) => session.browser.open(address, undefined, init))
async function post(token: string | null, at = service): Promise<number> {
  const body = new URLSearchParams(token === null ? {} : { logout_token: token })
  return (await fetch(`${one.url}/sso/${at}/logout`, { method: 'POST', body })).status
}
const claimsOf = (more: Record<string, unknown> = {}) => ({
  iss: provider.issuer,
  aud: provider.client.clientId,
  iat: Math.floor(Date.now() / 1_000),
  jti: crypto.randomUUID(),
  events: EVENT,
  ...more,
})

describe('a sign-out at the provider', () => {
  it('closes the sockets of its session on two nodes, and ends its tokens; others go on', async () => {
    const session = await signIn()
    // The same person elsewhere, and somebody else.
    const [elsewhere, colleague] = [await signIn(service, provider, session), await signIn()]
    expect(elsewhere.user).toBe(session.user)
    const [here, there] = [await openSocket(session.token, one), await openSocket(session.token, other)]
    const kept = [await openSocket(elsewhere.token, other), await openSocket(colleague.token, one)]
    expect(await uses(session.token, other)).toBe('ok')
    await told(session)
    expect(await Promise.all([here.closed, there.closed])).toEqual([4403, 4403])
    expect(provider.logouts.at(-1)).toMatchObject({ url: `${PUBLIC_URL}/sso/${service}/logout`, status: 200 })
    expect(await uses(session.token, one)).toBe('UNAUTHENTICATED')
    // The other node looks after its sockets by itself too: a cached caller is there for two seconds at most, if no hint has come.
    await until(
      () => uses(session.token, other),
      (code) => code === 'UNAUTHENTICATED',
    )
    expect(await tokenOf(session.browser)).toBeNull()
    expect([await uses(elsewhere.token, other), await uses(colleague.token, one)]).toEqual(['ok', 'ok'])
    expect(kept.map(({ isClosed }) => isClosed())).toEqual([false, false])
    const { data } = await one.gql(
      admin,
      `query ($id: String!) { auditEntries(first: 5, filter: { object: { eq: $id }, action: { eq: "signOut" } }) { nodes { details } } }`,
      { id: session.user },
    )
    expect(data.auditEntries.nodes).toMatchObject([{ details: { provider: service, sessions: 1 } }])
  })

  it('ends all sessions of the user that the provider opened, where it names no session; a password’s stays', async () => {
    const session = await signIn(plainService, plain)
    const elsewhere = await signIn(plainService, plain, session)
    const byPassword = await one.tokenFor({ id: session.user, email: '', role: 'agent', organization: center })
    const sockets = [await openSocket(session.token, other), await openSocket(elsewhere.token, one)]
    await told(session, plain)
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([4403, 4403])
    expect(await uses(byPassword, one)).toBe('ok')
  })
})

describe('a logout token', () => {
  it('is taken once, and a sign-out of nobody is none', async () => {
    const session = await signIn()
    const token = await provider.sign(claimsOf({ sub: session.person }))
    expect([await post(token), await post(token)]).toEqual([200, 400])
    expect(await uses(session.token, one)).toBe('UNAUTHENTICATED')
    const again = await signIn(service, provider, session)
    expect(await post(token)).toBe(400)
    expect(await uses(again.token, one)).toBe('ok')
    expect(await post(await provider.sign(claimsOf({ sub: 'nobody here' })))).toBe(200)
    const twice = await provider.sign(claimsOf({ sub: session.person }))
    const answers = await Promise.all([post(twice), post(twice), post(twice)])
    expect(answers.toSorted()).toEqual([200, 400, 400])
  })

  it('is refused with a foreign issuer, audience or key, a nonce, no event, and too old or early', async () => {
    const session = await signIn()
    const now = Math.floor(Date.now() / 1_000)
    const sub = session.person
    const wrong: Record<string, Promise<string>> = {
      issuer: provider.sign(claimsOf({ sub, iss: plain.issuer })),
      audience: provider.sign(claimsOf({ sub, aud: 'plain' })),
      key: plain.sign(claimsOf({ sub })),
      nonce: provider.sign(claimsOf({ sub, nonce: 'x' })),
      'no event': provider.sign(claimsOf({ sub, events: {} })),
      'another event': provider.sign(claimsOf({ sub, events: { 'http://schemas.openid.net/event/other': {} } })),
      'no jti': provider.sign(claimsOf({ sub, jti: undefined })),
      'no time': provider.sign(claimsOf({ sub, iat: undefined })),
      old: provider.sign(claimsOf({ sub, iat: now - 600 })),
      early: provider.sign(claimsOf({ sub, iat: now + 600 })),
      expired: provider.sign(claimsOf({ sub, exp: now - 120 })),
      'of nobody': provider.sign(claimsOf()),
      'an ID token': provider.sign(claimsOf({ sub }), { typ: 'at+jwt' }),
      malformed: provider.sign(claimsOf({ sub: { a: 1 } })),
      unsigned: Promise.resolve(
        `${btoa('{"alg":"none"}').replaceAll('=', '')}.${Buffer.from(JSON.stringify(claimsOf({ sub }))).toString('base64url')}.`,
      ),
      garbage: Promise.resolve('x'.repeat(20_000)),
    }
    for (const [name, token] of Object.entries(wrong)) expect([name, await post(await token)]).toEqual([name, 400])
    expect([await post(null), await post('x.y.z')]).toEqual([400, 400])
    expect(await post(await provider.sign(claimsOf({ sub })), crypto.randomUUID())).toBe(404)
    // One of a provider is not another's, though the same person has both.
    expect(await post(await provider.sign(claimsOf({ sub })), plainService)).toBe(400)
    expect(await uses(session.token, one)).toBe('ok')
    expect(await post(await provider.sign(claimsOf({ sub })))).toBe(200)
    expect(await uses(session.token, one)).toBe('UNAUTHENTICATED')
  })

  it('ends a session of the named user alone', async () => {
    const session = await signIn()
    const [family] = await one.server.database.query<{ sid: string; amr: string[]; auth_time: Date }>(
      'select sid, amr, auth_time from token_family where user_id = $1',
      [session.user],
    )
    expect(family).toEqual({ sid: expect.any(String), amr: ['pwd', 'mfa'], auth_time: expect.any(Date) })
    expect(await post(await provider.sign(claimsOf({ sub: 'somebody else', sid: family!.sid })))).toBe(200)
    expect(await uses(session.token, one)).toBe('ok')
    expect(await post(await provider.sign(claimsOf({ sid: family!.sid })))).toBe(200)
    expect(await uses(session.token, one)).toBe('UNAUTHENTICATED')
  })

  it('that names a session ends those of the user of which the provider had not said which they are', async () => {
    const session = await signIn(plainService, plain)
    const { issuer: iss, client } = plain
    const claims = claimsOf({ iss, aud: client.clientId, sub: session.person, sid: 'a session' })
    expect(await post(await plain.sign(claims), plainService)).toBe(200)
    expect(await uses(session.token, one)).toBe('UNAUTHENTICATED')
  })

  it('is 503 while the provider’s keys cannot be fetched, so that it is sent again', async () => {
    const fresh = await startIdentityProvider({ clientId: 'fresh' })
    const at = await makeProvider(one, admin, fresh, OPEN)
    const token = await fresh.sign(claimsOf({ iss: fresh.issuer, aud: 'fresh', sub: 'x' }))
    fresh.instead = (_, response) => void response.writeHead(500).end()
    expect(await post(token, at)).toBe(503)
    fresh.instead = null
    expect(await post(token, at)).toBe(200)
    await fresh.close()
  })
})
