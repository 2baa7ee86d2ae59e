import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { PUBLIC_URL } from '../sso/sso-fixture.js'
import type { MadeUser } from '../support/factories.js'
import type { TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { GROUP, PATCH_OP, startScimWorld, USER, type ScimClient, type ScimWorld } from './scim-fixture.js'

/** Requests of Entra ID and Okta, in the order in which their documentation says that they come. */
let world: ScimWorld
let server: TestServer
let admin: MadeUser

beforeAll(async () => {
  world = await startScimWorld()
  ;({ server, admin } = world)
})
afterAll(() => world.close())

interface Shown {
  email: string
  displayName: string
  familyName: string | null
  role: string
  status: string
  channels: { id: string }[]
}
async function shown(id: string): Promise<Shown> {
  const { data, errors } = await server.gql(
    admin,
    'query ($id: ID!) { user(id: $id) { email displayName familyName role status channels { id } } }',
    { id },
  )
  expect(errors).toBeUndefined()
  return data.user
}
const filtered = (scim: ScimClient, type: string, filter: string, more = '') =>
  scim.ask('GET', `/${type}?filter=${encodeURIComponent(filter)}${more}`)
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

describe('Entra ID', () => {
  it('looks for a user, makes it, changes it by patches, switches it off and on by texts, and deletes it', async () => {
    const scim = await world.makeScim({ defaultRole: 'agent' })
    const name = `Test_User_${crypto.randomUUID()}`
    const email = `${name}@${scim.domain}`
    const none = await filtered(scim, 'Users', `userName eq "${name}"`)
    expect(none).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [], startIndex: 1 } })
    const made = await scim.ask('POST', '/Users', {
      schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: name,
      active: true,
      addresses: null,
      emails: [{ primary: true, type: 'work', value: email }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
    })
    expect(made.status).toBe(201)
    const { id, meta } = made.body
    expect(made.headers.get('location')).toBe(`${PUBLIC_URL}/scim/v2/${scim.service}/Users/${id}`)
    expect(made.headers.get('etag')).toBe(meta.version)
    expect(made.body).toMatchObject({
      schemas: [USER],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: name,
      active: true,
      emails: [{ value: email, type: 'work', primary: true }],
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    })
    expect(await shown(id)).toMatchObject({
      email,
      displayName: 'givenName familyName',
      role: 'AGENT',
      status: 'QUEUED',
    })
    expect((await scim.ask('GET', `/Users/${id}`)).body).toEqual(made.body)
    expect((await filtered(scim, 'Users', `userName eq "${name.toUpperCase()}"`)).body.Resources).toEqual([made.body])
    expect((await filtered(scim, 'Users', `emails[type eq "work"].value eq "${email}"`)).body.totalResults).toBe(1)

    const updated = await scim.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `updated-${email}` },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Sales' },
    )
    expect(updated.status).toBe(200)
    expect(updated.body).toMatchObject({
      userName: name,
      name: { formatted: 'givenName updatedFamilyName' },
      emails: [{ value: `updated-${email}` }],
    })
    expect(await shown(id)).toMatchObject({ familyName: 'updatedFamilyName', email: `updated-${email}` })
    const renamed = await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'userName', value: `x${name}` })
    expect(renamed.body).toMatchObject({ userName: `x${name}`, emails: [{ value: `updated-${email}` }] })

    expect((await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(
      false,
    )
    expect(await shown(id)).toMatchObject({ status: 'ARCHIVED' })
    const off = await filtered(scim, 'Users', `userName eq "x${name}"`)
    expect(off.body.Resources).toMatchObject([{ id, active: false }])
    const on = await scim.patch(`/Users/${id}`, { op: 'Add', value: { active: 'True', 'name.givenName': 'Joy' } })
    expect(on.body).toMatchObject({ active: true, name: { givenName: 'Joy', familyName: 'updatedFamilyName' } })
    expect(await shown(id)).toMatchObject({ status: 'ACTIVE' })

    expect((await scim.ask('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await scim.ask('GET', `/Users/${id}`)).status).toBe(404)
    expect((await scim.ask('DELETE', `/Users/${id}`)).status).toBe(404)
    expect((await filtered(scim, 'Users', `userName eq "x${name}"`)).body.totalResults).toBe(0)
    expect(await shown(id)).toMatchObject({ status: 'ARCHIVED', email: `updated-${email}` })
  })

  it('changes and removes the one number that is kept by the name that it has there', async () => {
    const scim = await world.makeScim()
    const { id, phoneNumbers } = await scim.make({ phoneNumbers: [{ type: 'mobile', value: '+31 6 1' }] })
    expect(phoneNumbers).toEqual([{ value: '+31 6 1', type: 'mobile', primary: true }])
    const change = async (op: string, type: string, value?: string) => {
      const { body } = await scim.patch(`/Users/${id}`, { op, path: `phoneNumbers[type eq "${type}"].value`, value })
      return body.phoneNumbers?.map((each: { type: string; value: string }) => `${each.type} ${each.value}`)
    }
    expect(await change('Replace', 'mobile', '+31 6 2')).toEqual(['mobile +31 6 2'])
    expect(await change('Replace', 'fax', '+31 9')).toEqual(['mobile +31 6 2'])
    expect(await change('Add', 'work', '+31 20 1')).toEqual(['work +31 20 1'])
    expect(await change('Replace', 'mobile', '+31 6 3')).toEqual(['work +31 20 1'])
    expect(await change('Remove', 'work')).toBeUndefined()
    expect(await change('Add', 'mobile', '+31 6 4')).toEqual(['mobile +31 6 4'])
    expect(await change('Remove', 'mobile')).toBeUndefined()
  })

  it('makes a group, fills it member by member, renames it, and deletes it: the role map gives and takes', async () => {
    const channel = await makeChannel()
    const groupId = crypto.randomUUID()
    const scim = await world.makeScim({
      defaultRole: 'viewer',
      roleMap: [
        { claim: 'groups', value: groupId, role: 'admin' },
        { claim: 'groups', value: 'Support', role: 'agent', channels: [channel] },
      ],
    })
    const [ann, bob] = [await scim.make(), await scim.make()]
    expect(await shown(ann.id)).toMatchObject({ role: 'VIEWER', channels: [] })
    const made = await scim.ask('POST', '/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: groupId,
      displayName: 'Leads',
      meta: { resourceType: 'Group' },
    })
    expect(made).toMatchObject({ status: 201, body: { displayName: 'Leads', externalId: groupId, members: [] } })
    const { id } = made.body
    const added = await scim.patch(
      `/Groups/${id}`,
      { op: 'Add', path: 'members', value: [{ $ref: null, value: ann.id }] },
      { op: 'Add', path: 'members', value: [{ $ref: null, value: bob.id }] },
    )
    expect(added).toMatchObject({ status: 204, body: null })
    for (const { id: user } of [ann, bob]) {
      await until(
        () => shown(user),
        ({ role }) => role === 'ADMIN',
      )
    }
    const without = await scim.ask('GET', `/Groups/${id}?excludedAttributes=members`)
    expect(without.body.members).toBeUndefined()
    expect((await scim.ask('GET', `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value)).toEqual(
      [ann.id, bob.id].toSorted(),
    )
    const byName = await filtered(scim, 'Groups', 'displayName eq "Leads"', '&excludedAttributes=members')
    expect(byName.body).toMatchObject({ totalResults: 1, Resources: [{ id }] })
    await scim.patch(`/Groups/${id}`, { op: 'Remove', path: 'members', value: [{ $ref: null, value: bob.id }] })
    await until(
      () => shown(bob.id),
      ({ role }) => role === 'VIEWER',
    )
    // Another name and id: another row of the map.
    await scim.patch(
      `/Groups/${id}`,
      { op: 'Replace', path: 'displayName', value: 'Support' },
      { op: 'Remove', path: 'externalId' },
    )
    const supported = await until(
      () => shown(ann.id),
      ({ role, channels }) => role === 'AGENT' && channels.length === 1,
    )
    expect(supported.channels).toEqual([{ id: channel }])
    expect((await scim.ask('DELETE', `/Groups/${id}`)).status).toBe(204)
    const left = await until(
      () => shown(ann.id),
      ({ role, channels }) => role === 'VIEWER' && channels.length === 0,
    )
    expect(left.status).toBe('QUEUED')
    expect((await scim.ask('GET', `/Groups/${id}`)).status).toBe(404)
  })
})

describe('Okta', () => {
  it('tests the connection, looks for a user, makes it, replaces it, and patches active', async () => {
    const scim = await world.makeScim({ defaultRole: 'agent' })
    const email = `isaac@${scim.domain}`
    const first = await scim.ask('GET', '/Users?startIndex=1&count=2')
    expect(first).toMatchObject({ status: 200, body: { totalResults: 0, itemsPerPage: 0, startIndex: 1 } })
    expect((await filtered(scim, 'Users', `userName eq "${email}"`, '&startIndex=1&count=100')).body.totalResults).toBe(
      0,
    )
    const person = {
      schemas: [USER],
      userName: email,
      name: { givenName: 'Isaac', familyName: 'Brock' },
      emails: [{ primary: true, value: email, type: 'work' }],
      displayName: 'Isaac Brock',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    }
    // It sends the plain type as well.
    const made = await scim.ask('POST', '/Users', person, { 'content-type': 'application/json; charset=utf-8' })
    expect(made).toMatchObject({ status: 201, body: { userName: email, displayName: 'Isaac Brock', active: true } })
    const { id } = made.body
    expect(made.body.password).toBeUndefined()
    const read = await scim.ask('GET', `/Users/${id}`)
    const replaced = await scim.ask('PUT', `/Users/${id}`, {
      ...read.body,
      name: { givenName: 'Isaac', familyName: 'Newton' },
      displayName: 'Isaac Newton',
      phoneNumbers: [{ value: '+31 20 1234567', type: 'work', primary: true }],
    })
    expect(replaced).toMatchObject({
      status: 200,
      body: { id, displayName: 'Isaac Newton', externalId: person.externalId },
    })
    expect(replaced.body.meta.version).not.toBe(read.body.meta.version)
    const off = await scim.ask('PATCH', `/Users/${id}`, {
      schemas: [PATCH_OP],
      Operations: [{ op: 'replace', value: { active: false } }],
    })
    expect(off).toMatchObject({ status: 200, body: { active: false, displayName: 'Isaac Newton' } })
    expect(await shown(id)).toMatchObject({ status: 'ARCHIVED' })
    // Assigned again: Okta finds it by its name, and replaces it.
    const again = await filtered(scim, 'Users', `userName eq "${email}"`)
    expect(again.body.Resources).toMatchObject([{ id, active: false }])
    const back = await scim.ask('PUT', `/Users/${id}`, { ...again.body.Resources[0], active: true })
    expect(back).toMatchObject({ status: 200, body: { active: true } })
    expect(await shown(id)).toMatchObject({ status: 'ACTIVE' })
  })

  it('pushes groups: by all members, by one more, by those that go, and by a value with the id', async () => {
    const scim = await world.makeScim({
      roleMap: [{ claim: 'groups', value: 'Agents', role: 'agent' }],
    })
    const [ann, bob, cem] = [await scim.make(), await scim.make(), await scim.make()]
    const member = ({ id, userName }: { id: string; userName: string }) => ({ value: id, display: userName })
    const { body: group } = await scim.ask('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Test SCIMv2',
      members: [member(ann)],
    })
    const members = async () =>
      (await scim.ask('GET', `/Groups/${group.id}`)).body.members.map(({ display }: { display: string }) => display)
    expect(await members()).toEqual([ann.userName])
    expect(await shown(ann.id)).toMatchObject({ role: 'VIEWER' })
    const named = await scim.patch(`/Groups/${group.id}`, {
      op: 'replace',
      value: { id: group.id, displayName: 'Agents' },
    })
    expect(named.status).toBe(204)
    await until(
      () => shown(ann.id),
      ({ role }) => role === 'AGENT',
    )
    await scim.patch(
      `/Groups/${group.id}`,
      { op: 'remove', path: `members[value eq "${ann.id}"]` },
      { op: 'add', path: 'members', value: [member(bob)] },
    )
    expect(await members()).toEqual([bob.userName])
    await scim.patch(`/Groups/${group.id}`, { op: 'replace', path: 'members', value: [member(ann), member(cem)] })
    expect((await members()).toSorted()).toEqual([ann.userName, cem.userName].toSorted())
    const all = await scim.ask('PUT', `/Groups/${group.id}`, {
      schemas: [GROUP],
      id: group.id,
      displayName: 'Agents',
      members: [member(bob)],
    })
    expect(all).toMatchObject({ status: 200, body: { members: [member(bob)] } })
    await until(
      () => Promise.all([ann, bob, cem].map(({ id }) => shown(id))),
      (found) => found.map(({ role }) => role).join() === 'VIEWER,AGENT,VIEWER',
    )
    await scim.patch(`/Groups/${group.id}`, { op: 'remove', path: 'members' })
    expect(await members()).toEqual([])
    const { data } = await server.gql(
      admin,
      'query ($id: String!) { auditEntries(first: 20, filter: { object: { eq: $id } }) { nodes { action details } } }',
      { id: scim.service },
    )
    const actions = data.auditEntries.nodes.map(({ action }: { action: string }) => action)
    expect(actions).toEqual(expect.arrayContaining(['createScimGroup', 'updateScimGroup', 'createScimToken']))
  })
})
