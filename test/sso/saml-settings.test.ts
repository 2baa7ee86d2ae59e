import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { makeKey } from './saml-signer.js'
import { browserAt, PUBLIC_URL } from './sso-fixture.js'

const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id params } }'
const UPDATE = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { params } }'
const ISSUER = 'https://idp.example/saml'
const key = makeKey()
const other = makeKey()
const settings = { issuer: ISSUER, signOnUrl: 'https://idp.example/sign-on?x=1', certificates: [key.certificate] }

let server: TestServer
let center: MadeOrganization & { owner: MadeUser }
let admin: MadeUser

beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true' })
  center = await server.makeContactCenter()
  admin = await server.makeUser({ organization: center, role: 'admin' })
})
afterAll(() => server.close())

async function make(params: Record<string, unknown>, as = center.owner): Promise<string> {
  const { data, errors } = await server.gql(as, CREATE, { input: { type: 'saml', params } })
  expect(errors).toBeUndefined()
  return (data.createService as { id: string }).id
}

describe('the settings of SAML', () => {
  it.each([
    ['issuer', { issuer: undefined }],
    ['issuer', { issuer: 'a b' }],
    ['signOnUrl', { signOnUrl: 'http://idp.example' }],
    ['signOnUrl', { signOnUrl: 'https://a:b@idp.example' }],
    ['certificates', { certificates: [] }],
    ['certificates[0]', { certificates: ['x y'] }],
    ['certificates[1]', { certificates: [key.certificate, makeKey(1024).certificate] }],
    ['emailAttribute', { emailAttribute: ' mail' }],
    ['maxSessionHours', { maxSessionHours: 0 }],
    ['defaultRole', { defaultRole: 'owner' }],
    ['metadata', { issuer: undefined, signOnUrl: undefined, certificates: undefined, metadata: '<a/>' }],
    ['issuer', { metadata: '<a/>' }],
    [
      'metadataUrl',
      { issuer: undefined, signOnUrl: undefined, certificates: undefined, metadataUrl: 'http://127.0.0.1:1/' },
    ],
    [
      'metadataUrl',
      { issuer: undefined, signOnUrl: undefined, certificates: undefined, metadataUrl: 'http://idp.example/' },
    ],
    ['other', { other: 1 }],
  ])('refuse %s of %j', async (field, wrong) => {
    const input = { type: 'saml', params: { ...settings, ...wrong } }
    const { errors } = await server.gql(center.owner, CREATE, { input })
    expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: `params.${field}` })
  })

  it('are an owner’s as far as they say whom to believe', async () => {
    const { errors } = await server.gql(admin, CREATE, { input: { type: 'saml', params: settings } })
    expect(errors![0]!.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'OWNER_REQUIRED' })
    const id = await make({}, admin)
    expect((await browserAt(server).ask(new URL(`${PUBLIC_URL}/sso/${id}/metadata`))).status).toBe(200)
    expect(
      (await browserAt(server).ask(new URL(`${PUBLIC_URL}/sso/${id}/start`), { headers: { accept: '*/*' } })).status,
    ).toBe(404)
    expect((await server.gql(center.owner, UPDATE, { id, patch: { params: settings } })).errors).toBeUndefined()
    const patch = { params: { ...settings, createUsers: true } }
    expect((await server.gql(admin, UPDATE, { id, patch })).errors).toBeUndefined()
    const more = { params: { ...settings, certificates: [key.certificate, other.certificate] } }
    const refused = await server.gql(admin, UPDATE, { id, patch: more })
    expect(refused.errors![0]!.extensions).toMatchObject({ reason: 'OWNER_REQUIRED', field: 'params.certificates' })
  })

  it('are not read from a private address', async () => {
    const guarded = await startTestServer({ PUBLIC_URL }, { beside: server })
    const input = { type: 'saml', params: { metadataUrl: 'https://127.0.0.1/metadata' } }
    const { errors } = await guarded.gql(center.owner, CREATE, { input })
    expect(errors![0]).toMatchObject({
      message: expect.stringContaining('the address is private or reserved'),
      extensions: { field: 'params.metadataUrl' },
    })
    await guarded.close()
  })

  it('are read from metadata, and described by one’s own', async () => {
    const bare = key.certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '')
    const metadata = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${ISSUER}"><!-- c --><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${bare}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example/post"/><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example/sign-on"/></md:IDPSSODescriptor></md:EntityDescriptor>`
    const made = await server.gql(center.owner, CREATE, { input: { type: 'saml', settings: { saml: { metadata } } } })
    const { id, params } = made.data.createService as { id: string; params: unknown }
    expect(params).toEqual({ ...settings, signOnUrl: 'https://idp.example/sign-on', maxSessionHours: 12 })
    const hostile = `<!DOCTYPE x [<!ENTITY a "b">]>${metadata}`
    const refused = await server.gql(center.owner, CREATE, { input: { type: 'saml', params: { metadata: hostile } } })
    expect(refused.errors![0]!.extensions).toMatchObject({ field: 'params.metadata' })
    const own = await fetch(`${server.url}/sso/${id}/metadata`)
    expect(own.headers.get('content-type')).toContain('application/samlmetadata+xml')
    const xml = await own.text()
    expect(xml).toContain(`entityID="${PUBLIC_URL}/sso/${id}/metadata"`)
    expect(xml).toContain(`Location="${PUBLIC_URL}/sso/return/${id}"`)
    expect((await fetch(`${server.url}/sso/${crypto.randomUUID()}/metadata`)).status).toBe(404)
    const { data } = await server.gql(
      center.owner,
      'query ($id: ID!) { signInAddresses(service: $id) { redirect logout metadata } service(id: $id) { settings { ... on SamlSettings { issuer maxSessionHours } } } }',
      { id },
    )
    expect(data).toEqual({
      signInAddresses: {
        redirect: `${PUBLIC_URL}/sso/return/${id}`,
        logout: null,
        metadata: `${PUBLIC_URL}/sso/${id}/metadata`,
      },
      service: { settings: { issuer: ISSUER, maxSessionHours: 12 } },
    })
  })
})
