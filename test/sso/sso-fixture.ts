import { expect } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import type { TestServer } from '../support/test-server.js'
import { Browser } from './browser.js'
import type { IdentityProvider } from './identity-provider.js'

export const PUBLIC_URL = 'http://localhost:4999'
export const PASSWORD = 'correct horse battery'

const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
const ADDRESSES = 'query ($service: ID!) { signInAddresses(service: $service) { start redirect logout } }'

/** Makes a provider's service, and registers the application there. @returns its id */
export async function makeProvider(
  server: TestServer,
  as: MadeUser,
  provider: IdentityProvider,
  params: Record<string, unknown> = {},
  organization?: MadeOrganization,
): Promise<string> {
  const input = {
    type: 'oidc',
    name: 'The provider',
    organization: organization?.id,
    params: { issuer: provider.issuer, ...provider.client, ...params },
  }
  const made = await server.gql(as, CREATE, { input })
  expect(made.errors).toBeUndefined()
  const { id } = made.data.createService as { id: string }
  const { data } = await server.gql(as, ADDRESSES, { service: id })
  provider.register(data.signInAddresses)
  return id
}

/** A browser that finds a server at the address that it gives itself. */
export const browserAt = (server: TestServer): Browser => new Browser({ [PUBLIC_URL]: server.url })

export interface SignedIn {
  path: string
  reason: string | null
}

/** Signs a person in. @returns where the browser came to in the console, and why it was refused */
export async function signInAt(browser: Browser, service: string, person: string, more = ''): Promise<SignedIn> {
  const { url } = await browser.open(`${PUBLIC_URL}/sso/${service}/start?hint=${person}${more}`, ({ pathname }) =>
    pathname.startsWith('/console'),
  )
  return { path: `${url.pathname}${url.hash}`, reason: url.searchParams.get('refused') }
}

/** Goes to the provider and back, and stops before the product takes the answer. @returns that address */
export async function answerFor(browser: Browser, service: string, person: string): Promise<URL> {
  const start = `${PUBLIC_URL}/sso/${service}/start?hint=${person}`
  const { url } = await browser.open(start, ({ pathname }) => pathname.startsWith('/sso/return'))
  return url
}

/** The page's token of the browser's session; null without a session. */
export async function tokenOf(browser: Browser): Promise<{ token: string; user: string } | null> {
  const response = await browser.ask(new URL(`${PUBLIC_URL}/console/session`), {
    method: 'POST',
    headers: { origin: PUBLIC_URL, accept: 'application/json' },
  })
  return response.status === 200 ? ((await response.json()) as { token: string; user: string }) : null
}

/** The domain is an organization's, as if its DNS had said so. */
export async function verifyDomain(server: TestServer, { id, path }: MadeOrganization, name: string): Promise<void> {
  await server.server.database.query(
    `insert into domain (id, organization_id, org1, org2, org3, name, verified_at, checked_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, now(), now(), now(), now())`,
    [crypto.randomUUID(), id, path[0], path[1], path[2], name],
  )
}
