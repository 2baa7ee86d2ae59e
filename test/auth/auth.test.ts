import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { AccessCache } from '../../src/modules/auth/access-cache.js'
import type { Connected } from '../../src/platform/access/authenticator.js'
import type { Caller } from '../../src/platform/access/caller.js'
import { createAuthenticator } from '../../src/modules/auth/authenticator.js'
import { serverSecret } from '../../src/modules/auth/server-secret.js'
import { deleteExpiredFamilies } from '../../src/modules/auth/token-families.js'
import { Context } from '../../src/platform/context.js'
import type { Sql } from '../../src/platform/db/database.js'
import { organizationLoader } from '../../src/modules/organizations/organization.js'
import { userProfileLoader } from '../../src/modules/users/user-profile.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startIdentity, type Answer, type Identity } from '../support/identity.js'
import { startMailServer, type MailServer } from '../support/mail-server.js'
import { sampleOf } from '../support/metrics.js'
import { until } from '../support/until.js'

let api: Identity
let mail: MailServer
let center: MadeOrganization
let customer: MadeOrganization
let foreign: MadeOrganization
let agent: MadeUser

const PASSWORD = 'correct horse battery'
const METRICS_TOKEN = 'collected-by-the-tests'

const at = (caller: Caller): Connected => ({ caller, address: '127.0.0.1' })
beforeAll(async () => {
  mail = await startMailServer()
  api = await startIdentity({ SMTP_URL: mail.url, PUBLIC_URL: 'https://chat.example', METRICS_TOKEN })
  center = await api.makeOrganization({ name: 'Center' })
  customer = await api.makeOrganization({ parent: center, name: 'Customer' })
  foreign = await api.makeOrganization({ name: 'Elsewhere' })
  agent = await api.makeUser({ organization: center, password: PASSWORD, email: 'Agent@Example.com' })
})
afterAll(async () => {
  await api.close()
  await mail.close()
})

interface Tokens {
  tokenType: string
  token: string
  refreshToken: string
  user: string | null
  organization: string
  expiresAt: string
  scope: string
}

const TOKENS = '{ tokenType token refreshToken user organization expiresAt scope }'
const SIGN_IN = `mutation ($email: String!, $password: String!, $timezone: String) {
  createToken(email: $email, password: $password, timezone: $timezone) ${TOKENS} }`
const REFRESH = `mutation ($refreshToken: String!, $clientId: String) {
  refreshToken(refreshToken: $refreshToken, clientId: $clientId) ${TOKENS} }`
const REVOKE = 'mutation ($refreshToken: String, $all: Boolean) { revokeToken(refreshToken: $refreshToken, all: $all) }'
const GUEST = `mutation ($conversation: ID!) { createGuestToken(conversation: $conversation) ${TOKENS} }`
const ACCEPT = `mutation ($token: String!, $password: String!) { acceptInvitation(token: $token, password: $password) ${TOKENS} }`

const signIn = async (user: { email: string } = agent, password = PASSWORD): Promise<Tokens> => {
  const { data, message } = await api.run(null, SIGN_IN, { email: user.email, password })
  if (message) throw new Error(message)
  return data.createToken as Tokens
}
const refresh = (
  refreshToken: string,
  clientId: string | null = agent.email,
  as: string | null = null,
): Promise<Answer> => api.run(as, REFRESH, { refreshToken, clientId })
const isAlive = async (token: string) => (await api.run(token, '{ me { id } }')).code === undefined
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>

describe('createToken', () => {
  it('returns the fields of 2.1, and a token that legacy clients can decode', async () => {
    const tokens = await signIn({ email: 'agent@EXAMPLE.com' })
    expect(tokens).toMatchObject({ tokenType: 'Bearer', user: agent.id, organization: center.id, scope: 'guest agent' })
    const claims = claimsOf(tokens.token)
    expect(claims).toMatchObject({
      _id: agent.id,
      organization: center.id,
      scope: 'guest agent',
      grant_type: 'access_token',
      exp: Date.parse(tokens.expiresAt) / 1_000,
    })
    expect((claims.exp as number) - (claims.iat as number)).toBe(24 * 60 * 60)
    expect((await api.run(tokens.token, '{ me { email } }')).data.me).toEqual({ email: 'Agent@Example.com' })
    expect((await api.eventsOf(center.id)).at(-1)).toBe('user.login')
  })

  // [2.2 lastLogin] [2.3 timezone default, locale inferred] [3.3 user]
  it('activates a queued user, sets lastLogin, the zone and the language once', async () => {
    const user = await api.makeUser({ organization: center, password: PASSWORD, status: 'queued' })
    const query = '{ me { status lastLogin settings { timezone timezoneSet locale localeSet } } }'
    const login = async (timezone: string | null, acceptLanguage: string) => {
      const response = await fetch(`${api.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-language': acceptLanguage },
        body: JSON.stringify({ query: SIGN_IN, variables: { email: user.email, password: PASSWORD, timezone } }),
      })
      const { data } = (await response.json()) as { data: { createToken: Tokens } }
      return (await api.run(data.createToken.token, query)).data.me as { lastLogin: string; settings: unknown }
    }
    const before = new Date().toISOString()
    const me = await login('Europe/Berlin', 'sv, fr-CH;q=0.8, de;q=0.9, *;q=0.1')
    expect(me).toMatchObject({
      status: 'ACTIVE',
      settings: { timezone: 'Europe/Berlin', timezoneSet: false, locale: 'DE', localeSet: false },
    })
    expect([before, me.lastLogin, new Date().toISOString()].toSorted()[1]).toBe(me.lastLogin)
    expect((await login('Asia/Tokyo', 'nl')).settings).toMatchObject({ timezone: 'Europe/Berlin', locale: 'DE' })
  })

  it('returns the same error for an unknown email, a wrong password, an archived user and one without a password', async () => {
    const archived = await api.makeUser({ organization: center, password: PASSWORD, status: 'archived' })
    const without = await api.makeUser({ organization: center })
    const attempts: [string, string][] = [
      ['nobody@example.com', PASSWORD],
      [agent.email, 'wrong password'],
      [archived.email, PASSWORD],
      [without.email, ''],
      ['', ''],
      ['a\0b@c.d', PASSWORD],
      ['x'.repeat(30_000), 'x'.repeat(30_000)],
      [agent.email, `${PASSWORD}\0`],
    ]
    for (const [email, password] of attempts) {
      const { code, message } = await api.run(null, SIGN_IN, { email, password })
      expect([email.slice(0, 30), code, message]).toEqual([
        email.slice(0, 30),
        'UNAUTHENTICATED',
        'email or password is wrong',
      ])
    }
  })

  it('does the same work for an unknown email as for a wrong password', async () => {
    const compared = () => sampleOf(api.url, 'share_wait_seconds_count{share="sign_ins"}', METRICS_TOKEN)
    const comparedFor = async (email: string): Promise<number> => {
      const before = await compared()
      const { code } = await api.run(null, SIGN_IN, { email, password: 'wrong password' })
      expect(code).toBe('UNAUTHENTICATED')
      return (await compared()) - before
    }
    const known = await api.makeUser({ organization: center, password: PASSWORD })
    const without = await api.makeUser({ organization: center })
    // The work of one comparison is the same for all of them: see passwords.test.ts.
    expect(await comparedFor(known.email)).toBe(1)
    expect(await comparedFor('unknown@example.com')).toBe(1)
    expect(await comparedFor(without.email)).toBe(1)
  })

  it("stops guesses at one account's password, even if the eleventh is right", async () => {
    const victim = await api.makeUser({ organization: center, password: PASSWORD })
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await api.run(null, SIGN_IN, { email: victim.email, password: 'a guess' })).code).toBe('UNAUTHENTICATED')
    }
    expect((await api.run(null, SIGN_IN, { email: victim.email.toUpperCase(), password: PASSWORD })).code).toBe(
      'RATE_LIMITED',
    )
    expect(await isAlive((await signIn()).token)).toBe(true)
  })
})

describe('refreshToken', () => {
  it('exchanges a token for a new pair, and both are new', async () => {
    const first = await signIn()
    const { data } = await refresh(first.refreshToken)
    const second = data.refreshToken as Tokens
    expect(second).toMatchObject({ user: agent.id, organization: center.id, scope: 'guest agent' })
    expect(second.token).not.toBe(first.token)
    expect(second.refreshToken).not.toBe(first.refreshToken)
    expect([await isAlive(first.token), await isAlive(second.token)]).toEqual([true, true])
  })

  it('repeats an exchange whose response was lost, and revokes the token of that response', async () => {
    const first = await signIn()
    const lost = (await refresh(first.refreshToken)).data.refreshToken as Tokens
    const lostToo = (await refresh(first.refreshToken)).data.refreshToken as Tokens
    const second = (await refresh(first.refreshToken)).data.refreshToken as Tokens
    expect(new Set([lost, lostToo, second].map((pair) => pair.refreshToken)).size).toBe(3)
    const third = (await refresh(second.refreshToken)).data.refreshToken as Tokens
    expect(await isAlive(third.token)).toBe(true)
    // Its successor has been used: somebody has got the answer.
    expect((await refresh(first.refreshToken)).code).toBe('UNAUTHENTICATED')
    expect(await isAlive(third.token)).toBe(false)
  })

  it('revokes the whole sign-in when that revoked token is used', async () => {
    const first = await signIn()
    const stolen = (await refresh(first.refreshToken)).data.refreshToken as Tokens
    const second = (await refresh(first.refreshToken)).data.refreshToken as Tokens
    expect((await refresh(stolen.refreshToken)).code).toBe('UNAUTHENTICATED')
    expect(await isAlive(second.token)).toBe(false)
  })

  it('revokes the whole sign-in when a token is reused after 30 s', async () => {
    const first = await signIn()
    const other = await signIn()
    const second = (await refresh(first.refreshToken)).data.refreshToken as Tokens
    await api.server.database.query(
      "update refresh_token set spent_at = spent_at - interval '31 s' where spent_at is not null",
    )
    expect(await refresh(first.refreshToken)).toMatchObject({ code: 'UNAUTHENTICATED', message: 'refresh refused' })
    expect([await isAlive(first.token), await isAlive(second.token), await isAlive(other.token)]).toEqual([
      false,
      false,
      true,
    ])
    expect((await refresh(second.refreshToken)).code).toBe('UNAUTHENTICATED')
  })

  it('leaves one token valid after many concurrent exchanges', async () => {
    for (let round = 0; round < 5; round++) {
      const { refreshToken } = await signIn()
      const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refreshToken)))
      const pairs = answers.flatMap(({ data }) => (data?.refreshToken ? [data.refreshToken as Tokens] : []))
      const rows = await api.server.database.query<{ unspent: number }>(
        `select count(*) filter (where spent_at is null) as unspent from refresh_token r
         where family_id = (select family_id from refresh_token order by created_at desc, id desc limit 1)`,
      )
      expect(pairs.length).toBeGreaterThan(0)
      expect(rows[0]!.unspent).toBe(1)
    }
  })

  it("requires proof in addition to the token: the user's email, or an access token of the same user", async () => {
    const { token, refreshToken } = await signIn()
    const someone = await api.tokenFor(await api.makeUser({ organization: center }))
    expect(await refresh(refreshToken, null)).toMatchObject({ code: 'BAD_USER_INPUT', field: 'clientId' })
    expect((await refresh(refreshToken, 'other@example.com')).code).toBe('UNAUTHENTICATED')
    expect((await refresh(refreshToken, null, someone)).code).toBe('UNAUTHENTICATED')
    const { data } = await refresh(refreshToken, null, token)
    expect((data.refreshToken as Tokens).user).toBe(agent.id)
  })

  it('accepts refresh tokens only, until they expire', async () => {
    const { token, refreshToken } = await signIn()
    for (const bad of [token, 'nonsense', '', `${refreshToken}x`, 'x'.repeat(30_000)]) {
      expect((await refresh(bad)).code).toBe('UNAUTHENTICATED')
    }
    expect((await api.run(refreshToken, '{ me { id } }')).code).toBe('UNAUTHENTICATED')
  })

  // [5 rule 3 role]
  it('applies changes of the user: the new scope after a change of role, a refusal after archiving', async () => {
    const user = await api.makeUser({ organization: center, password: PASSWORD })
    const first = await signIn(user)
    await api.sql(`update app_user set role = 'admin' where id = $1`, [user.id])
    const second = (await refresh(first.refreshToken, user.email)).data.refreshToken as Tokens
    expect(second.scope).toBe('guest agent bot admin')
    await api.sql(`update app_user set status = 'archived' where id = $1`, [user.id])
    expect((await refresh(second.refreshToken, user.email)).code).toBe('UNAUTHENTICATED')
  })
})

describe('revokeToken', () => {
  it('ends the current sign-in, that of a refresh token, or all sign-ins', async () => {
    const [a, b, c, d] = [await signIn(), await signIn(), await signIn(), await signIn()]
    const alive = () => Promise.all([a, b, c, d].map(({ token }) => isAlive(token)))
    expect(await alive()).toEqual([true, true, true, true])
    expect((await api.run(a.token, REVOKE)).data).toEqual({ revokeToken: true })
    expect(await alive()).toEqual([false, true, true, true])
    expect((await refresh(a.refreshToken)).code).toBe('UNAUTHENTICATED')
    await api.run(b.token, REVOKE, { refreshToken: c.refreshToken })
    expect(await alive()).toEqual([false, true, false, true])
    await api.run(b.token, REVOKE, { all: true })
    expect(await alive()).toEqual([false, false, false, false])
  })

  it("does not affect others' sign-ins", async () => {
    const mine = await signIn()
    const theirs = await api.makeUser({ organization: center, password: PASSWORD })
    const tokens = await signIn(theirs)
    await api.run(mine.token, REVOKE, { refreshToken: tokens.refreshToken })
    expect(await isAlive(tokens.token)).toBe(true)
  })
})

describe('guest tokens', () => {
  it('act for the contact of one conversation, with the scope of a guest', async () => {
    const admin = await api.tokenFor(await api.makeUser({ organization: center, role: 'admin' }))
    const conversation = await api.makeConversation(customer)
    const { data } = await api.run(admin, GUEST, { conversation: conversation.id })
    const tokens = data.createGuestToken as Tokens
    expect(tokens).toMatchObject({ user: null, organization: customer.id, scope: 'guest' })
    const caller = await api.server.authenticator.authenticate(`Bearer ${tokens.token}`)
    expect(caller).toMatchObject({
      kind: 'guest',
      contact: conversation.contact,
      conversation: conversation.id,
      path: customer.path,
      key: `guest:${conversation.contact}`,
    })
    expect((await api.run(tokens.token, '{ me { id } }')).code).toBe('FORBIDDEN')
    expect((await api.run(tokens.token, '{ users { totalCount } }')).code).toBe('FORBIDDEN')

    const again = await refresh(tokens.refreshToken, conversation.contact)
    expect(again.data.refreshToken).toMatchObject({ user: null, scope: 'guest', organization: customer.id })
    await api.run(tokens.token, REVOKE, { all: true })
    await expect(api.server.authenticator.authenticate(`Bearer ${tokens.token}`)).rejects.toThrow('invalid token')
  })

  it('end with their conversation', async () => {
    const admin = await api.tokenFor(await api.makeUser({ organization: center, role: 'admin' }))
    const { id } = await api.makeConversation(center)
    const { token } = (await api.run(admin, GUEST, { conversation: id })).data.createGuestToken as Tokens
    const caller = await api.server.authenticator.authenticate(`Bearer ${token}`)
    await api.sql('delete from conversation where id = $1', [id])
    expect(await api.server.authenticator.findEnded([at(caller!)])).toMatchObject({ size: 1 })
    const other = createAuthenticator({ sql: api.server.database, signer: api.server.signer, clock: api.clock })
    await expect(other.authenticate(`Bearer ${token}`)).rejects.toThrow('invalid token')
  })

  it('are created by bots and administrators, for conversations that they see', async () => {
    const { id } = await api.makeConversation(center)
    const allowed: unknown[] = []
    for (const role of ['viewer', 'agent', 'bot', 'admin', 'owner'] as const) {
      const token = await api.tokenFor(await api.makeUser({ organization: center, role }))
      if ((await api.run(token, GUEST, { conversation: id })).code === undefined) allowed.push(role)
    }
    expect(allowed).toEqual(['bot', 'admin', 'owner'])
    const outsider = await api.tokenFor(await api.makeUser({ organization: foreign, role: 'admin' }))
    for (const conversation of [id, 'nonsense']) {
      expect((await api.run(outsider, GUEST, { conversation })).code).toBe('NOT_FOUND')
    }
  })

  it('show the public side of an organization only, and profiles of the agents above', async () => {
    const admin = await api.tokenFor(await api.makeUser({ organization: center, role: 'admin' }))
    await api.sql(`update organization set meta = '{"a": 1}', stopwords = '{x}', logo = 'l' where id = $1`, [
      customer.id,
    ])
    const { id } = await api.makeConversation(customer)
    const { token } = (await api.run(admin, GUEST, { conversation: id })).data.createGuestToken as Tokens
    const { database } = api.server
    const contextOf = async (bearer: string) => {
      const caller = await api.server.authenticator.authenticate(`Bearer ${bearer}`)
      return new Context({ database, clock: api.clock, log: undefined as never, caller, requestId: 'r', address: null })
    }
    const guest = await contextOf(token)
    const seen = await guest.loader(organizationLoader).load(customer.id)
    expect(seen).toMatchObject({ name: 'Customer', logo: 'l' })
    expect([seen!.meta, seen!.stopwords, seen!.tags, seen!.email]).toEqual([undefined, undefined, undefined, undefined])
    expect(await guest.loader(userProfileLoader).load(agent.id)).toEqual({
      id: agent.id,
      organizationId: agent.organization.id,
      displayName: 'The agent',
      name: 'The agent',
      avatar: null,
      role: 'agent',
      version: 1,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
      isProfile: true,
    })
    const outsider = await api.makeUser({ organization: foreign })
    expect(await guest.loader(userProfileLoader).load(outsider.id)).toBeNull()
    const viewOf = async (role: 'agent' | 'admin') => {
      const token = await api.tokenFor(await api.makeUser({ organization: customer, role }))
      return (await contextOf(token)).loader(organizationLoader).load(customer.id)
    }
    expect(await viewOf('agent')).toMatchObject({ meta: undefined, stopwords: ['x'] })
    expect(await viewOf('admin')).toMatchObject({ meta: { a: 1 }, stopwords: ['x'] })
  })
})

describe('invitations', () => {
  const invite = async (): Promise<{ id: string; email: string; token: string }> => {
    const admin = await api.tokenFor(await api.makeUser({ organization: center, role: 'admin' }))
    const email = `invited-${Math.random().toString(36).slice(2)}@example.com`
    const create = 'mutation ($email: String!) { createUser(input: { email: $email, invite: true }) { id status } }'
    const { data } = await api.run(admin, create, { email })
    const { id } = data.createUser as { id: string }
    return { id, email, token: await mailedToken(email) }
  }
  const mailedToken = async (email: string): Promise<string> => {
    const found = await until(() => mail.mails.find(({ to }) => to === email))
    // Quoted-printable breaks long lines.
    const text = found.body.replace(/=\n/g, '').replace(/=3D/g, '=')
    return /https:\/\/chat\.example\/console\/(?:invitation|reset)#(\S+)/.exec(text)![1]!
  }

  // [2.2 invite mails]
  it('are mailed; accepting one sets the password, activates the user and signs in', async () => {
    const { id, email, token } = await invite()
    const { data } = await api.run(null, ACCEPT, { token, password: 'my own password' })
    const tokens = data.acceptInvitation as Tokens
    expect(tokens).toMatchObject({ user: id, scope: 'guest agent' })
    expect((await api.run(tokens.token, '{ me { status } }')).data.me).toEqual({ status: 'ACTIVE' })
    expect((await signIn({ email }, 'my own password')).user).toBe(id)
    expect((await api.run(null, ACCEPT, { token, password: 'another password' })).code).toBe('UNPROCESSABLE')
  })

  it('link to the console, and links in older mails still work', async () => {
    const response = await fetch(`${api.url}/invitation`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/console/invitation'])
  })

  it('can be accepted once, even by two concurrent requests', async () => {
    const { token } = await invite()
    const both = await Promise.all(
      ['first password', 'second password'].map((password) => api.run(null, ACCEPT, { token, password })),
    )
    expect(both.map(({ code }) => code).toSorted()).toEqual(['UNPROCESSABLE', undefined])
  })

  it('refuse forgeries, weak passwords and expired links', async () => {
    const { id, token } = await invite()
    const [user, expires, signature] = token.split('.')
    const forged = [
      `${agent.id}.${expires}.${signature}`,
      `${user}.${Number(expires) + 9}.${signature}`,
      `${user}.${expires}.`,
      '',
      'x.y.z',
    ]
    for (const each of forged) {
      expect((await api.run(null, ACCEPT, { token: each, password: PASSWORD })).code).toBe('UNPROCESSABLE')
    }
    expect(await api.run(null, ACCEPT, { token, password: 'short' })).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'password',
    })
    await api.sql(`update app_user set status = 'archived' where id = $1`, [id])
    expect((await api.run(null, ACCEPT, { token, password: PASSWORD })).code).toBe('UNPROCESSABLE')
  })

  it('are mailed eventually if the mail server is temporarily unavailable', async () => {
    mail.refuse(1)
    const { token } = await invite()
    expect(token).toMatch(/^[\w-]+\.\d+\.[\w-]+$/)
  })
})

describe('the authenticator', () => {
  const counting = (): Sql & { statements: number } => ({
    statements: 0,
    query(text, values, name) {
      this.statements++
      return api.server.database.query(text, values, name)
    },
  })
  const another = (sql: Sql = api.server.database) =>
    createAuthenticator({ sql, signer: api.server.signer, clock: api.clock })

  it('accepts no request without credentials, and refuses anything but a bearer token', async () => {
    const authenticator = another()
    for (const header of [undefined, null, '']) expect(await authenticator.authenticate(header)).toBeNull()
    for (const header of ['Basic YTpi', 'Bearer', 'Bearer x y', 'token', 'Bearer null']) {
      await expect(authenticator.authenticate(header)).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
        message: expect.stringMatching(/^invalid token/),
      })
    }
  })

  it('queries the database once for a busy caller', async () => {
    const sql = counting()
    const authenticator = another(sql)
    const header = `Bearer ${(await signIn()).token}`
    const callers = [...(await Promise.all(Array.from({ length: 20 }, () => authenticator.authenticate(header))))]
    for (let request = 0; request < 100; request++) callers.push(await authenticator.authenticate(header))
    expect(sql.statements).toBe(1)
    expect(new Set(callers).size).toBe(1)
    expect(callers[0]).toMatchObject({
      kind: 'user',
      user: agent.id,
      role: 'agent',
      isBot: false,
      email: 'Agent@Example.com',
    })
    expect([...callers[0]!.scopes]).toEqual(['guest', 'agent'])
  })

  it('notices within two seconds what another node revoked', async () => {
    const { token } = await signIn()
    let nowMs = 0
    const cache = new AccessCache({ nowMs: () => nowMs })
    const node = createAuthenticator({
      sql: api.server.database,
      signer: api.server.signer,
      clock: api.clock,
      cache,
    })
    await node.authenticate(`Bearer ${token}`)
    await api.run(token, REVOKE)
    nowMs = 1_999
    expect(await node.authenticate(`Bearer ${token}`)).not.toBeNull()
    nowMs = 2_000
    await expect(node.authenticate(`Bearer ${token}`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  it('finds callers whose access has ended, in one statement', async () => {
    const authenticator = another()
    const made = async () => api.makeUser({ organization: center })
    const callerOf = async (token: string) => (await authenticator.authenticate(`Bearer ${token}`))!
    const users = await Promise.all(Array.from({ length: 6 }, made))
    const callers = await Promise.all(users.map(async (user) => callerOf(await api.tokenFor(user))))
    const [archived, promoted, moved, deleted, revoked, kept] = callers
    await api.sql(`update app_user set status = 'archived' where id = $1`, [users[0]!.id])
    await api.sql(`update app_user set role = 'admin' where id = $1`, [users[1]!.id])
    await api.sql(`update app_user set organization_id = $2 where id = $1`, [users[2]!.id, customer.id])
    await api.sql('delete from app_user where id = $1', [users[3]!.id])
    await api.sql('update token_family set revoked_at = now() where id = $1', [revoked!.family])
    const expired = { ...kept!, expiresAt: new Date(api.clock.now().getTime() - 1) }

    const sql = counting()
    const ended = await another(sql).findEnded([...callers, expired].map(at))
    const found = new Set([...ended].map(({ caller }) => caller))
    expect(found).toEqual(new Set([archived, promoted, moved, deleted, revoked, expired]))
    expect(sql.statements).toBe(1)
    expect((await another(sql).findEnded([])).size).toBe(0)
  })

  it('finds a bot whose token was replaced', async () => {
    const admin = await api.tokenFor(await api.makeUser({ organization: center, role: 'admin' }))
    const create = 'mutation { createUser(input: { email: "rotated@example.com", role: BOT }) { id apiToken } }'
    const { id, apiToken } = (await api.run(admin, create)).data.createUser as { id: string; apiToken: string }
    const caller = (await api.server.authenticator.authenticate(`Bearer ${apiToken}`))!
    expect(caller).toMatchObject({ isBot: true, role: 'bot' })
    expect(caller.expiresAt).toBeUndefined()
    expect((await api.server.authenticator.findEnded([at(caller)])).size).toBe(0)
    await api.run(admin, 'mutation ($user: ID!) { rotateApiToken(user: $user) { id } }', { user: id })
    expect((await api.server.authenticator.findEnded([at(caller)])).size).toBe(1)
  })

  it('refuses an expired token with a specific message', async () => {
    const { token } = await signIn()
    const day = 24 * 60 * 60 * 1_000
    const later = { now: () => new Date(Date.now() + day + 1_000), newId: () => 'x' }
    const { createTokenSigner } = await import('../../src/modules/auth/tokens.js')
    const secret = await serverSecret(api.server.database, api.server.sealer, 'tokens')
    const signer = createTokenSigner({ ...later, secret, issuer: 'switchboard' })
    const authenticator = createAuthenticator({ sql: api.server.database, signer, clock: later })
    await expect(authenticator.authenticate(`Bearer ${token}`)).rejects.toMatchObject({
      code: 'TOKEN_EXPIRED',
      message: 'jwt expired',
    })
  })
})

describe('maintenance', () => {
  it('keeps one secret for all nodes, and sweeps families past their last refresh token', async () => {
    const { database, sealer } = api.server
    const secrets = await Promise.all(Array.from({ length: 8 }, () => serverSecret(database, sealer, 'made-by-many')))
    expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1)
    expect(secrets[0]).toHaveLength(32)

    const { refreshToken } = await signIn()
    const { family, exp } = claimsOf(refreshToken) as { family: string; exp: number }
    const exists = async () => (await api.sql('select 1 from token_family where id = $1', [family])).length === 1
    await deleteExpiredFamilies(database, new Date((exp - 1) * 1_000))
    expect(await exists()).toBe(true)
    await deleteExpiredFamilies(database, new Date((exp + 1) * 1_000))
    expect(await exists()).toBe(false)
    expect(await api.sql('select 1 from refresh_token where family_id = $1', [family])).toEqual([])
  })
})

describe('a forgotten password', () => {
  const REQUEST = 'mutation ($email: String!) { requestPasswordReset(email: $email) }'
  const RESET = `mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) ${TOKENS} }`
  const LINK = 'mutation ($user: ID!) { createSignInLink(user: $user) { url expiresAt } }'
  const tokenOf = (url: string): string => url.split('#')[1]!
  const mailsTo = (email: string): string[] =>
    mail.mails.filter(({ to }) => to === email).map(({ body }) => body.replace(/=\n/g, '').replace(/=3D/g, '='))
  const forgetful = async (role: 'agent' | 'bot' = 'agent'): Promise<MadeUser> =>
    api.makeUser({ organization: customer, role, ...(role === 'agent' && { password: PASSWORD }) })

  it('is replaced by a link that is mailed, works once and ends all sign-ins', async () => {
    const user = await forgetful()
    const before = await signIn(user)
    expect((await api.run(null, REQUEST, { email: user.email.toUpperCase() })).data).toEqual({
      requestPasswordReset: true,
    })
    await until(() => mailsTo(user.email).length > 0)
    const token = /console\/reset#(\S+)/.exec(mailsTo(user.email)[0]!)![1]!
    const { data } = await api.run(null, RESET, { token, password: 'a better password' })
    expect(data.resetPassword).toMatchObject({ user: user.id })
    expect((await api.run(before.token, '{ me { id } }')).code).toBe('UNAUTHENTICATED')
    expect((await api.run(null, SIGN_IN, { email: user.email, password: PASSWORD })).code).toBe('UNAUTHENTICATED')
    expect((await signIn(user, 'a better password')).user).toBe(user.id)
    expect((await api.run(null, RESET, { token, password: 'yet another one' })).code).toBe('UNPROCESSABLE')
  })

  it('reveals no known emails, and sends no flood of mails', async () => {
    const user = await forgetful()
    const answers = []
    for (const email of ['nobody@example.com', 'no email', user.email, user.email, user.email, user.email]) {
      const { data, code } = await api.run(null, REQUEST, { email })
      answers.push(code ?? data.requestPasswordReset)
    }
    expect(answers).toEqual([true, true, true, true, true, 'RATE_LIMITED'])
    await until(() => mailsTo(user.email).length >= 3)
    expect(mailsTo('nobody@example.com')).toEqual([])
  })

  it("is replaced by an administrator's link, if the user is in reach", async () => {
    const user = await forgetful()
    const administrator = await api.makeUser({ organization: customer, role: 'admin' })
    const admin = await api.tokenFor(administrator)
    // A session alone changes no password of its own.
    expect((await api.run(admin, LINK, { user: administrator.id })).code).toBe('FORBIDDEN')
    const { data } = await api.run(admin, LINK, { user: user.id })
    const { url } = data.createSignInLink as { url: string }
    expect(url).toMatch(/^https:\/\/chat\.example\/console\/reset#/)
    const token = tokenOf(url)
    expect((await api.run(null, ACCEPT, { token, password: 'a better password' })).code).toBe('UNPROCESSABLE')
    const both = await Promise.all(
      ['first password', 'second password'].map((password) => api.run(null, RESET, { token, password })),
    )
    expect(both.map(({ code }) => code).toSorted()).toEqual(['UNPROCESSABLE', undefined])

    const owner = await api.makeUser({ organization: customer, role: 'owner', password: PASSWORD })
    const bot = await forgetful('bot')
    const outsider = await api.tokenFor(await api.makeUser({ organization: foreign, role: 'admin' }))
    const asAgent = await api.tokenFor(user)
    expect((await api.run(admin, LINK, { user: owner.id })).code).toBe('FORBIDDEN')
    expect((await api.run(admin, LINK, { user: bot.id })).code).toBe('UNPROCESSABLE')
    expect((await api.run(outsider, LINK, { user: user.id })).code).toBe('NOT_FOUND')
    expect((await api.run(asAgent, LINK, { user: user.id })).code).toBe('FORBIDDEN')
  })
})
