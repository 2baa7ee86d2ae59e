import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import type { TestServer } from '../support/test-server.js'
import { startScimWorld, USER, type ScimClient, type ScimWorld } from './scim-fixture.js'

let world: ScimWorld
let server: TestServer
let admin: MadeUser
let scim: ScimClient

beforeAll(async () => {
  world = await startScimWorld()
  ;({ server, admin } = world)
  scim = await world.makeScim()
})
afterAll(() => world.close())

/** Changes a user as an administrator does. @returns why it was refused */
async function change(id: string, patch: Record<string, unknown>): Promise<string | null> {
  const UPDATE = 'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }'
  const { errors } = await server.gql(admin, UPDATE, { id, patch })
  return errors ? String(errors[0]!.extensions.reason) : null
}
const shown = async (id: string): Promise<Record<string, unknown>> =>
  (
    await server.gql(
      admin,
      'query ($id: ID!) { user(id: $id) { phone displayName givenName familyName additionalName email } }',
      { id },
    )
  ).data.user
const MANAGED = 'MANAGED_ELSEWHERE'

describe('a patch', () => {
  it('makes nothing the provider’s but what it names', async () => {
    const { id, userName } = await scim.make({ name: { givenName: 'Ann' } })
    expect(await change(id, { phone: '+31 6 1', familyName: 'Ames' })).toBeNull()
    for (const value of ['False', 'True']) {
      expect((await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value })).status).toBe(200)
    }
    await scim.patch(`/Users/${id}`, { op: 'replace', value: { 'name.givenName': 'Anna', externalId: 'x' } })
    expect(await change(id, { phone: '+31 6 2', familyName: 'Adams' })).toBeNull()
    expect(await change(id, { givenName: 'Eve' })).toBe(MANAGED)
    const whole = { schemas: [USER], userName, name: { givenName: 'Ann' }, active: true }
    expect((await scim.ask('PUT', `/Users/${id}`, whole)).status).toBe(200)
    expect(await shown(id)).toMatchObject({ phone: '+31 6 2', givenName: 'Ann', familyName: 'Adams' })
  })

  it.each([
    ['a path', { op: 'replace', path: 'phoneNumbers[type eq "work"].value', value: '+31 6 3' }, 'phone'],
    ['a list', { op: 'add', path: 'phoneNumbers', value: [{ type: 'work', value: '+31 6 1' }] }, 'phone'],
    ['a value without a path', { op: 'replace', value: { phoneNumbers: [{ value: '+31 6 3' }] } }, 'phone'],
    ['a removal', { op: 'remove', path: 'phoneNumbers' }, 'phone'],
    ['a part of the name', { op: 'replace', path: 'name.familyName', value: 'Brock' }, 'familyName'],
    ['the name as a whole', { op: 'replace', path: 'name', value: { middleName: 'B.' } }, 'additionalName'],
    ['the name in a value without a path', { op: 'add', value: { name: { middleName: 'B.' } } }, 'additionalName'],
    ['the name that is shown', { op: 'add', path: 'displayName', value: 'AA' }, 'displayName'],
    ['the whole name', { op: 'add', path: 'name.formatted', value: 'AA' }, 'displayName'],
  ])('makes the provider’s what it names by %s', async (_by, operation, property) => {
    const { id } = await scim.make()
    const free = { familyName: 'Ames', additionalName: 'A.', displayName: 'Ann' }
    const own = property === 'displayName' ? {} : free
    expect(await change(id, { phone: '+31 6 1', ...own })).toBeNull()
    expect((await scim.patch(`/Users/${id}`, operation)).status).toBe(200)
    expect(await change(id, { [property]: 'other' })).toBe(MANAGED)
    const others = Object.fromEntries(['phone', ...Object.keys(own)].map((key) => [key, 'mine']))
    expect(await change(id, { ...others, [property]: undefined })).toBeNull()
  })

  it('leaves an administrator’s number alone while it names another one', async () => {
    const { id } = await scim.make()
    expect(await change(id, { phone: '+31 6 1' })).toBeNull()
    await scim.patch(`/Users/${id}`, { op: 'add', path: 'phoneNumbers[type eq "fax"].value', value: '+31 9' })
    expect(await shown(id)).toMatchObject({ phone: '+31 6 1' })
    expect(await change(id, { phone: '+31 6 2' })).toBeNull()
  })
})

describe('an email', () => {
  const rename = (id: string, userName: string) =>
    scim.patch(`/Users/${id}`, { op: 'Replace', path: 'userName', value: userName })
  const unique = () => `n${crypto.randomUUID()}@${scim.domain}`

  it('that is the user name changes with it, until the provider names one', async () => {
    const { id } = await scim.make()
    const [first, second, third] = [unique(), unique(), unique()]
    expect((await rename(id, first)).body).toMatchObject({ userName: first, emails: [{ value: first }] })
    expect(await shown(id)).toMatchObject({ email: first })
    // Not an email address: the one that there is stays.
    expect((await rename(id, id)).body).toMatchObject({ userName: id, emails: [{ value: first }] })
    await rename(id, second)
    await scim.patch(`/Users/${id}`, { op: 'Replace', path: 'emails[type eq "work"].value', value: second })
    expect((await rename(id, third)).body).toMatchObject({ userName: third, emails: [{ value: second }] })
    const whole = await scim.ask('PUT', `/Users/${id}`, { schemas: [USER], userName: third })
    expect(whole.body).toMatchObject({ emails: [{ value: third }] })
    expect((await rename(id, first)).body).toMatchObject({ emails: [{ value: first }] })
  })

  it('that the provider names stays where the user name changes', async () => {
    const email = unique()
    const { id } = await scim.make({ userName: email, emails: [{ value: email, type: 'work', primary: true }] })
    expect((await rename(id, unique())).body).toMatchObject({ emails: [{ value: email }] })
    expect(await change(id, { email: unique() })).toBe(MANAGED)
  })

  it('of a domain that is not the provider’s is no user name’s', async () => {
    const { id } = await scim.make()
    expect(await rename(id, 'eve@elsewhere.example')).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
  })
})
