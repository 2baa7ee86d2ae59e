import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Claims } from '../sso/identity-provider.js'
import { browserAt, signInAt, tokenOf } from '../sso/sso-fixture.js'
import type { MadeUser } from '../support/factories.js'
import type { TestServer } from '../support/test-server.js'
import { startScimWorld, type ScimClient, type ScimWorld } from './scim-fixture.js'

let world: ScimWorld
let server: TestServer
let admin: MadeUser

beforeAll(async () => {
  world = await startScimWorld()
  ;({ server, admin } = world)
})
afterAll(() => world.close())

async function signIn(
  scim: ScimClient,
  claims: Claims,
  person = `p${crypto.randomUUID()}`,
): Promise<{ user: string | null; reason: string | null }> {
  world.idp.people.set(person, claims)
  const browser = browserAt(server)
  const { reason } = await signInAt(browser, scim.service, person)
  return { user: (await tokenOf(browser))?.user ?? null, reason }
}

describe('whom a provider keeps here, and of whose email it does not say that it is verified', () => {
  it('signs in by the object id that is its external id, and nobody else by the same email', async () => {
    const scim = await world.makeScim()
    const oid = crypto.randomUUID()
    const { id, userName: email } = await scim.make({ externalId: oid })
    const refused = { user: null, reason: 'LINK_NEEDED' }
    expect(await signIn(scim, { email, oid: crypto.randomUUID() })).toEqual(refused)
    expect(await signIn(scim, { email, oid: [oid] })).toEqual(refused)
    expect(await signIn(scim, { email })).toEqual(refused)
    const person = `p${crypto.randomUUID()}`
    expect(await signIn(scim, { email, oid }, person)).toEqual({ user: id, reason: null })
    // Linked by then: the subject is enough.
    expect(await signIn(scim, { email }, person)).toEqual({ user: id, reason: null })
    expect(await signIn(scim, { email, oid })).toEqual(refused)
  })

  it('signs in by the subject that is its external id', async () => {
    const scim = await world.makeScim()
    const person = `p${crypto.randomUUID()}`
    const { id, userName: email } = await scim.make({ externalId: person })
    expect(await signIn(scim, { email, email_verified: false }, person)).toEqual({ user: id, reason: null })
  })

  it('is refused by the external id of another provider, and once its own has deleted it', async () => {
    const scim = await world.makeScim()
    const other = await world.makeScim()
    const oid = crypto.randomUUID()
    const { id, userName: email } = await scim.make({ externalId: oid })
    await other.make({ externalId: oid })
    expect(await signIn(other, { email, oid })).toEqual({ user: null, reason: 'LINK_NEEDED' })
    expect((await scim.ask('DELETE', `/Users/${id}`)).status).toBe(204)
    const back = 'mutation ($id: ID!) { updateUser(id: $id, patch: { status: ACTIVE }) { id } }'
    expect((await server.gql(admin, back, { id })).errors).toBeUndefined()
    expect(await signIn(scim, { email, oid })).toEqual({ user: null, reason: 'LINK_NEEDED' })
  })
})
