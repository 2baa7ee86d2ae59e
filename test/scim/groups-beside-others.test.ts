import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { browserAt, makeProvider, signInAt, tokenOf } from '../sso/sso-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { letNextComeDue } from '../support/next-job.js'
import type { TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import {
  clientOf,
  GROUP,
  makeToken,
  PATCH_OP,
  startScimWorld,
  USER,
  type ScimClient,
  type ScimWorld,
} from './scim-fixture.js'

let world: ScimWorld
let server: TestServer
let admin: MadeUser

beforeAll(async () => {
  world = await startScimWorld()
  ;({ server, admin } = world)
})
afterAll(() => world.close())

async function makeGroup(scim: ScimClient, displayName: string, members: readonly string[] = []): Promise<string> {
  const group = { schemas: [GROUP], displayName, members: members.map((value) => ({ value })) }
  const { status, body } = await scim.ask('POST', '/Groups', group)
  expect(status).toBe(201)
  return body.id
}
async function membersOf(scim: ScimClient, group: string): Promise<string[]> {
  const { body } = await scim.ask('GET', `/Groups/${group}`)
  return body.members.map(({ value }: { value: string }) => value)
}
const roleOf = async (id: string): Promise<string> =>
  (await server.gql(admin, 'query ($id: ID!) { user(id: $id) { role } }', { id })).data.user.role

describe('the rights that groups give', () => {
  it('are those of sign-ins again once the provider has no token, and of groups once it has one', async () => {
    const scim = await world.makeScim({
      syncRoles: true,
      defaultRole: 'viewer',
      roleMap: [
        { claim: 'groups', value: 'Leads', role: 'admin' },
        { claim: 'groups', value: 'Staff', role: 'agent' },
      ],
    })
    const person = `p${crypto.randomUUID()}`
    const email = `${person}@${scim.domain}`
    world.idp.people.set(person, { email, email_verified: true, groups: ['Staff'] })
    const { id } = await scim.make({ userName: email })
    await makeGroup(scim, 'Leads', [id])
    const becomes = (role: string) =>
      until(
        () => roleOf(id),
        (now) => now === role,
      )
    await becomes('ADMIN')
    await signInAt(browserAt(server), scim.service, person)
    expect(await roleOf(id)).toBe('ADMIN')
    const { data } = await server.gql(admin, 'query ($s: ID!) { provisioning(service: $s) { tokens { id } } }', {
      s: scim.service,
    })
    const revoked = await server.gql(admin, 'mutation ($s: ID!, $t: ID!) { revokeScimToken(service: $s, token: $t) }', {
      s: scim.service,
      t: data.provisioning.tokens[0].id,
    })
    expect(revoked.data).toEqual({ revokeScimToken: true })
    await signInAt(browserAt(server), scim.service, person)
    expect(await roleOf(id)).toBe('AGENT')
    await makeToken(server, admin, scim.service)
    expect(await becomes('ADMIN')).toBe('ADMIN')
    const SERVICE = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
    const turn = async (status: string) => {
      const { errors } = await server.gql(admin, SERVICE, { id: scim.service, patch: { status } })
      expect(errors).toBeUndefined()
    }
    await turn('inactive')
    const free = 'mutation ($id: ID!) { updateUser(id: $id, patch: { role: VIEWER }) { role } }'
    expect((await server.gql(admin, free, { id })).data).toEqual({ updateUser: { role: 'VIEWER' } })
    await turn('active')
    expect(await becomes('ADMIN')).toBe('ADMIN')
  })

  it('are not those of whoever comes back after leaving them while away', async () => {
    const scim = await world.makeScim({
      roleMap: [{ claim: 'groups', value: 'Leads', role: 'admin' }],
    })
    const becomes = (id: string, role: string) =>
      until(
        () => roleOf(id),
        (now) => now === role,
      )
    const [ann, bob] = [await scim.make(), await scim.make()]
    const group = await makeGroup(scim, 'Leads', [ann.id, bob.id])
    await becomes(ann.id, 'ADMIN')
    await becomes(bob.id, 'ADMIN')
    const activate = (value: string) => scim.patch(`/Users/${ann.id}`, { op: 'Replace', path: 'active', value })
    expect((await activate('False')).body.active).toBe(false)
    await scim.patch(`/Groups/${group}`, { op: 'Remove', path: `members[value eq "${ann.id}"]` })
    expect((await activate('True')).body.active).toBe(true)
    expect(await becomes(ann.id, 'VIEWER')).toBe('VIEWER')
    expect((await scim.ask('DELETE', `/Users/${bob.id}`)).status).toBe(204)
    expect(await scim.make({ userName: bob.userName })).toMatchObject({ id: bob.id })
    expect(await becomes(bob.id, 'VIEWER')).toBe('VIEWER')
    await scim.patch(`/Groups/${group}`, { op: 'Add', path: 'members', value: [{ value: ann.id }] })
    expect(await becomes(ann.id, 'ADMIN')).toBe('ADMIN')
  })
})

describe('the rights of whoever has left all groups', () => {
  it('end also where the provider was switched off before they were taken', async () => {
    const scim = await world.makeScim({
      roleMap: [{ claim: 'groups', value: 'Leads', role: 'admin' }],
    })
    const { id } = await scim.make()
    const group = await makeGroup(scim, 'Leads', [id])
    await until(
      () => roleOf(id),
      (role) => role === 'ADMIN',
    )
    // The job waits for the user, is cut off, and is to be done again later: not before the clock goes on.
    const jobs = () =>
      server.server.database.query<{ last_error: string | null }>('select last_error from job where key = $1', [
        `scim:${scim.service}`,
      ])
    server.clock.standAt()
    const outside = new pg.Client({ connectionString: server.databaseUrl })
    await outside.connect()
    await outside.query('begin')
    await outside.query('select from app_user where id = $1 for update', [id])
    await scim.patch(`/Groups/${group}`, { op: 'remove', path: 'members' })
    await until(async () => {
      await outside.query(
        `select pg_cancel_backend(pid) from pg_stat_activity
         where wait_event_type = 'Lock' and datname = current_database() and query like '%app_user%for update%'`,
      )
      return (await jobs()).some(({ last_error: error }) => error !== null)
    })
    const SERVICE = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
    const turn = async (status: string) => {
      const { errors } = await server.gql(admin, SERVICE, { id: scim.service, patch: { status } })
      expect(errors).toBeUndefined()
    }
    await turn('inactive')
    await outside.query('commit')
    await outside.end()
    await letNextComeDue(server, 'scim.rights')
    await until(jobs, (left) => left.length === 0)
    await turn('active')
    server.clock.goOn()
    expect(
      await until(
        () => roleOf(id),
        (role) => role === 'VIEWER',
      ),
    ).toBe('VIEWER')
  })

  it('are no matter for a sign-in by another provider while there is one', async () => {
    const below = await server.makeOrganization({ parent: world.center })
    const scim = await world.makeScim({
      roleMap: [{ claim: 'groups', value: 'Staff', role: 'agent' }],
    })
    const email = `p${crypto.randomUUID()}@${scim.domain}`
    const CREATE = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }'
    const made = await server.gql(admin, CREATE, { input: { email, role: 'VIEWER', organization: below.id } })
    expect(made.errors).toBeUndefined()
    const { id } = await scim.make({ userName: email })
    expect(id).toBe(made.data.createUser.id)
    const group = await makeGroup(scim, 'Staff', [id])
    await until(
      () => roleOf(id),
      (role) => role === 'AGENT',
    )
    const other = await world.startIdentityProvider()
    const params = { syncRoles: true, defaultRole: 'admin', domains: [scim.domain] }
    const service = await makeProvider(server, admin, other, params, below)
    other.people.set('ann', { email, email_verified: true })
    expect((await signInAt(browserAt(server), service, 'ann')).reason).toBeNull()
    expect(await roleOf(id)).toBe('AGENT')
    await scim.patch(`/Groups/${group}`, { op: 'remove', path: 'members' })
    await until(
      () => roleOf(id),
      (role) => role === 'VIEWER',
    )
    expect((await signInAt(browserAt(server), service, 'ann')).reason).toBeNull()
    expect(await roleOf(id)).toBe('ADMIN')
    await other.close()
  })
})

describe('an account that a provider takes on', () => {
  it.each(['revoked', 'inactive'])(
    'may be one of a provider whose provisioning is %s, and is not its any more',
    async (how) => {
      const params = { roleMap: [{ claim: 'groups', value: 'Leads', role: 'admin' }] }
      const old = await world.makeScim(params)
      const SERVICE =
        'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
      const change = async (service: string, patch: Record<string, unknown>) => {
        const { errors } = await server.gql(admin, SERVICE, { id: service, patch })
        expect(errors).toBeUndefined()
      }
      const made = await world.makeScim()
      await change(made.service, { params: { issuer: world.idp.issuer, ...world.idp.client, domains: [old.domain] } })
      const { id, userName } = await old.make({ displayName: 'Ann' })
      const group = await makeGroup(old, 'Leads', [id])
      const taken = { schemas: [USER], userName, displayName: 'Anna' }
      expect((await made.ask('POST', '/Users', taken)).status).toBe(409)
      if (how === 'inactive') {
        await change(old.service, { status: 'inactive' })
      } else {
        const { data } = await server.gql(admin, 'query ($s: ID!) { provisioning(service: $s) { tokens { id } } }', {
          s: old.service,
        })
        const REVOKE = 'mutation ($s: ID!, $t: ID!) { revokeScimToken(service: $s, token: $t) }'
        await server.gql(admin, REVOKE, { s: old.service, t: data.provisioning.tokens[0].id })
      }
      expect(await made.ask('POST', '/Users', taken)).toMatchObject({ status: 201, body: { id, displayName: 'Anna' } })
      expect((await made.ask('POST', '/Users', taken)).status).toBe(409)
      // It comes back, and has the user no more.
      if (how === 'inactive') await change(old.service, { status: 'active' })
      const back = {
        ...old,
        ...clientOf(server, { ...old, token: (await makeToken(server, admin, old.service)).token }),
      }
      expect((await back.ask('GET', `/Users/${id}`)).status).toBe(404)
      expect((await back.ask('POST', '/Users', taken)).status).toBe(409)
      expect(await membersOf(back, group)).toEqual([])
      expect((await made.ask('GET', `/Users/${id}`)).status).toBe(200)
    },
  )

  it('is none that somebody opens by an unproven email at another provider', async () => {
    const scim = await world.makeScim()
    const other = await world.startIdentityProvider()
    const elsewhere = await makeProvider(
      server,
      admin,
      other,
      { createUsers: true, defaultRole: 'viewer' },
      world.center,
    )
    const userName = `lead@${scim.domain}`
    other.people.set('eve', { email: userName, email_verified: false })
    const browser = browserAt(server)
    await signInAt(browser, elsewhere, 'eve')
    const { user } = (await tokenOf(browser))!
    const refused = await scim.ask('POST', '/Users', { schemas: [USER], userName })
    expect(refused).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    expect(refused.body.detail).toContain('unlink that identity first')
    const { data } = await server.gql(admin, 'query ($u: ID!) { identities(user: $u) { id } }', { u: user })
    await server.gql(admin, 'mutation ($id: ID!, $u: ID!) { unlinkIdentity(identity: $id, user: $u) }', {
      id: data.identities[0].id,
      u: user,
    })
    expect(await scim.ask('POST', '/Users', { schemas: [USER], userName })).toMatchObject({
      status: 201,
      body: { id: user },
    })
    await other.close()
  })

  it('may be one that it has opened by a sign-in itself', async () => {
    const scim = await world.makeScim({ createUsers: true, defaultRole: 'viewer' })
    const person = `p${crypto.randomUUID()}`
    const userName = `${person}@${scim.domain}`
    world.idp.people.set(person, { email: userName, email_verified: false })
    const browser = browserAt(server)
    await signInAt(browser, scim.service, person)
    const { user } = (await tokenOf(browser))!
    expect(await scim.make({ userName })).toMatchObject({ id: user })
  })
})

describe('the members of a group', () => {
  it('are those that the operations of a patch leave, and as many changes as there may be operations', async () => {
    const scim = await world.makeScim()
    const users: string[] = []
    for (let at = 0; at < 4; at++) users.push((await scim.make()).id)
    const [ann, bob, cat, dan] = users as [string, string, string, string]
    const group = await makeGroup(scim, 'Many', [ann, bob])
    const is = (...ids: string[]) => ids.map((value) => ({ value }))
    const turns = Array.from({ length: 249 }, () => [
      { op: 'add', path: 'members', value: is(cat) },
      { op: 'remove', path: 'members', value: is(cat) },
      { op: 'remove', path: `members[value eq "${ann}"]` },
      { op: 'add', path: 'members', value: is(ann) },
    ]).flat()
    expect((await scim.patch(`/Groups/${group}`, ...turns)).status).toBe(204)
    const unchanged = await scim.ask('GET', `/Groups/${group}`)
    expect(unchanged.headers.get('etag')).toBe('W/"1"')
    expect(await membersOf(scim, group)).toEqual([ann, bob])
    await scim.patch(
      `/Groups/${group}`,
      { op: 'remove', path: 'members', value: is(ann) },
      { op: 'add', path: 'members', value: is(cat) },
    )
    expect(await membersOf(scim, group)).toEqual([bob, cat])
    await scim.patch(
      `/Groups/${group}`,
      { op: 'add', path: 'members', value: is(ann) },
      { op: 'remove', path: 'members' },
      { op: 'add', path: 'members', value: is(dan) },
    )
    expect(await membersOf(scim, group)).toEqual([dan])
    // Names are the same in any case: one value says the same attribute many times.
    const value = Object.fromEntries(
      Array.from({ length: 128 }, (_, bits) => {
        const name = [...'members'].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join('')
        return [name, [] as unknown[]]
      }),
    )
    const body = { schemas: [PATCH_OP], Operations: Array.from({ length: 8 }, () => ({ op: 'replace', value })) }
    expect(await scim.ask('PATCH', `/Groups/${group}`, body)).toMatchObject({
      status: 400,
      body: { scimType: 'tooMany' },
    })
    const paths = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`emails[type eq "${at}"]`, 'x']))
    expect(await scim.patch(`/Users/${ann}`, { op: 'add', value: paths })).toMatchObject({
      status: 400,
      body: { scimType: 'tooMany' },
    })
    expect(await membersOf(scim, group)).toEqual([dan])
  })

  it('stay where one is replaced that a filter chooses, and an audit entry tells of changes alone', async () => {
    const scim = await world.makeScim()
    const [ann, bob] = [(await scim.make()).id, (await scim.make()).id]
    const group = await makeGroup(scim, 'Chosen', [bob])
    const path = `members[value eq "${ann}"]`
    for (let times = 1; times <= 2; times++) {
      expect((await scim.patch(`/Groups/${group}`, { op: 'Replace', path, value: { value: ann } })).status).toBe(204)
    }
    expect((await membersOf(scim, group)).toSorted()).toEqual([ann, bob].toSorted())
    const { data } = await server.gql(
      admin,
      'query ($id: String!) { auditEntries(first: 9, filter: { object: { eq: $id }, action: { eq: "updateScimGroup" } }) { nodes { id } } }',
      { id: scim.service },
    )
    expect(data.auditEntries.nodes).toHaveLength(1)
  })

  it('are none whom the provider deletes at the same time', async () => {
    const scim = await world.makeScim()
    const [first, second] = [await scim.make(), await scim.make()]
    const group = await makeGroup(scim, 'Meanwhile')
    const outside = new pg.Client({ connectionString: server.databaseUrl })
    await outside.connect()
    await outside.query('begin')
    await outside.query('select from scim_user where user_id = $1 for share', [first.id])
    const added = scim.patch(`/Groups/${group}`, {
      op: 'add',
      path: 'members',
      value: [{ value: first.id }, { value: second.id }],
    })
    await until(
      () =>
        server.server.database.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query like '%scim_user%'`,
        ),
      (rows) => rows.length > 0,
    )
    expect((await scim.ask('DELETE', `/Users/${second.id}`)).status).toBe(204)
    await outside.query('commit')
    await outside.end()
    expect(await added).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect(await scim.make({ userName: second.userName })).toMatchObject({ id: second.id })
    expect(await membersOf(scim, group)).toEqual([])
  })
})
