import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { Browser } from './browser.js'
import { startIdentityProvider, type IdentityProvider } from './identity-provider.js'
import { browserAt, makeProvider, PASSWORD, PUBLIC_URL, signInAt, tokenOf, verifyDomain } from './sso-fixture.js'

interface Identity {
  id: string
  subject: string
  email: string | null
  serviceId: string | null
}
type Answer = Pick<Awaited<ReturnType<TestServer['gql']>>, 'errors'>

const LINK = 'mutation ($s: ID!, $p: String) { linkIdentity(service: $s, currentPassword: $p) { url expiresAt } }'
const CONFIRM = 'mutation ($code: String!) { confirmIdentity(code: $code) { id subject email serviceId } }'
const UNLINK = 'mutation ($user: ID!, $identity: ID!) { unlinkIdentity(user: $user, identity: $identity) }'
const IDENTITIES = 'query ($user: ID!) { identities(user: $user) { id subject email serviceId } }'
const TEST = 'mutation ($s: ID!) { testService(service: $s) { ok message url } }'
const TRIAL =
  'query ($code: String!) { trialSignIn(code: $code) { claims outcome why userId role channelIds serviceId } }'
const SIGN_IN = 'mutation ($email: String!, $p: String!) { createToken(email: $email, password: $p) { token } }'

let server: TestServer
let provider: IdentityProvider
let center: MadeOrganization & { owner: MadeUser }
let admin: MadeUser
let service: string

beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true' })
  provider = await startIdentityProvider()
  center = await server.makeContactCenter()
  admin = await server.makeUser({ organization: center, role: 'admin', password: PASSWORD })
  service = await makeProvider(server, admin, provider)
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

const makeUser = (role: 'agent' | 'owner' = 'agent') =>
  server.makeUser({ organization: center, role, password: PASSWORD })
const newPerson = (email = `x@${crypto.randomUUID()}.example`): string => {
  const id = `p${crypto.randomUUID()}`
  provider.people.set(id, { email, email_verified: true, groups: ['agents'] })
  return id
}
const reasonOf = ({ errors }: Answer): unknown => errors?.[0]?.extensions.reason ?? 'ok'
const byPassword = async ({ email }: MadeUser): Promise<string> =>
  (await server.gql(null, SIGN_IN, { email, p: PASSWORD })).data.createToken.token
const identitiesOf = async (as: string | MadeUser, user = 'me'): Promise<Identity[]> =>
  (await server.gql(as, IDENTITIES, { user })).data.identities

/** Goes where a ticket leads, as this person. @returns what the console gets */
async function follow(browser: Browser, url: string, person: string): Promise<string> {
  const { url: end } = await browser.open(`${url}&hint=${person}`, ({ pathname }) => pathname.startsWith('/console'))
  return end.searchParams.get('refused') ?? `${end.pathname}${end.hash}`
}
async function begin(token: string, password: string | null = PASSWORD): Promise<string> {
  const { data, errors } = await server.gql(token, LINK, { s: service, p: password })
  expect(errors).toBeUndefined()
  return data.linkIdentity.url
}
/** Brings a person of the provider back to the console. @returns the code */
async function found(token: string, person: string): Promise<string> {
  const path = await follow(browserAt(server), await begin(token), person)
  expect(path).toMatch(/^\/console\/settings#link=[\w-]{43}$/)
  return path.slice(path.indexOf('=') + 1)
}
const confirm = (as: string, code: string) => server.gql(as, CONFIRM, { code })

describe('linking', () => {
  it('is begun by the password, and opens the account from then on: an owner’s too', async () => {
    const owner = await makeUser('owner')
    const token = await byPassword(owner)
    expect((await server.gql(token, '{ signInProviders { id name url } }')).data.signInProviders).toEqual([
      { id: service, name: 'The provider', url: `${PUBLIC_URL}/sso/${service}/start` },
    ])
    const person = newPerson()
    const code = await found(token, person)
    const linked = await confirm(token, code)
    expect(linked.data.confirmIdentity).toMatchObject({ subject: person, serviceId: service })
    // Once.
    expect(reasonOf(await confirm(token, code))).toBe('RECORD_NOT_FOUND')
    const browser = browserAt(server)
    expect((await signInAt(browser, service, person)).reason).toBeNull()
    expect((await tokenOf(browser))!.user).toBe(owner.id)
    expect(await identitiesOf(token)).toMatchObject([{ subject: person }])
    expect((await server.rest(token, 'GET', '/v2/users/me/identities')).body).toMatchObject([
      { subject: person, service },
    ])
    const { data } = await server.gql(
      center.owner,
      `query ($id: String!) { auditEntries(first: 9, filter: { object: { eq: $id } }) { nodes { action details } } }`,
      { id: owner.id },
    )
    const entries = data.auditEntries.nodes as { action: string; details: { subject?: string } }[]
    expect(entries.find(({ action }) => action === 'identityLinked')!.details).toMatchObject({
      subject: person,
      provider: service,
    })
    expect(entries.map(({ action }) => action)).toContain('confirmIdentity')
  })

  it('needs the right password; of who has none a sign-in of a moment ago', async () => {
    const token = await byPassword(await makeUser())
    expect(reasonOf(await server.gql(token, LINK, { s: service }))).toBe('MISSING_VALUE')
    expect(reasonOf(await server.gql(token, LINK, { s: service, p: 'wrong horse battery' }))).toBe('WRONG_PASSWORD')
    const person = newPerson()
    await confirm(token, await found(token, person))
    await server.server.database.query(
      'update app_user set password_hash = null where id in (select user_id from user_identity where subject = $1)',
      [person],
    )
    const browser = browserAt(server)
    await signInAt(browser, service, person)
    const { token: fresh } = (await tokenOf(browser))!
    expect(reasonOf(await server.gql(fresh, LINK, { s: service }))).toBe('ok')
    server.clock.advance(16 * 60_000)
    expect(reasonOf(await server.gql(fresh, LINK, { s: service }))).toBe('SIGN_IN_REQUIRED')
    const bot = await server.gql(
      admin,
      'mutation ($e: String!) { createUser(input: { email: $e, role: BOT }) { apiToken } }',
      {
        e: `bot-${crypto.randomUUID()}@example.com`,
      },
    )
    expect(reasonOf(await server.gql(bot.data.createUser.apiToken, LINK, { s: service }))).toBe('SIGN_IN_REQUIRED')
  })

  it('is confirmed by who began it alone, whoever’s browser went to the provider', async () => {
    const [agent, colleague] = [await byPassword(await makeUser()), await byPassword(await makeUser())]
    const code = await found(agent, newPerson())
    expect(reasonOf(await confirm(colleague, code))).toBe('RECORD_NOT_FOUND')
    expect(reasonOf(await confirm(agent, `${code.slice(1)}x`))).toBe('RECORD_NOT_FOUND')
    expect(reasonOf(await confirm(agent, 'x'))).toBe('RECORD_NOT_FOUND')
    expect(reasonOf(await confirm(agent, code))).toBe('ok')
    const late = await found(agent, newPerson())
    server.clock.advance(10 * 60_000)
    expect(reasonOf(await confirm(agent, late))).toBe('RECORD_NOT_FOUND')
  })

  it('begins once, for two minutes, and at its own provider', async () => {
    const token = await byPassword(await makeUser())
    const url = await begin(token)
    const other = await makeProvider(server, admin, provider)
    expect(await follow(browserAt(server), url.replace(service, other), newPerson())).toBe('SIGN_IN_NOT_BEGUN')
    const { data } = await server.gql(admin, 'query ($s: ID!) { signInAddresses(service: $s) { redirect logout } }', {
      s: service,
    })
    provider.register(data.signInAddresses)
    expect(await follow(browserAt(server), url, newPerson())).toMatch(/#link=/)
    expect(await follow(browserAt(server), url, newPerson())).toBe('SIGN_IN_NOT_BEGUN')
    const late = await begin(token)
    server.clock.advance(2 * 60_000)
    expect(await follow(browserAt(server), late, newPerson())).toBe('SIGN_IN_NOT_BEGUN')
  })

  it('gives an identity to one user: not a colleague’s, whoever is first', async () => {
    const [agent, colleague] = [await byPassword(await makeUser()), await byPassword(await makeUser())]
    const person = newPerson()
    const codes = [await found(agent, person), await found(colleague, person)] as const
    const answers = await Promise.all([confirm(agent, codes[0]), confirm(colleague, codes[1])])
    expect(answers.map(reasonOf).toSorted()).toEqual(['IDENTITY_TAKEN', 'ok'])
    const [lost] = reasonOf(answers[0]) === 'ok' ? [colleague] : [agent]
    expect(reasonOf(await confirm(lost, await found(lost, person)))).toBe('IDENTITY_TAKEN')
    expect(await identitiesOf(lost)).toEqual([])
    // Twice by the same one is no error.
    const [kept] = lost === agent ? [colleague] : [agent]
    expect(reasonOf(await confirm(kept, await found(kept, person)))).toBe('ok')
    expect(await identitiesOf(kept)).toHaveLength(1)
  })

  it('is not with a provider of another contact center, or of an organization below', async () => {
    const foreign = await server.makeContactCenter()
    const customer = await server.makeOrganization({ parent: center })
    const token = await byPassword(await makeUser())
    const theirs = await startIdentityProvider()
    for (const [as, organization] of [
      [foreign.owner, undefined],
      [admin, customer],
    ] as const) {
      const at = await makeProvider(server, as, theirs, {}, organization)
      expect(reasonOf(await server.gql(token, LINK, { s: at, p: PASSWORD }))).toBe('RECORD_NOT_FOUND')
    }
    // Who is below has those above.
    const below = await server.makeUser({ organization: customer, password: PASSWORD })
    expect((await server.gql(below, '{ signInProviders { id } }')).data.signInProviders).toHaveLength(3)
    await theirs.close()
  })
})

describe('unlinking', () => {
  it('ends the sessions that the identity opened, but the current one; an administrator ends all', async () => {
    const agent = await makeUser()
    const token = await byPassword(agent)
    const person = newPerson()
    const { id } = (await confirm(token, await found(token, person))).data.confirmIdentity as Identity
    const [mine, elsewhere] = [browserAt(server), browserAt(server)]
    for (const browser of [mine, elsewhere]) await signInAt(browser, service, person)
    const { token: current } = (await tokenOf(mine))!
    expect((await server.gql(current, UNLINK, { user: 'me', identity: id })).data.unlinkIdentity).toBe(true)
    expect(await tokenOf(mine)).not.toBeNull()
    expect(await tokenOf(elsewhere)).toBeNull()
    expect((await signInAt(browserAt(server), service, person)).reason).toBe('NOT_PROVISIONED')
    expect(reasonOf(await server.gql(current, UNLINK, { user: 'me', identity: id }))).toBe('RECORD_NOT_FOUND')
    const again = (await confirm(token, await found(token, person))).data.confirmIdentity as Identity
    const browser = browserAt(server)
    await signInAt(browser, service, person)
    const gone = await server.rest(admin, 'DELETE', `/v2/users/${agent.id}/identities/${again.id}`)
    expect(gone.status).toBe(204)
    expect(await tokenOf(browser)).toBeNull()
  })

  it('ends them also of a provider that calls itself with a slash more or less than its administrator', async () => {
    const theirs = await startIdentityProvider({ clientId: 'slash' })
    const at = await makeProvider(server, admin, theirs, {
      issuer: `${theirs.issuer}/`,
      createUsers: true,
      defaultRole: 'agent',
    })
    theirs.people.set('sam', { email: `sam@${crypto.randomUUID()}.example` })
    const browser = browserAt(server)
    expect((await signInAt(browser, at, 'sam')).reason).toBeNull()
    const { user } = (await tokenOf(browser))!
    const [{ id }] = (await identitiesOf(admin, user)) as [Identity]
    expect((await server.gql(admin, UNLINK, { user, identity: id })).data.unlinkIdentity).toBe(true)
    expect(await tokenOf(browser)).toBeNull()
    await theirs.close()
  })

  it('is refused for the last way to sign in, a colleague’s, an owner’s, another contact center’s', async () => {
    const owner = await makeUser('owner')
    const token = await byPassword(owner)
    const person = newPerson()
    const { id } = (await confirm(token, await found(token, person))).data.confirmIdentity as Identity
    const foreign = await server.makeContactCenter()
    const colleague = await makeUser()
    const unlink = async (as: string | MadeUser, user = owner.id) =>
      reasonOf(await server.gql(as, UNLINK, { user, identity: id }))
    expect(await unlink(admin)).toBe('OWNER_REQUIRED')
    expect(await unlink(colleague)).toBe('PERMISSION_MISSING')
    expect(await unlink(colleague, 'me')).toBe('RECORD_NOT_FOUND')
    expect(await unlink(foreign.owner)).toBe('RECORD_NOT_FOUND')
    await server.server.database.query('update app_user set password_hash = null where id = $1', [owner.id])
    expect(await unlink(token, 'me')).toBe('WOULD_LOCK_OUT')
    expect(await identitiesOf(token)).toHaveLength(1)
  })

  it('comes with another role, and with the deletion of the user', async () => {
    const agent = await makeUser()
    const token = await byPassword(agent)
    await confirm(token, await found(token, newPerson()))
    await server.gql(admin, 'mutation ($id: ID!) { updateUser(id: $id, patch: { role: BOT }) { id } }', {
      id: agent.id,
    })
    expect(await identitiesOf(admin, agent.id)).toEqual([])
    const leaver = await makeUser()
    const theirs = await byPassword(leaver)
    await confirm(theirs, await found(theirs, newPerson()))
    await server.gql(admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: leaver.id })
    expect(await server.server.database.query('select from user_identity where user_id = $1', [leaver.id])).toEqual([])
  })
})

describe('a trial sign-in', () => {
  async function trial(person: string, as = admin): Promise<{ code: string; browser: Browser }> {
    const { data } = await server.gql(as, TEST, { s: service })
    expect(data.testService).toMatchObject({ ok: true, message: expect.stringContaining(provider.issuer) })
    const browser = browserAt(server)
    const path = await follow(browser, data.testService.url, person)
    expect(path).toMatch(/^\/console\/admin\/signIn#trial=[\w-]{43}$/)
    return { code: path.slice(path.indexOf('=') + 1), browser }
  }

  it('shows the claims and whose account it would be, opens no session, and links nothing', async () => {
    const domain = 'trial.example'
    await verifyDomain(server, center, domain)
    const agent = await server.makeUser({ organization: center, email: `tess@${domain}` })
    const params = {
      issuer: provider.issuer,
      ...provider.client,
      domains: [domain],
      roleMap: [{ claim: 'groups', value: 'agents', role: 'viewer' }],
    }
    await server.gql(
      admin,
      'mutation ($id: ID!, $p: JSONObject!) { updateService(id: $id, patch: { params: $p }) { id } }',
      {
        id: service,
        p: params,
      },
    )
    const { code, browser } = await trial(newPerson(agent.email))
    expect(await tokenOf(browser)).toBeNull()
    const shown = await server.gql(admin, TRIAL, { code })
    expect(shown.data.trialSignIn).toMatchObject({
      serviceId: service,
      outcome: 'LINKED',
      why: null,
      userId: agent.id,
      role: 'VIEWER',
      channelIds: [],
      claims: { email: agent.email, email_verified: true, groups: ['agents'] },
    })
    expect(await server.server.database.query('select from user_identity where user_id = $1', [agent.id])).toEqual([])
    const refused = await trial(newPerson())
    expect((await server.gql(admin, TRIAL, { code: refused.code })).data.trialSignIn).toMatchObject({
      outcome: 'REFUSED',
      why: expect.stringContaining('creates none'),
      userId: null,
    })
    // Of who began it alone.
    const colleague = await server.makeUser({ organization: center, role: 'admin' })
    expect(reasonOf(await server.gql(colleague, TRIAL, { code }))).toBe('RECORD_NOT_FOUND')
    expect(reasonOf(await server.gql(agent, TRIAL, { code }))).toBe('PERMISSION_MISSING')
    server.clock.advance(10 * 60_000)
    expect(reasonOf(await server.gql(admin, TRIAL, { code }))).toBe('RECORD_NOT_FOUND')
  })

  it('shows no claims that cannot be stored, and whose account it would be all the same', async () => {
    for (const text of ['half \ud83d', 'nothing \0']) {
      const person = newPerson()
      provider.people.set(person, { ...provider.people.get(person), groups: [text] })
      const { code } = await trial(person)
      expect((await server.gql(admin, TRIAL, { code })).data.trialSignIn).toMatchObject({
        outcome: 'REFUSED',
        claims: {},
      })
    }
  })
})
