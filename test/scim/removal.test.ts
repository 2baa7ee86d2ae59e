import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { browserAt, PUBLIC_URL, signInAt, tokenOf } from '../sso/sso-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { closeCodeOf, liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { clientOf, makeScim, SCIM_ENV, startScimWorld, type ScimClient, type ScimWorld } from './scim-fixture.js'

/** Two nodes without Redis: each finds out by itself. */
let world: ScimWorld
let one: TestServer
let other: TestServer
let admin: MadeUser
const clients: Client[] = []

beforeAll(async () => {
  world = await startScimWorld()
  ;({ server: one, admin } = world)
  other = await startTestServer(SCIM_ENV, { beside: one })
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
})
afterAll(async () => {
  await other.close()
  await world.close()
})

const AGENTS = { defaultRole: 'agent', createUsers: true }
const uses = async (token: string, node: TestServer): Promise<string> =>
  (await node.gql(token, '{ me { id } }')).errors?.[0]?.extensions.code ?? 'ok'
async function openSocket(token: string, node: TestServer): Promise<{ closed: Promise<number> }> {
  const client = liveClient(node.url, token)
  clients.push(client)
  const closed = closeCodeOf(client)
  await subscribe(client, 'inbox', 'subscription { inbox { __typename } }').next()
  return { closed }
}
/** A person of the provider, and the user that the provider has made of it. */
async function makePerson(scim: ScimClient): Promise<{ person: string; id: string; email: string }> {
  const person = `p${crypto.randomUUID()}`
  const email = `${person}@${scim.domain}`
  world.idp.people.set(person, { email, email_verified: true })
  const { id } = await scim.make({ userName: email })
  return { person, id, email }
}
async function signIn(scim: ScimClient, person: string): Promise<{ token: string | null; reason: string | null }> {
  const browser = browserAt(one)
  const { reason } = await signInAt(browser, scim.service, person)
  return { token: (await tokenOf(browser))?.token ?? null, reason }
}
const DELETE = 'mutation ($id: ID!) { deleteUser(id: $id) }'
const UPDATE = 'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }'
async function update(
  as: MadeUser,
  id: string,
  patch: Record<string, unknown>,
): Promise<Record<string, unknown> | null> {
  const { errors } = await one.gql(as, UPDATE, { id, patch })
  return errors?.[0]?.extensions ?? null
}

describe('a user whom a provider switches off', () => {
  it.each(['active', 'delete'])('loses tokens and sockets on both nodes, and channels, by %s', async (way) => {
    const scim = await world.makeScim(AGENTS)
    const { person, id } = await makePerson(scim)
    const { token } = await signIn(scim, person)
    const { data: made } = await one.gql(
      admin,
      'mutation ($name: String!, $user: ID!) { createChannel(input: { name: $name, members: [{ user: $user }] }) { id } }',
      { name: `c${id}`, user: id },
    )
    const channel = made.createChannel.id
    const sockets = [await openSocket(token!, one), await openSocket(token!, other)]
    expect(await uses(token!, other)).toBe('ok')
    // By the other node.
    const there = clientOf(other, scim)
    const { status } =
      way === 'delete'
        ? await there.ask('DELETE', `/Users/${id}`)
        : await there.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    expect(status).toBe(way === 'delete' ? 204 : 200)
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([4403, 4403])
    expect(await uses(token!, other)).toBe('UNAUTHENTICATED')
    await until(
      () => uses(token!, one),
      (code) => code === 'UNAUTHENTICATED',
    )
    const { data } = await one.gql(admin, 'query ($id: ID!) { channel(id: $id) { members { user { id } } } }', {
      id: channel,
    })
    expect(data.channel.members).toEqual([])
    expect(await signIn(scim, person)).toEqual({ token: null, reason: 'NOT_PROVISIONED' })
    const events = await one.server.database.query<{ type: string }>(
      `select type from event where data ->> 'id' = $1 order by number desc limit 1`,
      [id],
    )
    expect(events).toEqual([{ type: 'user.updated' }])
  })

  it('leaves conversations, whose history stays', async () => {
    const scim = await world.makeScim(AGENTS)
    const { person, id } = await makePerson(scim)
    const { token } = await signIn(scim, person)
    const colleague = await one.makeUser({ organization: world.center, role: 'agent' })
    const { data, errors } = await one.gql(
      token,
      'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
      { input: { type: 'AGENT', name: 'Lunch', participants: [colleague.id] } },
    )
    expect(errors).toBeUndefined()
    const conversation = data.createConversation.id
    await scim.ask('DELETE', `/Users/${id}`)
    const left = await until(
      async () => {
        const { data: read } = await one.gql(
          admin,
          'query ($id: ID!) { conversation(id: $id) { participants { userId } } }',
          { id: conversation },
        )
        return read.conversation.participants.map(({ userId }: { userId: string }) => userId)
      },
      (found) => !found.includes(id),
    )
    expect(left).toContain(colleague.id)
  })

  it('does not come back by a sign-in once an administrator has erased it, and does by the provider', async () => {
    const scim = await world.makeScim(AGENTS)
    const { person, id, email } = await makePerson(scim)
    await scim.ask('DELETE', `/Users/${id}`)
    expect((await one.gql(admin, DELETE, { id })).errors).toBeUndefined()
    expect(await signIn(scim, person)).toEqual({ token: null, reason: 'NOT_PROVISIONED' })
    const kept = await one.server.database.query<{ row: string }>(
      `select t::text as row from scim_user t where user_id = $1
       union all select t::text from scim_removed t where service_id = $2`,
      [id, scim.service],
    )
    expect(kept).toHaveLength(1)
    expect(kept[0]!.row).not.toContain(email)
    const again = await scim.make({ userName: email })
    expect(again.id).not.toBe(id)
    const { token, reason } = await signIn(scim, person)
    expect({ isIn: token !== null, reason }).toEqual({ isIn: true, reason: null })
  })

  it.each(['active', 'delete'])('does not come back either if it was archived before, by %s', async (way) => {
    const scim = await world.makeScim(AGENTS)
    const { person, id } = await makePerson(scim)
    const turn = async (status: string) => {
      const SERVICE =
        'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
      expect((await one.gql(admin, SERVICE, { id: scim.service, patch: { status } })).errors).toBeUndefined()
    }
    await turn('inactive')
    expect(await update(admin, id, { status: 'ARCHIVED' })).toBeNull()
    await turn('active')
    const { status } =
      way === 'delete'
        ? await scim.ask('DELETE', `/Users/${id}`)
        : await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    expect(status).toBe(way === 'delete' ? 204 : 200)
    await turn('inactive')
    expect((await one.gql(admin, DELETE, { id })).errors).toBeUndefined()
    await turn('active')
    expect(await signIn(scim, person)).toEqual({ token: null, reason: 'NOT_PROVISIONED' })
  })

  it('comes back as the same user when the provider makes it anew', async () => {
    const scim = await world.makeScim(AGENTS)
    const { id, email, person } = await makePerson(scim)
    await scim.ask('DELETE', `/Users/${id}`)
    expect(await scim.make({ userName: email, displayName: 'Back' })).toMatchObject({ id, displayName: 'Back' })
    expect((await signIn(scim, person)).token).not.toBeNull()
  })

  it('keeps nobody in, of 60 who were signed in on two nodes', async () => {
    const scim = await world.makeScim(AGENTS)
    const people = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        const { id } = await scim.make()
        await one.server.database.query(`update app_user set status = 'active' where id = $1`, [id])
        const made: MadeUser = { id, email: '', role: 'agent', organization: world.center }
        return { id, token: await one.tokenFor(made), isRemoved: at % 2 === 0 }
      }),
    )
    expect(new Set(await Promise.all(people.map(({ token }) => uses(token, other))))).toEqual(new Set(['ok']))
    const gone = people.filter(({ isRemoved }) => isRemoved)
    await Promise.all(
      gone.map(({ id }, at) =>
        at % 2 === 0
          ? scim.ask('DELETE', `/Users/${id}`)
          : scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } }),
      ),
    )
    for (const node of [one, other]) {
      await until(async () => {
        const codes = await Promise.all(people.map(async (each) => [each.isRemoved, await uses(each.token, node)]))
        return codes.every(([isRemoved, code]) => code === (isRemoved ? 'UNAUTHENTICATED' : 'ok'))
      })
    }
    expect(gone).toHaveLength(30)
  })
})

describe('owners', () => {
  it('are not taken on, nor is their email changed; the last one is not removed', async () => {
    const own = await one.makeContactCenter()
    const boss = await one.makeUser({ organization: own, role: 'admin' })
    const scim = await makeScim(one, boss, world.idp, own, AGENTS)
    const email = `owner@${scim.domain}`
    await one.server.database.query('update app_user set email = $2 where id = $1', [own.owner.id, email])
    const taken = await scim.ask('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: email,
    })
    expect(taken).toMatchObject({ status: 409, body: { scimType: 'uniqueness', status: '409' } })
    // A user of the provider becomes an owner by an owner.
    const { id } = await scim.make()
    await one.server.database.query(`update app_user set status = 'active' where id = $1`, [id])
    expect(await update(own.owner, id, { role: 'OWNER' })).toBeNull()
    const changed = await scim.patch(`/Users/${id}`, {
      op: 'replace',
      path: 'emails',
      value: [{ value: `else@${scim.domain}`, primary: true }],
    })
    expect(changed).toMatchObject({ status: 403 })
    // There is another one.
    await one.server.database.query(`update app_user set status = 'archived' where id = $1`, [own.owner.id])
    const last = await scim.ask('DELETE', `/Users/${id}`)
    expect(last.status).toBe(422)
    expect(last.body.detail).toMatch(/last owner/)
    await one.server.database.query(`update app_user set status = 'active' where id = $1`, [own.owner.id])
    expect((await scim.ask('DELETE', `/Users/${id}`)).status).toBe(204)
  })

  it('of two who are removed at once, one stays', async () => {
    const own = await one.makeContactCenter()
    const boss = await one.makeUser({ organization: own, role: 'admin' })
    const scim = await makeScim(one, boss, world.idp, own, AGENTS)
    const two = [await scim.make(), await scim.make()]
    for (const { id } of two) {
      await one.server.database.query(`update app_user set status = 'active', role = 'owner' where id = $1`, [id])
    }
    await one.server.database.query(`update app_user set role = 'agent' where id = $1`, [own.owner.id])
    const there = clientOf(other, scim)
    const answers = await Promise.all([
      scim.ask('DELETE', `/Users/${two[0].id}`),
      there.patch(`/Users/${two[1].id}`, { op: 'replace', path: 'active', value: false }),
    ])
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(1)
  })
})

describe('what a provider keeps', () => {
  it('is changed there alone, until its tokens or the service end', async () => {
    const scim = await world.makeScim(AGENTS)
    const { id } = await scim.make({ name: { givenName: 'Ann' } })
    const managed = { code: 'UNPROCESSABLE', reason: 'MANAGED_ELSEWHERE', service: scim.service }
    for (const patch of [
      { givenName: 'Eve' },
      { email: `eve@${scim.domain}` },
      { status: 'ARCHIVED' },
      { role: 'BOT' },
    ]) {
      expect(await update(admin, id, patch)).toMatchObject({ ...managed, field: Object.keys(patch)[0] })
    }
    const byRest = await one.rest(admin, 'PATCH', `/v2/users/${id}`, { givenName: 'Eve' })
    expect(byRest).toMatchObject({ status: 422, body: { reason: 'MANAGED_ELSEWHERE', field: 'givenName' } })
    // What it says nothing of, and what stays as it is.
    expect(await update(admin, id, { givenName: 'Ann', phone: '+31 6', role: 'VIEWER' })).toBeNull()
    expect((await one.gql(admin, DELETE, { id })).errors?.[0]?.extensions).toMatchObject(managed)
    const read = async () =>
      (await one.gql(admin, 'query ($id: ID!) { user(id: $id) { managedBy } }', { id })).data.user
    expect(await read()).toEqual({ managedBy: scim.service })
    // A later replacement without the phone leaves it.
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'name.givenName', value: 'Anna' })
    expect((await scim.ask('GET', `/Users/${id}`)).body).toMatchObject({
      name: { givenName: 'Anna' },
      phoneNumbers: [{ value: '+31 6' }],
    })
    const SERVICE = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
    await one.gql(admin, SERVICE, { id: scim.service, patch: { status: 'inactive' } })
    expect((await scim.ask('GET', '/Users')).status).toBe(401)
    expect(await update(admin, id, { givenName: 'Eve' })).toBeNull()
    await one.gql(admin, SERVICE, { id: scim.service, patch: { status: 'active' } })
    expect(await update(admin, id, { givenName: 'Eva' })).toMatchObject(managed)
    const { data } = await one.gql(admin, 'query ($s: ID!) { provisioning(service: $s) { url tokens { id } } }', {
      s: scim.service,
    })
    expect(data.provisioning.url).toBe(`${PUBLIC_URL}/scim/v2/${scim.service}`)
    const revoked = await one.rest(
      admin,
      'DELETE',
      `/v2/services/${scim.service}/scimtokens/${data.provisioning.tokens[0].id}`,
    )
    expect(revoked.status).toBe(204)
    expect((await scim.ask('GET', '/Users')).status).toBe(401)
    expect(await update(admin, id, { givenName: 'Eva' })).toBeNull()
    expect(await read()).toEqual({ managedBy: null })
    const deleted = await one.gql(admin, 'mutation ($id: ID!) { deleteService(id: $id) }', { id: scim.service })
    expect(deleted.errors).toBeUndefined()
    const left = await one.server.database.query('select from scim_user where user_id = $1', [id])
    expect(left).toEqual([])
  })

  it('ends where the user is moved out of its reach', async () => {
    const [near, far] = [
      await one.makeOrganization({ parent: world.center }),
      await one.makeOrganization({ parent: world.center }),
    ]
    const scim = await makeScim(one, admin, world.idp, near, AGENTS)
    const { id, userName } = await scim.make()
    const below = await one.makeOrganization({ parent: near })
    expect(await update(admin, id, { organization: below.id })).toBeNull()
    expect((await scim.ask('GET', `/Users/${id}`)).status).toBe(200)
    expect(await update(admin, id, { organization: far.id })).toBeNull()
    expect((await scim.ask('GET', `/Users/${id}`)).status).toBe(404)
    expect((await scim.ask('DELETE', `/Users/${id}`)).status).toBe(404)
    expect(await update(admin, id, { familyName: 'Free' })).toBeNull()
    const again = await scim.ask('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
    })
    expect(again.status).toBe(409)
  })
})
