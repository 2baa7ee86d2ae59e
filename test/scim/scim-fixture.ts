import { expect } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { startIdentityProvider, type IdentityProvider } from '../sso/identity-provider.js'
import { makeProvider, PUBLIC_URL, verifyDomain } from '../sso/sso-fixture.js'

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

export interface ScimReply {
  status: number
  headers: Headers
  // The tests state what they expect of it.
  body: any // oxlint-disable-line typescript/no-explicit-any
}

/** A provider that keeps users here, as its HTTP client. */
export interface ScimClient {
  service: string
  /** Emails of this domain are the provider's. */
  domain: string
  token: string
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ScimReply>
  patch(path: string, ...operations: Record<string, unknown>[]): Promise<ScimReply>
  /** Makes a user. @returns its resource */
  make(more?: Record<string, unknown>): Promise<ScimReply['body']>
}

export const SCIM_ENV = { PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true' }

/** A contact center with an administrator, and an identity provider in reach of its server. */
export interface ScimWorld {
  server: TestServer
  idp: IdentityProvider
  center: MadeOrganization & { owner: MadeUser }
  admin: MadeUser
  /** Makes a provider of the contact center with a verified domain and a token. */
  makeScim(params?: Record<string, unknown>): Promise<ScimClient>
  startIdentityProvider(): Promise<IdentityProvider>
  close(): Promise<void>
}

export async function startScimWorld(env: Record<string, string> = {}): Promise<ScimWorld> {
  const server = await startTestServer({ ...SCIM_ENV, ...env })
  const startProvider = () => startIdentityProvider({ place: (url) => url.replace(PUBLIC_URL, server.url) })
  const idp = await startProvider()
  const center = await server.makeContactCenter()
  const admin = await server.makeUser({ organization: center, role: 'admin' })
  return {
    ...{ server, idp, center, admin },
    makeScim: (params) => makeScim(server, admin, idp, center, params),
    startIdentityProvider: startProvider,
    async close() {
      await server.close()
      await idp.close()
    },
  }
}

const CREATE =
  'mutation ($service: ID!, $hours: Int) { createScimToken(service: $service, overlapHours: $hours) { id token } }'

export async function makeToken(
  server: TestServer,
  as: MadeUser,
  service: string,
  hours = 0,
): Promise<{ id: string; token: string }> {
  const { data, errors } = await server.gql(as, CREATE, { service, hours })
  expect(errors).toBeUndefined()
  return data.createScimToken
}

/** Makes a provider with a verified domain and a token. @param at the node that is asked */
export async function makeScim(
  server: TestServer,
  as: MadeUser,
  provider: IdentityProvider,
  organization: MadeOrganization,
  params: Record<string, unknown> = {},
  at: TestServer = server,
): Promise<ScimClient> {
  const domain = `d${crypto.randomUUID().slice(0, 8)}.example`
  const service = await makeProvider(server, as, provider, { domains: [domain], ...params }, organization)
  await verifyDomain(server, organization, domain)
  const { token } = await makeToken(server, as, service)
  return clientOf(at, { service, token, domain })
}

export function clientOf(
  server: TestServer,
  { service, token, domain }: Pick<ScimClient, 'service' | 'token' | 'domain'>,
): ScimClient {
  const ask: ScimClient['ask'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${server.url}/scim/v2/${service}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    if (text) expect(response.headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null }
  }
  return {
    service,
    token,
    domain,
    ask,
    patch: (path, ...operations) => ask('PATCH', path, { schemas: [PATCH_OP], Operations: operations }),
    async make(more = {}) {
      const name = `u${crypto.randomUUID().slice(0, 13)}`
      const person = { schemas: [USER], userName: `${name}@${domain}`, active: true, ...more }
      const { status, body } = await ask('POST', '/Users', person)
      expect({ status, detail: body.detail }).toEqual({ status: 201, detail: undefined })
      return body
    },
  }
}
