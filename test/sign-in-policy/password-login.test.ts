import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { unlockOwner } from '../../src/app/center/unlock-owner.js'
import { readConfig } from '../../src/platform/config.js'
import { browserAt, makeProvider, PASSWORD, PUBLIC_URL, signInAt, tokenOf, verifyDomain } from '../sso/sso-fixture.js'
import { startIdentityProvider, type IdentityProvider } from '../sso/identity-provider.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type GraphqlAnswer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const UPDATE =
  'mutation ($o: ID, $p: UpdateSignInPolicyInput!) { updateSignInPolicy(organization: $o, patch: $p) { effective { passwordLogin } } }'

/** Two nodes without Redis: the second hears of nothing. */
let one: TestServer
let other: TestServer
let provider: IdentityProvider
let center: MadeOrganization & { owner: MadeUser }
let team: MadeOrganization
let admin: MadeUser
let service: string

beforeAll(async () => {
  one = await startTestServer({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true' })
  other = await startTestServer({ PUBLIC_URL }, { beside: one })
  provider = await startIdentityProvider()
})
beforeEach(async () => {
  center = await one.makeContactCenter()
  team = await one.makeOrganization({ parent: center })
  admin = await one.makeUser({ organization: center, role: 'admin', password: PASSWORD })
  service = await makeProvider(one, admin, provider)
})
afterAll(async () => {
  await other.close()
  await one.close()
  await provider.close()
})

// The tests state what they expect of it.
type Answer = GraphqlAnswer<any> // oxlint-disable-line typescript/no-explicit-any
const refusal = ({ errors }: Answer) => errors?.[0]?.extensions
const update = (patch: object, of: MadeOrganization | null = null, as: string | MadeUser = admin): Promise<Answer> =>
  one.gql(as, UPDATE, { o: of?.id ?? null, p: patch })
async function set(patch: object, of: MadeOrganization | null = null, as: string | MadeUser = admin): Promise<void> {
  expect((await update(patch, of, as)).errors).toBeUndefined()
}
/** Links a user to an account at the provider, as `linkIdentity` does. @returns who it is there */
async function link(user: MadeUser, at = service): Promise<string> {
  const subject = `p${crypto.randomUUID()}`
  provider.people.set(subject, { email: user.email, email_verified: true })
  await one.server.database.query(
    `insert into user_identity (id, user_id, org1, issuer, subject, service_id, email, is_proven, created_at, used_at)
     values ($1, $2, $3, $4, $5, $6, $7, true, now(), now())`,
    [crypto.randomUUID(), user.id, center.id, provider.issuer, subject, at, user.email],
  )
  return subject
}
async function signIn({ email }: { email: string }, password = PASSWORD, node = one): Promise<string> {
  const { status, body } = await node.rest(null, 'POST', '/v2/auth/token', { email, password })
  return status === 201 ? (body as { token: string }).token : `${status} ${body.reason}`
}
const uses = async (token: string, node = one): Promise<string> => {
  const { status, body } = await node.rest(token, 'GET', '/v2/users/me')
  return status === 200 ? 'ok' : `${status} ${body.reason}`
}
/** The administrator's session by the provider: one by a password ends with the rule. */
async function byProvider(user: MadeUser): Promise<string> {
  const browser = browserAt(one)
  await signInAt(browser, service, await link(user))
  return (await tokenOf(browser))!.token
}
const isToken = (answer: string): boolean => answer.startsWith('ey')

describe('sign-in by a provider only', () => {
  it('refuses passwords as if they were wrong, on both nodes, and ends the sessions that they had opened', async () => {
    const agent = await one.makeUser({ organization: team, password: PASSWORD })
    const before = await signIn(agent)
    expect(await uses(before, other)).toBe('ok')
    const session = await byProvider(admin)
    const effects =
      'query ($o: ID) { signInPolicyEffects(organization: $o, patch: { passwordLogin: false }) { sessions } }'
    expect((await one.gql(session, effects, { o: team.id })).data.signInPolicyEffects).toEqual({ sessions: 1 })
    await set({ passwordLogin: false }, null, session)
    for (const node of [one, other]) {
      expect(await signIn(agent, PASSWORD, node)).toBe('401 WRONG_CREDENTIALS')
      expect(await signIn(agent, 'a wrong password', node)).toBe('401 WRONG_CREDENTIALS')
      expect(await signIn({ email: `nobody-${agent.email}` }, PASSWORD, node)).toBe('401 WRONG_CREDENTIALS')
      expect(
        await until(
          () => uses(before, node),
          (answer) => answer !== 'ok',
        ),
      ).toBe('401 TOKEN_INVALID')
    }
    expect(await uses(session)).toBe('ok')
    // By the provider it works, also of who had only a password.
    expect(await uses(await byProvider(agent), other)).toBe('ok')
    // Another customer is not concerned.
    const stranger = await one.makeContactCenter()
    const elsewhere = await one.makeUser({ organization: stranger, password: PASSWORD })
    expect(isToken(await signIn(elsewhere))).toBe(true)
    await until(async () => {
      const found = await one.server.database.query(
        `select from audit_entry where action = 'signInRefused' and object ->> 'id' = $1 and details ->> 'reason' = 'PASSWORD_LOGIN_OFF'`,
        [agent.id],
      )
      return found.length > 0
    })
    // Whoever has the right again has it at once.
    await set({ passwordLogin: true }, null, session)
    expect(isToken(await signIn(agent, PASSWORD, other))).toBe(true)
  })

  it('is said of every email of a verified domain, whether there is an account or not', async () => {
    const domain = `d${crypto.randomUUID()}.example`
    await verifyDomain(one, center, domain)
    const agent = await one.makeUser({ organization: team, email: `ann@${domain}`, password: PASSWORD })
    const stranger = await one.makeContactCenter()
    const elsewhere = await one.makeUser({ organization: stranger, email: `bob@${domain}`, password: PASSWORD })
    await set({ passwordLogin: false }, null, await byProvider(admin))
    const answers = [
      await signIn(agent),
      await signIn(agent, 'a wrong password'),
      await signIn({ email: `nobody@${domain.toUpperCase()}` }),
      await signIn(elsewhere, 'a wrong password'),
    ]
    expect(answers).toEqual(Array(4).fill('403 PASSWORD_LOGIN_OFF'))
    // Somebody of another customer has an email of the domain, and a right password.
    expect(isToken(await signIn(elsewhere))).toBe(true)
  })

  it('keeps bots their passwords, and gives people none: by no link, invitation or mail', async () => {
    const bot = await one.makeUser({ organization: team, role: 'bot', password: PASSWORD })
    const agent = await one.makeUser({ organization: team, password: PASSWORD })
    const makeLink = (as: string | MadeUser) =>
      one.gql(as, 'mutation ($u: ID!) { createSignInLink(user: $u) { url } }', { u: agent.id })
    const { data } = await makeLink(admin)
    const token = data.createSignInLink.url.split('#')[1]
    const session = await byProvider(admin)
    await set({ passwordLogin: false }, team, session)
    expect(isToken(await signIn(bot))).toBe(true)
    expect(refusal(await makeLink(session))).toMatchObject({ code: 'FORBIDDEN', reason: 'PASSWORD_LOGIN_OFF' })
    const reset = await one.gql(
      null,
      'mutation ($t: String!) { resetPassword(token: $t, password: "another horse battery") { token } }',
      {
        t: token,
      },
    )
    expect(refusal(reset)).toMatchObject({ code: 'FORBIDDEN', reason: 'PASSWORD_LOGIN_OFF' })
    expect(
      (await one.gql(null, 'mutation ($e: String!) { requestPasswordReset(email: $e) }', { e: agent.email })).errors,
    ).toBeUndefined()
    // The center above asks for nothing: its administrator goes on.
    expect(isToken(await signIn(admin))).toBe(true)
  })

  it('shuts out neither its author nor everybody: a provider must be in use, and the author linked to it', async () => {
    const bare = await one.makeContactCenter()
    const lone = await one.makeUser({ organization: bare, role: 'admin' })
    const lockOut = { code: 'UNPROCESSABLE', reason: 'WOULD_LOCK_OUT', field: 'passwordLogin' }
    expect(refusal(await update({ passwordLogin: false }, null, lone))).toMatchObject(lockOut)
    expect(refusal(await update({ passwordLogin: false }))).toMatchObject({ ...lockOut, organization: center.id })
    const session = await byProvider(admin)
    await set({ passwordLogin: false }, null, session)
    // What is off above is not on below.
    expect(refusal(await update({ passwordLogin: true }, team, session))).toMatchObject({ reason: 'STRICTER_ABOVE' })
    const archive = 'mutation ($id: ID!) { updateService(id: $id, patch: { status: INACTIVE }) { id } }'
    expect(refusal(await one.gql(session, archive, { id: service }))).toMatchObject(lockOut)
    const remove = 'mutation ($id: ID!) { deleteService(id: $id) }'
    expect(refusal(await one.gql(session, remove, { id: service }))).toMatchObject(lockOut)
    const { data } = await one.gql(session, '{ identities(user: "me") { id } }')
    const unlink = 'mutation ($i: ID!) { unlinkIdentity(user: "me", identity: $i) }'
    expect(refusal(await one.gql(session, unlink, { i: data.identities[0].id }))).toMatchObject({
      reason: 'WOULD_LOCK_OUT',
    })
    await set({ passwordLogin: null }, null, session)
    expect((await one.gql(session, archive, { id: service })).errors).toBeUndefined()
  })

  it('is removed by npm run owner:unlock, for an owner whom no provider lets in', async () => {
    const owner = await one.makeUser({ organization: center, role: 'owner', password: PASSWORD })
    await set({ passwordLogin: false }, null, await byProvider(admin))
    expect(await signIn(owner)).toBe('401 WRONG_CREDENTIALS')
    const config = readConfig({ DATABASE_URL: one.databaseUrl, DATABASE_POOL_SIZE: '2' })
    expect(await unlockOwner(config, pino({ level: 'silent' }), [owner.email])).toContain('sign-in by a provider only')
    expect(isToken(await signIn(owner))).toBe(true)
  })
})
