import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createClient, type Client } from 'graphql-ws'
import pino from 'pino'
import WebSocket from 'ws'
import { unlockOwner } from '../../src/app/center/unlock-owner.js'
import { readConfig } from '../../src/platform/config.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type GraphqlAnswer, type RestAnswer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const ORIGIN = 'https://chat.example'
const PASSWORD = 'correct horse battery'
const RULES =
  'passwordMinLength maxSessionHours allowedNetworks apiTokenNetworks apiTokenMaxDays idleMinutes passwordLogin secondFactor graceDays'
const POLICY = `organizationId version own { ${RULES} } effective { ${RULES} }`
const FETCH = `query ($o: ID) { signInPolicy(organization: $o) { ${POLICY} } }`
const UPDATE = `mutation ($o: ID, $p: UpdateSignInPolicyInput!) { updateSignInPolicy(organization: $o, patch: $p) { ${POLICY} } }`
const NOTHING = {
  passwordMinLength: null,
  maxSessionHours: null,
  allowedNetworks: null,
  apiTokenNetworks: null,
  apiTokenMaxDays: null,
  idleMinutes: null,
  passwordLogin: null,
  secondFactor: null,
  graceDays: null,
}
/** The test's own address, one of the office, and one from elsewhere. */
const [HERE, OFFICE, ELSEWHERE] = ['127.0.0.1', '192.0.2.7', '203.0.113.9']
const NETWORKS = ['127.0.0.0/8', '192.0.2.0/24', '2001:db8::/32']
const HOUR_MS = 3_600_000

/** Two nodes without Redis: the second hears of nothing. */
let one: TestServer
let other: TestServer
let center: MadeOrganization & { owner: MadeUser }
let team: MadeOrganization
let admin: MadeUser
let teamAdmin: MadeUser
const clients: Client[] = []

beforeAll(async () => {
  one = await startTestServer({ TRUST_PROXY: 'true', PUBLIC_URL: ORIGIN })
  other = await startTestServer({ TRUST_PROXY: 'true', PUBLIC_URL: ORIGIN }, { beside: one })
  await anew()
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
})
afterAll(async () => {
  await other.close()
  await one.close()
})

async function anew(): Promise<void> {
  center = await one.makeContactCenter()
  team = await one.makeOrganization({ parent: center })
  admin = await one.makeUser({ organization: center, role: 'admin', password: PASSWORD })
  teamAdmin = await one.makeUser({ organization: team, role: 'admin', password: PASSWORD })
}

// The tests state what they expect of it.
type Answer = GraphqlAnswer<any> // oxlint-disable-line typescript/no-explicit-any
const reasonOf = ({ errors }: Pick<Answer, 'errors'>): unknown => errors?.[0]?.extensions.reason ?? 'ok'
const refusal = ({ errors }: Answer) => errors?.[0]?.extensions
const update = (patch: object, { as = admin, of = null as MadeOrganization | null } = {}): Promise<Answer> =>
  one.gql(as, UPDATE, { o: of?.id ?? null, p: patch })
async function set(patch: object, options?: Parameters<typeof update>[1]) {
  const { data, errors } = await update(patch, options)
  expect(errors).toBeUndefined()
  return data.updateSignInPolicy
}
const fetched = async (as: MadeUser, of: MadeOrganization | null = null) =>
  (await one.gql(as, FETCH, { o: of?.id ?? null })).data.signInPolicy
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address })
const signIn = (user: MadeUser, address: string, node = one): Promise<RestAnswer> =>
  node.rest(null, 'POST', '/v2/auth/token', { email: user.email, password: PASSWORD }, from(address))
const me = (token: string, address: string, node = one): Promise<RestAnswer> =>
  node.rest(token, 'GET', '/v2/users/me', undefined, from(address))
const statusOf = async (answer: Promise<RestAnswer>): Promise<unknown> => {
  const { status, body } = await answer
  return status < 300 ? status : `${status} ${body.reason}`
}

/** A socket as from an address. */
function connect(token: string, address: string, node = one): { closed: Promise<number>; opened: Promise<void> } {
  class From extends WebSocket {
    constructor(url: string, protocols: string) {
      super(url, protocols, { headers: from(address) })
    }
  }
  const closed = Promise.withResolvers<number>()
  const opened = Promise.withResolvers<void>()
  const client = createClient({
    url: `${node.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: From,
    lazy: false,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer ${token}` },
    onNonLazyError: () => undefined,
    on: {
      connected: () => opened.resolve(),
      closed: (event) => closed.resolve((event as { code: number }).code),
    },
  })
  clients.push(client)
  return { closed: closed.promise, opened: opened.promise }
}

async function makeConversation(): Promise<string> {
  const [id, contact] = [crypto.randomUUID(), crypto.randomUUID()]
  await one.server.database.query(
    `insert into contact (id, organization_id, org1, created_at, updated_at) values ($1, $2, $2, now(), now())`,
    [contact, center.id],
  )
  await one.server.database.query(
    `insert into conversation (id, organization_id, org1, created_at, updated_at, type, name, slug, status, contact_id)
     values ($1, $2, $2, now(), now(), 'contact', 'A conversation', $4, 'active', $3)`,
    [id, center.id, contact, `slug-${id}`],
  )
  return id
}

describe('a sign-in policy', () => {
  it('shows what an organization has set, and what holds: the strictest of the path', async () => {
    await anew()
    expect(await fetched(admin)).toEqual({ organizationId: center.id, version: 0, own: NOTHING, effective: NOTHING })
    const own = { ...NOTHING, passwordMinLength: 14, maxSessionHours: 24, allowedNetworks: NETWORKS }
    expect(await set(own)).toEqual({ organizationId: center.id, version: 1, own, effective: own })
    const ofTeam = { ...NOTHING, passwordMinLength: 16, allowedNetworks: ['127.0.0.0/16', '198.51.100.0/24'] }
    const shown = await set(ofTeam, { as: teamAdmin })
    expect(shown).toMatchObject({
      own: ofTeam,
      effective: {
        passwordMinLength: 16,
        maxSessionHours: 24,
        allowedNetworks: ['127.0.0.0/16'],
        apiTokenNetworks: null,
      },
    })
    expect(await fetched(admin, team)).toEqual(shown)
    // What is absent stays, and null removes.
    expect((await set({ maxSessionHours: null })).own).toEqual({ ...own, maxSessionHours: null })
    expect((await fetched(teamAdmin)).effective.maxSessionHours).toBeNull()
    // The center's becomes stricter than the team's, which is none the weaker for it.
    await set({ passwordMinLength: 20 })
    expect((await fetched(teamAdmin)).effective.passwordMinLength).toBe(20)
  })

  it('is refused where it makes no sense, naming the field', async () => {
    await anew()
    for (const [patch, field] of [
      [{ passwordMinLength: 11 }, 'passwordMinLength'],
      [{ passwordMinLength: 129 }, 'passwordMinLength'],
      [{ maxSessionHours: 0 }, 'maxSessionHours'],
      [{ maxSessionHours: 8761 }, 'maxSessionHours'],
      [{ allowedNetworks: [] }, 'allowedNetworks'],
      [{ allowedNetworks: ['127.0.0.0/8', '192.0.2.9/24'] }, 'allowedNetworks[1]'],
      [{ apiTokenNetworks: ['nowhere'] }, 'apiTokenNetworks[0]'],
    ] as const) {
      expect(refusal(await update(patch))).toMatchObject({ code: 'BAD_USER_INPUT', field })
    }
    expect(await fetched(admin)).toMatchObject({ version: 0 })
    await set({ passwordMinLength: 14, maxSessionHours: 24, allowedNetworks: NETWORKS })
    for (const [patch, field] of [
      [{ passwordMinLength: 12 }, 'passwordMinLength'],
      [{ maxSessionHours: 48 }, 'maxSessionHours'],
      [{ allowedNetworks: ['198.51.100.0/24'] }, 'allowedNetworks'],
    ] as const) {
      expect(refusal(await update(patch, { as: teamAdmin }))).toMatchObject({ reason: 'STRICTER_ABOVE', field })
    }
    // Of two administrators at once, the second is told; in /v2 by If-Match.
    expect(refusal(await update({ maxSessionHours: 12, ifVersion: 0 }))).toMatchObject({ reason: 'OTHER_VERSION' })
    const stranger = await one.makeContactCenter()
    expect(refusal(await update({ maxSessionHours: 12 }, { as: stranger.owner, of: team }))).toMatchObject({
      code: 'NOT_FOUND',
      field: 'organization',
    })
    const agent = await one.makeUser({ organization: center })
    expect(refusal(await update({ maxSessionHours: 12 }, { as: agent }))).toMatchObject({ code: 'FORBIDDEN' })
    expect(refusal(await one.gql(agent, FETCH, {}))).toMatchObject({ code: 'FORBIDDEN' })
  })

  it('shuts out neither its author nor all of an organization below', async () => {
    await anew()
    expect(refusal(await update({ allowedNetworks: ['192.0.2.0/24'] }))).toMatchObject({
      reason: 'WOULD_LOCK_OUT',
      field: 'allowedNetworks',
      network: HERE,
    })
    // The author of a rule for others is not concerned by it.
    await set({ allowedNetworks: ['192.0.2.0/24'] }, { of: team })
    expect(refusal(await update({ allowedNetworks: ['127.0.0.0/8'] }))).toMatchObject({
      reason: 'WOULD_LOCK_OUT',
      field: 'allowedNetworks',
      organization: team.id,
    })
    await set({ allowedNetworks: ['127.0.0.0/8', '192.0.0.0/16'] })
    expect((await fetched(admin, team)).effective.allowedNetworks).toEqual(['192.0.2.0/24'])
    // API tokens have networks of their own: the author comes by none.
    await set({ apiTokenNetworks: ['192.0.2.0/24'] })
  })

  it('is told to administrators who look, and to the audit log with old and new values', async () => {
    await anew()
    await set({ maxSessionHours: 24 })
    await set({ maxSessionHours: 12, allowedNetworks: NETWORKS })
    const { data } = await one.gql(
      admin,
      `{ auditEntries(first: 2, filter: { action: { eq: "updateSignInPolicy" } }) { nodes { object { type } details } } }`,
    )
    expect(data.auditEntries.nodes[0].details.changes[0].values).toMatchObject({
      maxSessionHours: { from: 24, to: 12 },
      allowedNetworks: { from: null, to: NETWORKS },
    })
    expect(data.auditEntries.nodes[0].object).toMatchObject({ type: 'signInPolicy' })
    const [event] = await one.server.database.query<{ data: object }>(
      `select data from event where type = 'signInPolicy.updated' order by at desc limit 1`,
    )
    expect(event!.data).toMatchObject({ organization: center.id, maxSessionHours: 12, allowedNetworks: NETWORKS })
  })

  it('is read and changed in /v2', async () => {
    await anew()
    const path = '/v2/signinpolicy'
    expect((await one.rest(admin, 'GET', path)).body).toMatchObject({ organization: center.id, own: {} })
    const changed = await one.rest(admin, 'PATCH', path, { organization: team.id, maxSessionHours: 8 })
    expect(changed).toMatchObject({ status: 200, body: { organization: team.id, own: { maxSessionHours: 8 } } })
    const of = await one.rest(teamAdmin, 'GET', `${path}?organization=${team.id}`)
    expect(of.body.effective).toMatchObject({ maxSessionHours: 8 })
    expect(await statusOf(one.rest(admin, 'PATCH', path, { allowedNetworks: ['x'] }))).toBe('400 INVALID_VALUE')
    expect(await statusOf(one.rest(admin, 'PATCH', path, { allowedNetworks: ['192.0.2.0/24'] }))).toBe(
      '422 WOULD_LOCK_OUT',
    )
    const stale = one.rest(admin, 'PATCH', path, { maxSessionHours: 24 }, { 'if-match': '"7"' })
    expect(await statusOf(stale)).toBe('412 OTHER_VERSION')
  })
})

describe('allowed networks', () => {
  it('hold for sign-ins, refreshes and requests, on both nodes, and lose nothing', async () => {
    await anew()
    const { body: tokens } = await signIn(admin, ELSEWHERE)
    const refresh = (address: string): Promise<RestAnswer> =>
      one.rest(
        null,
        'POST',
        '/v2/auth/token',
        { refreshToken: tokens.refreshToken, clientId: admin.email },
        from(address),
      )
    expect(await statusOf(me(tokens.token, ELSEWHERE, other))).toBe(200)
    await set({ allowedNetworks: NETWORKS })
    for (const node of [one, other])
      await until(async () => (await statusOf(me(tokens.token, ELSEWHERE, node))) === '403 NETWORK_NOT_ALLOWED')
    const { body } = await me(tokens.token, ELSEWHERE)
    expect(body).toMatchObject({ network: ELSEWHERE })
    for (const address of [HERE, OFFICE, `::ffff:${OFFICE}`, '2001:db8::9'])
      expect([address, await statusOf(me(tokens.token, address))]).toEqual([address, 200])
    expect(await statusOf(signIn(admin, ELSEWHERE, other))).toBe('403 NETWORK_NOT_ALLOWED')
    // The wrong password says nothing of networks.
    const guess = { email: admin.email, password: 'a wrong password' }
    expect(await statusOf(one.rest(null, 'POST', '/v2/auth/token', guess, from(ELSEWHERE)))).toBe(
      '401 WRONG_CREDENTIALS',
    )
    expect(await statusOf(signIn(admin, OFFICE))).toBe(201)
    // Written without anybody waiting for it.
    await until(async () => {
      const entries = await one.server.database.query(
        `select from audit_entry where action = 'signInRefused' and object ->> 'id' = $1`,
        [admin.id],
      )
      return entries.length > 0
    })
    // A refresh token that was refused is not spent.
    expect(await statusOf(refresh(ELSEWHERE))).toBe('403 NETWORK_NOT_ALLOWED')
    expect(await statusOf(refresh(OFFICE))).toBe(201)
  })

  it('close the sockets of who is elsewhere, on both nodes, and open none', async () => {
    await anew()
    const { body: tokens } = await signIn(admin, ELSEWHERE)
    const outside = [connect(tokens.token, ELSEWHERE), connect(tokens.token, ELSEWHERE, other)]
    const inside = connect(tokens.token, OFFICE)
    await Promise.all([...outside, inside].map(({ opened }) => opened))
    await set({ allowedNetworks: NETWORKS })
    expect(await Promise.all(outside.map(({ closed }) => closed))).toEqual([4403, 4403])
    expect(await connect(tokens.token, ELSEWHERE).closed).toBe(4403)
    await connect(tokens.token, OFFICE).opened
    expect(await Promise.race([inside.closed, Promise.resolve('open')])).toBe('open')
  })

  it('hold for the cookie of a browser, which works again from where it may', async () => {
    await anew()
    const session = (address: string, cookie?: string): Promise<Response> =>
      fetch(`${one.url}/console/session`, {
        method: 'POST',
        headers: {
          ...from(address),
          origin: ORIGIN,
          ...(cookie ? { cookie } : { 'content-type': 'application/json' }),
        },
        ...(!cookie && { body: JSON.stringify({ email: admin.email, password: PASSWORD }) }),
      })
    const opened = await session(ELSEWHERE)
    const cookie = opened.headers.get('set-cookie')!.split(';', 1)[0]!
    expect((await session(ELSEWHERE, cookie)).status).toBe(200)
    await set({ allowedNetworks: NETWORKS })
    const refused = await session(ELSEWHERE, cookie)
    expect([refused.status, ((await refused.json()) as { reason: string }).reason]).toEqual([
      403,
      'NETWORK_NOT_ALLOWED',
    ])
    expect((await session(OFFICE, cookie)).status).toBe(200)
  })

  it('hold for links that choose a password, which then still work', async () => {
    await anew()
    await set({ allowedNetworks: NETWORKS })
    const user = await one.makeUser({ organization: team, password: PASSWORD })
    const link = await one.gql(admin, 'mutation ($u: ID!) { createSignInLink(user: $u) { url } }', { u: user.id })
    const token = link.data.createSignInLink.url.split('#')[1]
    const reset = (address: string): Promise<Response> =>
      fetch(`${one.url}/console/session`, {
        method: 'POST',
        headers: { ...from(address), origin: ORIGIN, 'content-type': 'application/json' },
        body: JSON.stringify({ reset: token, password: 'another horse battery' }),
      })
    expect((await reset(ELSEWHERE)).status).toBe(403)
    expect(await statusOf(signIn(user, OFFICE))).toBe(201)
    expect((await reset(OFFICE)).status).toBe(200)
  })

  it('are no matter of guests, nor of API tokens, which have networks of their own', async () => {
    await anew()
    const made = await one.gql(
      admin,
      'mutation ($e: String!) { createUser(input: { email: $e, role: BOT }) { id apiToken } }',
      { e: `${crypto.randomUUID()}@example.com` },
    )
    const { apiToken } = made.data.createUser
    const id = await makeConversation()
    const guest = await one.gql(admin, 'mutation ($c: ID!) { createGuestToken(conversation: $c) { token } }', { c: id })
    const guestToken = guest.data.createGuestToken.token
    await set({ allowedNetworks: NETWORKS })
    const conversation = (): Promise<unknown> =>
      statusOf(one.rest(guestToken, 'GET', `/v2/conversations/${id}`, undefined, from(ELSEWHERE)))
    expect(await statusOf(me(apiToken, ELSEWHERE))).toBe(200)
    expect(await conversation()).toBe(200)
    const socket = connect(apiToken, ELSEWHERE)
    await socket.opened
    await set({ apiTokenNetworks: NETWORKS })
    await until(async () => (await statusOf(me(apiToken, ELSEWHERE))) === '403 NETWORK_NOT_ALLOWED')
    expect(await socket.closed).toBe(4403)
    expect(await statusOf(me(apiToken, OFFICE))).toBe(200)
    expect(await conversation()).toBe(200)
  })

  it('are removed by npm run owner:unlock, which the audit log tells', async () => {
    await anew()
    const unlock = (...args: string[]): Promise<string> =>
      unlockOwner(
        readConfig({ DATABASE_URL: one.databaseUrl, DATABASE_POOL_SIZE: '2' }),
        pino({ level: 'silent' }),
        args,
      )
    await set({ maxSessionHours: 24, allowedNetworks: NETWORKS })
    const owner = center.owner
    expect(await statusOf(signIn(owner, ELSEWHERE))).toBe('403 NETWORK_NOT_ALLOWED')
    await expect(unlock()).rejects.toThrow('usage')
    await expect(unlock(admin.email)).rejects.toThrow('no owner has the email')
    expect(await unlock(owner.email.toUpperCase())).toContain('127.0.0.0/8')
    expect(await statusOf(signIn(owner, ELSEWHERE))).toBe(201)
    expect((await fetched(admin)).own).toEqual({ ...NOTHING, maxSessionHours: 24 })
    const entries = await one.server.database.query(`select from audit_entry where action = 'ownerUnlock'`)
    expect(entries).toHaveLength(1)
    expect(await unlock(owner.email)).toContain('nothing')
  })
})

describe('the longest session', () => {
  it('ends: requests, refreshes and sockets are refused, and the list of sessions says when', async () => {
    await anew()
    const { body: tokens } = await signIn(admin, HERE)
    const { opened, closed } = connect(tokens.token, HERE)
    await opened
    await set({ maxSessionHours: 2 })
    const list = await one.gql(tokens.token, '{ sessions(user: "me") { createdAt expiresAt isCurrent } }')
    const current = list.data.sessions.find((each: { isCurrent: boolean }) => each.isCurrent)
    expect(Date.parse(current.expiresAt) - Date.parse(current.createdAt)).toBe(2 * HOUR_MS)
    one.clock.advance(2 * HOUR_MS)
    expect(await closed).toBe(4403)
    expect(await statusOf(me(tokens.token, HERE, other))).toBe('401 TOKEN_INVALID')
    const refresh = { refreshToken: tokens.refreshToken, clientId: admin.email }
    expect(await statusOf(one.rest(null, 'POST', '/v2/auth/token', refresh))).toBe('401 REFRESH_REFUSED')
    expect(await statusOf(signIn(admin, HERE))).toBe(201)
  })
})

describe('the shortest password', () => {
  const change = (user: MadeUser, token: string, password: string, currentPassword = PASSWORD): Promise<Answer> =>
    one.gql(token, 'mutation ($id: ID!, $p: UpdateUserInput!) { updateUser(id: $id, patch: $p) { id } }', {
      id: user.id,
      p: { password, currentPassword },
    })

  it('is asked for at the next change; none is common, or names its user', async () => {
    await anew()
    const email = `tabitha.${crypto.randomUUID()}@example.com`
    const user = await one.makeUser({
      organization: team,
      email,
      displayName: 'Tabitha Sparrowhawk',
      password: PASSWORD,
    })
    const { body: tokens } = await signIn(user, HERE)
    await set({ passwordMinLength: 14 })
    // The present one works on.
    expect(await statusOf(signIn(user, HERE))).toBe(201)
    for (const [password, reason] of [
      ['short enough', 'PASSWORD_TOO_SHORT'],
      ['123456789123456789', 'PASSWORD_COMMON'],
      ['PasswordPassword', 'PASSWORD_COMMON'],
      ['my sparrowHAWK flies', 'PASSWORD_NAMES_USER'],
      [`${email.split('@')[0]} again`, 'PASSWORD_NAMES_USER'],
    ] as const) {
      const answer = await change(user, tokens.token, password)
      expect([password, refusal(answer)]).toEqual([password, expect.objectContaining({ reason, field: 'password' })])
      expect(answer.errors![0]!.message).not.toContain(password)
    }
    expect(refusal(await change(user, tokens.token, 'short'))).toMatchObject({ code: 'BAD_USER_INPUT' })
    expect(refusal(await change(user, tokens.token, 'short enough'))).toMatchObject({ minLength: 14 })
    expect(reasonOf(await change(user, tokens.token, 'a quiet meadow at noon'))).toBe('ok')
  })

  it('holds for new users, bots too, invitations and links, by the organization of the user', async () => {
    await anew()
    await set({ passwordMinLength: 16 }, { of: team })
    const create = (password: string, organization: MadeOrganization, role = 'AGENT'): Promise<Answer> =>
      one.gql(admin, 'mutation ($i: CreateUserInput!) { createUser(input: $i) { id } }', {
        i: { email: `${crypto.randomUUID()}@example.com`, organization: organization.id, role, password },
      })
    expect(reasonOf(await create('eight ch', center))).toBe('ok')
    expect(reasonOf(await create('fifteen letters', team))).toBe('PASSWORD_TOO_SHORT')
    expect(reasonOf(await create('fifteen letters', team, 'BOT'))).toBe('PASSWORD_TOO_SHORT')
    expect(reasonOf(await create('sixteen letters!', team))).toBe('ok')
    const user = await one.makeUser({ organization: team, password: PASSWORD })
    const link = await one.gql(admin, 'mutation ($u: ID!) { createSignInLink(user: $u) { url } }', { u: user.id })
    const token = link.data.createSignInLink.url.split('#')[1]
    const reset = (password: string): Promise<Answer> =>
      one.gql(null, 'mutation ($t: String!, $p: String!) { resetPassword(token: $t, password: $p) { token } }', {
        t: token,
        p: password,
      })
    expect(reasonOf(await reset('fifteen letters'))).toBe('PASSWORD_TOO_SHORT')
    expect(reasonOf(await reset('sixteen letters!'))).toBe('ok')
    // Who moves gets the rules of where the user goes.
    const moved = await one.makeUser({ organization: center, password: PASSWORD })
    const move = (password: string): Promise<Answer> =>
      one.gql(admin, 'mutation ($id: ID!, $p: UpdateUserInput!) { updateUser(id: $id, patch: $p) { id } }', {
        id: moved.id,
        p: { organization: team.id, password },
      })
    expect(reasonOf(await move('fifteen letters'))).toBe('PASSWORD_TOO_SHORT')
    expect(reasonOf(await move('sixteen letters!'))).toBe('ok')
  })
})
