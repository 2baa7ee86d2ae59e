import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { Browser } from './browser.js'
import { startIdentityProvider, type Claims, type IdentityProvider } from './identity-provider.js'
import { browserAt, makeProvider, PASSWORD, PUBLIC_URL, signInAt, tokenOf, verifyDomain } from './sso-fixture.js'

interface Me {
  id: string
  email: string
  role: string
  displayName: string
  status: string
  organizationId: string
  channels: { id: string }[]
}
interface Entry {
  action: string
  details: Record<string, unknown>
}

const UPDATE = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
const AGENTS = { claim: 'groups', value: 'agents', role: 'agent' }

let server: TestServer
let provider: IdentityProvider
let center: MadeOrganization & { owner: MadeUser }
let admin: MadeUser
/** Each test has a domain of its own. */
let domains = 0

beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true' })
  provider = await startIdentityProvider()
  center = await server.makeContactCenter()
  admin = await server.makeUser({ organization: center, role: 'admin', password: PASSWORD })
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

const newDomain = (): string => `d${++domains}.example`
const change = async (id: string, params: Record<string, unknown>): Promise<void> => {
  const whole = { issuer: provider.issuer, ...provider.client, ...params }
  const { errors } = await server.gql(admin, UPDATE, { id, patch: { params: whole } })
  expect(errors).toBeUndefined()
}
/** A person whom the provider knows, with an id of its own. */
function person(claims: Claims): string {
  const id = `p${crypto.randomUUID()}`
  provider.people.set(id, claims)
  return id
}
async function me(browser: Browser): Promise<Me> {
  const session = await tokenOf(browser)
  expect(session).not.toBeNull()
  const { data } = await server.gql(
    session!.token,
    '{ me { id email role displayName status organizationId channels { id } } }',
  )
  return data.me
}
async function refusalAt(service: string, who: string): Promise<string | null> {
  const browser = browserAt(server)
  const { reason } = await signInAt(browser, service, who)
  expect(await tokenOf(browser)).toBeNull()
  return reason
}
const identitiesOf = (user: string): Promise<{ subject: string; is_proven: boolean }[]> =>
  server.server.database.query('select subject, is_proven from user_identity where user_id = $1', [user])
async function auditOf(id: string, action: string): Promise<Entry[]> {
  const { data } = await server.gql(
    admin,
    'query ($f: AuditEntryFilter) { auditEntries(first: 20, filter: $f) { nodes { action details } } }',
    { f: { object: { eq: id }, action: { eq: action } } },
  )
  return data.auditEntries.nodes
}
async function makeChannel(): Promise<string> {
  const { data } = await server.gql(
    admin,
    'mutation ($name: String!) { createChannel(input: { name: $name }) { id } }',
    {
      name: `c${crypto.randomUUID()}`,
    },
  )
  return data.createChannel.id
}

describe('a person without an account', () => {
  it('gets one with the role and the channels of the role map, and the same one again', async () => {
    const [channel, other] = [await makeChannel(), await makeChannel()]
    const service = await makeProvider(server, admin, provider, {
      createUsers: true,
      roleMap: [
        { claim: 'realm_access.roles', value: 'lead', role: 'admin' },
        { ...AGENTS, channels: [channel] },
        { claim: 'groups', value: 'chat', role: 'viewer', channels: [other] },
      ],
    })
    const ann = person({
      email: `ann@${newDomain()}`,
      email_verified: true,
      name: 'Ann Ames',
      given_name: 'Ann',
      groups: ['chat', 'agents'],
    })
    const browser = browserAt(server)
    expect(await signInAt(browser, service, ann)).toEqual({ path: '/console', reason: null })
    const made = await me(browser)
    expect(made).toMatchObject({ role: 'AGENT', displayName: 'Ann Ames', status: 'ACTIVE', organizationId: center.id })
    expect(made.channels.map(({ id }) => id).toSorted()).toEqual([channel, other].toSorted())
    const second = browserAt(server)
    expect(await signInAt(second, service, ann, '&page=/console/mine?x=1')).toEqual({
      path: '/console/mine',
      reason: null,
    })
    expect((await me(second)).id).toBe(made.id)
    const entries = await auditOf(made.id, 'signIn')
    expect(entries.map(({ details }) => details.account).toSorted()).toEqual(['created', 'known'])
    expect(entries[0]!.details).toMatchObject({ provider: service, subject: ann })
    const lead = person({ email: `lea@${newDomain()}`, realm_access: { roles: ['lead'] }, groups: ['agents'] })
    const leads = browserAt(server)
    await signInAt(leads, service, lead)
    expect(await me(leads)).toMatchObject({ role: 'ADMIN' })
  })

  it('gets none where the provider creates none, no row fits, or there is no email', async () => {
    const service = await makeProvider(server, admin, provider, { roleMap: [AGENTS] })
    const bob = person({ email: `bob@${newDomain()}`, email_verified: true, groups: ['agents'] })
    expect(await refusalAt(service, bob)).toBe('NOT_PROVISIONED')
    await change(service, { createUsers: true, roleMap: [{ ...AGENTS, value: 'agent' }] })
    expect(await refusalAt(service, bob)).toBe('NOT_PROVISIONED')
    await change(service, { createUsers: true, defaultRole: 'viewer' })
    expect(await refusalAt(service, person({ groups: ['agents'] }))).toBe('NOT_PROVISIONED')
    expect(await refusalAt(service, person({ email: 'no email' }))).toBe('NOT_PROVISIONED')
    const browser = browserAt(server)
    await signInAt(browser, service, bob)
    expect(await me(browser)).toMatchObject({ role: 'VIEWER' })
    const [entry] = await until(
      () => auditOf(service, 'signInRefused'),
      (found) => found.length >= 3,
    )
    expect(entry!.details).toMatchObject({ provider: service, reason: 'NOT_PROVISIONED' })
  })

  it('gets one account in two tabs at once', async () => {
    const service = await makeProvider(server, admin, provider, { createUsers: true, defaultRole: 'agent' })
    const cleo = person({ email: `cleo@${newDomain()}`, email_verified: true })
    const browsers = Array.from({ length: 4 }, () => browserAt(server))
    const results = await Promise.all(browsers.map((browser) => signInAt(browser, service, cleo)))
    expect(results.map(({ reason }) => reason)).toEqual([null, null, null, null])
    const users = await Promise.all(browsers.map(async (browser) => (await tokenOf(browser))!.user))
    expect(new Set(users).size).toBe(1)
    expect(await identitiesOf(users[0]!)).toHaveLength(1)
    // In one browser: each tab has an attempt of its own, and both end.
    const one = browserAt(server)
    await signInAt(one, service, cleo)
    const both = await Promise.all([signInAt(one, service, cleo), signInAt(one, service, cleo)])
    expect(both.map(({ reason }) => reason)).toEqual([null, null])
  })

  it('gets none of an email that belongs to somebody of another contact center', async () => {
    const foreign = await server.makeContactCenter()
    const domain = newDomain()
    await verifyDomain(server, center, domain)
    const taken = await server.makeUser({ organization: foreign, email: `dora@${domain}` })
    const service = await makeProvider(server, admin, provider, {
      createUsers: true,
      defaultRole: 'agent',
      domains: [domain],
    })
    expect(await refusalAt(service, person({ email: taken.email, email_verified: true }))).toBe('NOT_PROVISIONED')
    expect(await identitiesOf(taken.id)).toEqual([])
  })
})

describe('a person with an account', () => {
  it('gets it if the provider speaks for the verified domain of a verified email', async () => {
    const domain = newDomain()
    const agent = await server.makeUser({ organization: center, email: `Eve@${domain}`, status: 'invited' })
    const eve = person({ email: `eve@${domain}`, email_verified: true })
    const service = await makeProvider(server, admin, provider, { createUsers: true, defaultRole: 'viewer' })
    // Neither is the domain the provider's, nor verified.
    expect(await refusalAt(service, eve)).toBe('LINK_NEEDED')
    await change(service, { domains: [domain] })
    expect(await refusalAt(service, eve)).toBe('LINK_NEEDED')
    await verifyDomain(server, center, domain)
    await change(service, { domains: [newDomain()] })
    expect(await refusalAt(service, eve)).toBe('LINK_NEEDED')
    await change(service, { domains: [domain.toUpperCase()], defaultRole: 'viewer' })
    const browser = browserAt(server)
    await signInAt(browser, service, eve)
    // The role stays: the map is for new ones.
    expect(await me(browser)).toMatchObject({ id: agent.id, role: 'AGENT', status: 'ACTIVE' })
    expect(await identitiesOf(agent.id)).toEqual([{ subject: eve, is_proven: true }])
  })

  it.each([
    ['unverified', { email_verified: false }],
    ['not said to be verified', {}],
    ['verified in a text', { email_verified: 'true' }],
  ])('keeps it from somebody whose email is %s', async (_name, claims) => {
    const domain = newDomain()
    await verifyDomain(server, center, domain)
    const agent = await server.makeUser({ organization: center, email: `finn@${domain}` })
    const service = await makeProvider(server, admin, provider, {
      createUsers: true,
      defaultRole: 'admin',
      domains: [domain],
    })
    expect(await refusalAt(service, person({ email: agent.email, ...claims }))).toBe('LINK_NEEDED')
    expect(await identitiesOf(agent.id)).toEqual([])
  })

  it('keeps it if it is an owner, archived, a bot, or above the provider’s organization', async () => {
    const domain = newDomain()
    await verifyDomain(server, center, domain)
    const customer = await server.makeOrganization({ parent: center })
    const service = await makeProvider(server, admin, provider, { domains: [domain] })
    const below = await makeProvider(server, admin, provider, { domains: [domain] }, customer)
    const make = (role: MadeUser['role'], status = 'active') =>
      server.makeUser({ organization: center, role, status, email: `${role}-${crypto.randomUUID()}@${domain}` })
    const reasonOf = async (user: MadeUser, by = service) => {
      // Both are registered at the provider by turns.
      const { data } = await server.gql(admin, 'query ($s: ID!) { signInAddresses(service: $s) { redirect logout } }', {
        s: by,
      })
      provider.register(data.signInAddresses)
      return refusalAt(by, person({ email: user.email, email_verified: true }))
    }
    expect(await reasonOf(await make('owner'))).toBe('LINK_NEEDED')
    expect(await reasonOf(await make('agent', 'archived'))).toBe('NOT_PROVISIONED')
    expect(await reasonOf(await make('bot'))).toBe('NOT_PROVISIONED')
    const agent = await make('agent')
    expect(await reasonOf(agent, below)).toBe('NOT_PROVISIONED')
    // One below the provider's organization is reached by it.
    const { data } = await server.gql(admin, 'query ($s: ID!) { signInAddresses(service: $s) { redirect logout } }', {
      s: service,
    })
    provider.register(data.signInAddresses)
    const theirs = await server.makeUser({ organization: customer, email: `gus@${domain}` })
    const browser = browserAt(server)
    await signInAt(browser, service, person({ email: theirs.email, email_verified: true }))
    expect((await me(browser)).id).toBe(theirs.id)
  })

  it('keeps it from a second person of the provider, and from who came with an unproven email', async () => {
    const domain = newDomain()
    await verifyDomain(server, center, domain)
    const agent = await server.makeUser({ organization: center, email: `hal@${domain}` })
    const service = await makeProvider(server, admin, provider, {
      createUsers: true,
      defaultRole: 'agent',
      domains: [domain],
    })
    const first = person({ email: agent.email, email_verified: true })
    await signInAt(browserAt(server), service, first)
    expect(await refusalAt(service, person({ email: agent.email, email_verified: true }))).toBe('LINK_NEEDED')
    // Somebody else was here before, under an email that is not theirs: the account is not handed to its owner unawares.
    const early = person({ email: `ida@${domain}`, email_verified: false })
    await signInAt(browserAt(server), service, early)
    const another = await startIdentityProvider({ clientId: 'another' })
    const elsewhere = await makeProvider(server, admin, another, { domains: [domain] })
    another.people.set('ida', { email: `ida@${domain}`, email_verified: true })
    expect(await refusalAt(elsewhere, 'ida')).toBe('LINK_NEEDED')
    await another.close()
  })

  it('follows the role map with syncRoles, but never as an owner, and is refused when no row fits any more', async () => {
    const domain = newDomain()
    await verifyDomain(server, center, domain)
    const [channel, kept] = [await makeChannel(), await makeChannel()]
    const agent = await server.makeUser({ organization: center, email: `jan@${domain}` })
    await server.gql(admin, 'mutation ($c: ID!, $u: ID!) { addChannelMember(channel: $c, user: $u) { id } }', {
      c: kept,
      u: agent.id,
    })
    const roleMap = [
      { claim: 'groups', value: 'admins', role: 'admin' },
      { ...AGENTS, channels: [channel] },
    ]
    const service = await makeProvider(server, admin, provider, { domains: [domain], syncRoles: true, roleMap })
    const claims: Claims = { email: agent.email, email_verified: true, groups: ['admins', 'agents'] }
    const jan = person(claims)
    const browser = browserAt(server)
    await signInAt(browser, service, jan)
    const promoted = await me(browser)
    expect(promoted).toMatchObject({ id: agent.id, role: 'ADMIN' })
    expect(promoted.channels.map(({ id }) => id).toSorted()).toEqual([channel, kept].toSorted())
    claims.groups = ['admins']
    const again = browserAt(server)
    await signInAt(again, service, jan)
    expect((await me(again)).channels.map(({ id }) => id)).toEqual([kept])
    const entries = await auditOf(agent.id, 'signIn')
    expect(entries.map(({ details }) => details.rights)).toEqual([
      { removedFrom: [channel] },
      { role: { from: 'agent', to: 'admin' }, addedTo: [channel] },
    ])
    claims.groups = []
    expect(await refusalAt(service, jan)).toBe('NOT_PROVISIONED')
    await server.server.database.query(`update app_user set role = 'owner' where id = $1`, [agent.id])
    claims.groups = ['agents']
    const owner = browserAt(server)
    await signInAt(owner, service, jan)
    expect(await me(owner)).toMatchObject({ id: agent.id, role: 'OWNER' })
  })
})

describe('a session by a provider', () => {
  it('ends after maxSessionHours, however much it is used, and when that is shortened', async () => {
    const service = await makeProvider(server, admin, provider, {
      createUsers: true,
      defaultRole: 'agent',
      maxSessionHours: 12,
    })
    const kim = person({ email: `kim@${newDomain()}` })
    const browser = browserAt(server)
    await signInAt(browser, service, kim)
    const { token } = (await tokenOf(browser))!
    const uses = async (): Promise<string> =>
      (await server.gql(token, '{ me { id } }')).errors?.[0]?.extensions.code ?? 'ok'
    expect(await uses()).toBe('ok')
    await change(service, { createUsers: true, defaultRole: 'agent', maxSessionHours: 2 })
    server.clock.advance(3_600_000)
    expect(await uses()).toBe('ok')
    expect(await tokenOf(browser)).not.toBeNull()
    server.clock.advance(3_600_000)
    expect(await uses()).toBe('UNAUTHENTICATED')
    expect(await tokenOf(browser)).toBeNull()
  })

  it('lasts as long as it may now, when that is lengthened', async () => {
    const open = { createUsers: true, defaultRole: 'agent' }
    const service = await makeProvider(server, admin, provider, { ...open, maxSessionHours: 1 })
    const kit = person({ email: `kit@${newDomain()}` })
    const browser = browserAt(server)
    await signInAt(browser, service, kit)
    const { token } = (await tokenOf(browser))!
    const hoursLeft = async (): Promise<number> => {
      const { data } = await server.gql(token, '{ sessions(user: "me") { expiresAt } }')
      return Math.round((Date.parse(data.sessions[0].expiresAt) - server.clock.now().getTime()) / 3_600_000)
    }
    expect(await hoursLeft()).toBe(1)
    await change(service, { ...open, maxSessionHours: 5 })
    expect(await hoursLeft()).toBe(5)
    server.clock.advance(2 * 3_600_000)
    await server.server.maintenance.run()
    expect(await tokenOf(browser)).not.toBeNull()
    await change(service, { ...open, maxSessionHours: 3 })
    expect(await hoursLeft()).toBe(1)
    await change(service, open)
    expect(await hoursLeft()).toBeGreaterThan(100)
  })

  it('ends with the provider that is switched off, removed or replaced, and not by its silence', async () => {
    const service = await makeProvider(server, admin, provider, { createUsers: true, defaultRole: 'agent' })
    const lou = person({ email: `lou@${newDomain()}` })
    const browser = browserAt(server)
    await signInAt(browser, service, lou)
    expect(await tokenOf(browser)).not.toBeNull()
    const { errors } = await server.gql(admin, UPDATE, { id: service, patch: { status: 'INACTIVE' } })
    expect(errors).toBeUndefined()
    expect(await tokenOf(browser)).toBeNull()
    expect(await refusalAt(service, lou)).toBe('RECORD_NOT_FOUND')
    await server.gql(admin, UPDATE, { id: service, patch: { status: 'ACTIVE' } })
    await signInAt(browser, service, lou)
    expect(await tokenOf(browser)).not.toBeNull()
    await server.gql(admin, 'mutation ($id: ID!) { deleteService(id: $id) }', { id: service })
    expect(await tokenOf(browser)).toBeNull()
  })
})

describe('the sign-in policy', () => {
  it('holds for providers too: their sign-ins from elsewhere make nothing, and the shorter session counts', async () => {
    const service = await makeProvider(server, admin, provider, {
      createUsers: true,
      roleMap: [AGENTS],
      maxSessionHours: 5,
    })
    const email = `pia@${newDomain()}`
    const pia = person({ email, email_verified: true, name: 'Pia', groups: ['agents'] })
    const { database } = server.server
    await database.query(
      `insert into sign_in_policy (id, organization_id, org1, created_at, updated_at, allowed_networks, max_session_hours)
       values ($1, $1, $1, now(), now(), '{192.0.2.0/24}', 2)`,
      [center.id],
    )
    expect(await refusalAt(service, pia)).toBe('NETWORK_NOT_ALLOWED')
    expect(await database.query('select from app_user where email = $1', [email])).toEqual([])
    // Read past the server: the policy keeps the administrator's own requests out too, once their caches see it.
    await until(
      async () =>
        (
          await database.query(
            `select from audit_entry where action = 'signInRefused' and object ->> 'id' = $1 and details ->> 'reason' = $2`,
            [service, 'NETWORK_NOT_ALLOWED'],
          )
        ).length > 0,
    )
    await database.query('update sign_in_policy set allowed_networks = null')
    const browser = browserAt(server)
    await signInAt(browser, service, pia)
    const { token } = (await tokenOf(browser))!
    const { data } = await server.gql(token, '{ sessions(user: "me") { createdAt expiresAt } }')
    const [{ createdAt, expiresAt }] = data.sessions
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(2 * 3_600_000)
    await database.query('delete from sign_in_policy')
  })
})
