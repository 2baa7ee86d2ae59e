import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { startIdentityProvider, type IdentityProvider } from './identity-provider.js'
import { browserAt, makeProvider, PUBLIC_URL } from './sso-fixture.js'

const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id params } }'
const UPDATE = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { params } }'

let server: TestServer
let provider: IdentityProvider
let center: MadeOrganization & { owner: MadeUser }
let admin: MadeUser

beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true' })
  provider = await startIdentityProvider()
  center = await server.makeContactCenter()
  admin = await server.makeUser({ organization: center, role: 'admin' })
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

const params = (more: Record<string, unknown> = {}) => ({ issuer: provider.issuer, ...provider.client, ...more })
async function refusal(input: Record<string, unknown>): Promise<{ field?: unknown; message: string }> {
  const { errors } = await server.gql(admin, CREATE, { input: { type: 'oidc', params: input } })
  const [error] = errors ?? []
  expect(error?.extensions.code).toBe('BAD_USER_INPUT')
  return { field: error!.extensions.field, message: error!.message }
}

describe('the settings of a provider', () => {
  it.each([
    ['issuer', { issuer: undefined }],
    ['issuer', { issuer: 'http://idp.example' }],
    ['issuer', { issuer: 'https://user:pass@idp.example' }],
    ['issuer', { issuer: 'https://idp.example/?a=b' }],
    ['issuer', { issuer: 'https://idp.example/#x' }],
    ['issuer', { issuer: 'ftp://idp.example' }],
    ['clientId', { clientId: ' x' }],
    ['clientSecret', { clientSecret: 'x\ny' }],
    ['scopes[0]', { scopes: ['a b'] }],
    ['domains[1]', { domains: ['a.example', 'a b.example'] }],
    ['domains[0]', { domains: ['localhost'] }],
    ['domains[0]', { domains: ['*.example.com'] }],
    ['roleMap[0].role', { roleMap: [{ claim: 'groups', value: 'x', role: 'owner' }] }],
    ['roleMap[0].role', { roleMap: [{ claim: 'groups', value: 'x', role: 'bot' }] }],
    ['roleMap[0].claim', { roleMap: [{ claim: 'a..b', value: 'x', role: 'agent' }] }],
    ['roleMap[0].claim', { roleMap: [{ claim: '', value: 'x', role: 'agent' }] }],
    ['roleMap[0].value', { roleMap: [{ claim: 'groups', role: 'agent' }] }],
    ['roleMap[0].channels[0]', { roleMap: [{ claim: 'groups', value: 'x', role: 'agent', channels: ['x'] }] }],
    ['roleMap[0].more', { roleMap: [{ claim: 'groups', value: 'x', role: 'agent', more: 1 }] }],
    ['defaultRole', { defaultRole: 'owner' }],
    ['createUsers', { createUsers: 'yes' }],
    ['maxSessionHours', { maxSessionHours: 0 }],
    ['maxSessionHours', { maxSessionHours: 1.5 }],
    ['other', { other: 1 }],
  ])('refuse %s of %j', async (field, wrong) => {
    expect((await refusal(params(wrong))).field).toBe(`params.${field}`)
  })

  it('refuse a provider that calls itself otherwise, and one that is not there', async () => {
    const { port } = new URL(provider.issuer)
    expect(await refusal(params({ issuer: `http://localhost:${port}` }))).toMatchObject({
      field: 'params.issuer',
      message: expect.stringContaining(`calls itself "${provider.issuer}"`),
    })
    expect((await refusal(params({ issuer: 'http://127.0.0.1:1' }))).field).toBe('params.issuer')
    const guarded = await startTestServer({ PUBLIC_URL }, { beside: server })
    const { errors } = await guarded.gql(admin, CREATE, {
      input: { type: 'oidc', params: params({ issuer: 'https://127.0.0.1' }) },
    })
    expect(errors![0]!.message).toContain('the address is private or reserved')
    await guarded.close()
  })

  it('refuse a channel that is not of the organization, or that the writer does not see', async () => {
    const foreign = await server.makeContactCenter()
    const made = await server.gql(foreign.owner, 'mutation { createChannel(input: { name: "C" }) { id } }')
    const roleMap = [{ claim: 'groups', value: 'x', role: 'agent', channels: [made.data.createChannel.id] }]
    const { errors } = await server.gql(admin, CREATE, { input: { type: 'oidc', params: params({ roleMap }) } })
    expect(errors![0]!.extensions).toMatchObject({ code: 'NOT_FOUND', field: 'params.roleMap[0].channels[0]' })
  })

  it('choose the return address by what the provider says of itself', async () => {
    const silent = await startIdentityProvider({ discovery: { authorization_response_iss_parameter_supported: false } })
    const own = await server.gql(admin, CREATE, { input: { type: 'oidc', params: { issuer: silent.issuer } } })
    expect(own.data.createService.params).toEqual({ issuer: silent.issuer, ownReturn: true })
    const { id } = own.data.createService as { id: string }
    const { data } = await server.gql(
      admin,
      'query ($id: ID!) { signInAddresses(service: $id) { start redirect logout } service(id: $id) { settings { ... on OidcSettings { issuer ownReturn clientId } } } }',
      { id },
    )
    expect(data).toEqual({
      signInAddresses: {
        start: `${PUBLIC_URL}/sso/${id}/start`,
        redirect: `${PUBLIC_URL}/sso/return/${id}`,
        logout: `${PUBLIC_URL}/sso/${id}/logout`,
      },
      service: { settings: { issuer: silent.issuer, ownReturn: true, clientId: null } },
    })
    // Not registered yet.
    const start = await browserAt(server).ask(new URL(`${PUBLIC_URL}/sso/${id}/start`), { headers: { accept: '*/*' } })
    expect(start.status).toBe(404)
    const forced = await server.gql(admin, UPDATE, {
      id,
      patch: { params: { issuer: silent.issuer, ownReturn: false } },
    })
    expect(forced.errors![0]!.extensions.field).toBe('params.ownReturn')
    await silent.close()
    // It is not asked again while the issuer stays.
    const kept = await server.gql(admin, UPDATE, { id, patch: { params: { issuer: silent.issuer, clientId: 'x' } } })
    expect(kept.data.updateService.params).toEqual({ issuer: silent.issuer, clientId: 'x', ownReturn: true })
  })

  it('seal the secret, show it once, and keep it for the same application alone', async () => {
    const id = await makeProvider(server, admin, provider)
    const [row] = await server.server.database.query<{ row: string }>(
      'select s::text as row from service s where id = $1',
      [id],
    )
    expect(row!.row).not.toContain(provider.client.clientSecret)
    const shown = await server.gql(admin, 'query ($id: ID!) { service(id: $id) { params } }', { id })
    expect(shown.data.service.params).toMatchObject({ clientId: provider.client.clientId, clientSecret: '********' })
    const masked = { issuer: provider.issuer, clientSecret: '********' }
    const moved = await server.gql(admin, UPDATE, { id, patch: { params: { ...masked, clientId: 'another' } } })
    expect(moved.errors![0]!.extensions.field).toBe('params.clientSecret')
    const same = await server.gql(admin, UPDATE, {
      id,
      patch: { params: { ...masked, clientId: provider.client.clientId, createUsers: true } },
    })
    expect(same.data.updateService.params).toMatchObject({ createUsers: true, clientSecret: '********' })
  })
})
