import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { verifyDomain } from '../sso/sso-fixture.js'
import { startIdentityProvider, type IdentityProvider } from '../sso/identity-provider.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { makeFourEyesPlace, type FourEyesPlace } from './four-eyes-fixture.js'

const POLICY = `mutation ($p: UpdateSignInPolicyInput!) { updateSignInPolicy(patch: $p) { version own { passwordMinLength } } }`
const CREATE =
  'mutation ($i: CreateServiceInput!, $k: String) { createService(input: $i, idempotencyKey: $k) { id version params } }'
const UPDATE = 'mutation ($id: ID!, $p: UpdateServiceInput!) { updateService(id: $id, patch: $p) { id name } }'
const DELETE = 'mutation ($id: ID!) { deleteService(id: $id) }'
const TOKEN = 'mutation ($s: ID!) { createScimToken(service: $s) { id token } }'
const REVOKE = 'mutation ($s: ID!, $t: ID!) { revokeScimToken(service: $s, token: $t) }'
const TOKENS = 'query ($s: ID!) { provisioning(service: $s) { tokens { id token } } }'
const RESET = 'mutation ($u: ID!) { resetFactors(user: $u) { id } }'
const REMOVE = 'mutation ($id: ID!) { removeDomain(id: $id) }'
const SECRET = 'the secret of the application'

let app: TestServer
let provider: IdentityProvider
let place: FourEyesPlace
beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true', GRAPHQL_COST_PER_MINUTE: '1000000000' })
  provider = await startIdentityProvider()
})
afterAll(async () => {
  await provider.close()
  await app.close()
})
beforeEach(async () => {
  place = await makeFourEyesPlace(app, { signIn: true })
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => app.server.database.query(text, values)
const inputOf = (name = 'Staff') => ({
  type: 'oidc',
  name,
  params: { issuer: provider.issuer, ...provider.client, clientSecret: SECRET },
})

/** Has a provider proposed and approved. @returns its id */
async function makeProvider(): Promise<string> {
  const change = await place.proposed(place.run(place.ann, CREATE, { i: inputOf() }))
  const { data, message } = await place.approve(change)
  expect([message, data?.approveChange.status]).toEqual([null, 'APPROVED'])
  const [row] = await sql<{ id: string }>('select id from service where organization_id = $1', [place.center.id])
  return row!.id
}

describe('of sign-in, two administrators are needed', () => {
  it('to change the policy, which both must survive', async () => {
    const change = await place.proposed(place.run(place.ann, POLICY, { p: { passwordMinLength: 16 } }))
    expect(await place.fetch(change)).toMatchObject({ area: 'SIGN_IN', objectId: place.center.id })
    // One that nobody could come back from is refused before anybody is asked.
    const p = { allowedNetworks: ['192.0.2.0/24'] }
    expect(await place.run(place.ann, POLICY, { p })).toMatchObject({ reason: 'WOULD_LOCK_OUT' })
    expect((await place.approve(change)).data!.approveChange.status).toBe('APPROVED')
    expect(
      await sql('select password_min_length as min from sign_in_policy where organization_id = $1', [place.center.id]),
    ).toEqual([{ min: 16 }])
  })

  it('to make a provider, whose secret is sealed meanwhile, and shown to nobody', async () => {
    const k = crypto.randomUUID()
    const change = await place.proposed(place.run(place.ann, CREATE, { i: inputOf(), k }))
    const shown = await place.fetch(change)
    expect(shown).toMatchObject({
      operation: 'createService',
      objectName: 'Staff',
      input: { name: 'Staff', type: 'oidc' },
    })
    expect(shown.input.params).toMatchObject({ issuer: provider.issuer })
    expect(JSON.stringify(shown)).not.toContain(SECRET)
    for (const table of ['pending_change', 'idempotency_key', 'audit_entry', 'event', 'job'])
      expect(await sql(`select 1 from ${table} t where t::text like $1`, [`%${SECRET}%`])).toEqual([])
    expect(await sql('select 1 from service where organization_id = $1', [place.center.id])).toEqual([])
    expect((await place.approve(change)).data!.approveChange).toMatchObject({ status: 'APPROVED', token: null })
    expect(await sql('select name from service where organization_id = $1', [place.center.id])).toEqual([
      { name: 'Staff' },
    ])
    expect(await sql(`select 1 from audit_entry t where t::text like $1`, [`%${SECRET}%`])).toEqual([])
  })

  it('to make a provider of SAML', async () => {
    const params = { emailAttribute: 'mail' }
    const change = await place.proposed(place.run(place.ann, CREATE, { i: { type: 'saml', name: 'By SAML', params } }))
    expect(await place.fetch(change)).toMatchObject({ operation: 'createService', objectName: 'By SAML' })
    expect(await sql('select 1 from service where organization_id = $1', [place.center.id])).toEqual([])
  })

  it('and nothing of a secret is kept of a change that was decided', async () => {
    const sealed = 'select status, sealed_input from pending_change where id = any($1::uuid[]) order by status'
    const [approved, refused, withdrawn, expired] = [
      await place.proposed(place.run(place.ann, CREATE, { i: inputOf('One') })),
      await place.proposed(place.run(place.ann, CREATE, { i: inputOf('Two') })),
      await place.proposed(place.run(place.ann, CREATE, { i: inputOf('Three') })),
      await place.proposed(place.run(place.ann, CREATE, { i: inputOf('Four') })),
    ]
    await place.approve(approved)
    await place.refuse(refused)
    await place.withdraw(withdrawn)
    await sql(`update job set run_at = now() where kind = 'pendingChange.expire' and payload ->> 'change' = $1`, [
      expired,
    ])
    await until(
      () => place.fetch(expired),
      ({ status }) => status === 'EXPIRED',
    )
    expect(await sql(sealed, [[approved, refused, withdrawn, expired]])).toEqual(
      ['approved', 'expired', 'refused', 'withdrawn'].map((status) => ({ status, sealed_input: '' })),
    )
    expect((await place.approve(approved)).data!.approveChange.status).toBe('APPROVED')
  })

  it('to change and to remove a provider, and not for other services', async () => {
    const webhook = { type: 'webhook', name: 'Hook', status: 'inactive', params: { url: 'https://example.com/hook' } }
    const made = await place.run(place.ann, CREATE, { i: webhook })
    expect(made.message).toBeNull()
    const id = made.data!.createService.id as string
    expect((await place.run(place.ann, UPDATE, { id, p: { name: 'Other' } })).data!.updateService.name).toBe('Other')
    expect((await place.run(place.ann, DELETE, { id })).message).toBeNull()
    const service = await makeProvider()
    const renamed = await place.proposed(place.run(place.ann, UPDATE, { id: service, p: { name: 'Renamed' } }))
    const removed = await place.proposed(place.run(place.bob, DELETE, { id: service }))
    expect((await place.approve(renamed)).data!.approveChange.status).toBe('APPROVED')
    expect(await place.approve(removed, place.ann)).toMatchObject({ reason: 'CHANGED_MEANWHILE' })
    expect(await sql('select name from service where id = $1', [service])).toEqual([{ name: 'Renamed' }])
  })

  it('to make a token for SCIM, which is shown once to who approves, and not to end it', async () => {
    const service = await makeProvider()
    const change = await place.proposed(place.run(place.ann, TOKEN, { s: service }))
    expect((await place.run(place.ann, TOKENS, { s: service })).data!.provisioning.tokens).toEqual([])
    const { token } = (await place.approve(change)).data!.approveChange
    expect(token).toMatch(/^scim_/)
    expect((await place.approve(change)).data!.approveChange.token).toBeNull()
    expect((await place.fetch(change)).token).toBeNull()
    expect(await sql('select 1 from pending_change t where t::text like $1', [`%${token}%`])).toEqual([])
    const [{ id }] = (await place.run(place.ann, TOKENS, { s: service })).data!.provisioning.tokens
    expect((await place.run(place.ann, REVOKE, { s: service, t: id })).data!.revokeScimToken).toBe(true)
  })

  it('to remove a domain', async () => {
    await verifyDomain(app, place.center, 'four-eyes.example')
    const [domain] = await sql<{ id: string }>('select id from domain where organization_id = $1', [place.center.id])
    const change = await place.proposed(place.run(place.ann, REMOVE, { id: domain!.id }))
    expect((await place.fetch(change)).objectName).toBe('four-eyes.example')
    await place.approve(change)
    expect(await sql('select 1 from domain where id = $1', [domain!.id])).toEqual([])
  })

  it("to reset a second factor, an owner's by owners only", async () => {
    const owners = await Promise.all(
      [1, 2].map(() => app.makeUser({ organization: place.center, role: 'owner', displayName: 'Olga' })),
    )
    await sql(
      `insert into user_factor (id, user_id, secret, created_at, confirmed_at) values (gen_random_uuid(), $1, 'sealed', now(), now())`,
      [owners[1]!.id],
    )
    const change = await place.proposed(place.run(owners[0]!, RESET, { u: owners[1]!.id }))
    expect((await place.fetch(change)).objectName).toBe('Olga')
    expect(await place.approve(change, place.bob)).toMatchObject({ code: 'FORBIDDEN' })
    expect((await place.fetch(change)).status).toBe('PENDING')
    expect(await sql('select 1 from user_factor where user_id = $1', [owners[1]!.id])).toHaveLength(1)
  })
})
