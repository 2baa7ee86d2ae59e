import { freePort } from '../../../bench/chaos/free-port.js'
import type { MadeUser } from '../../support/factories.js'
import { makeProvider, verifyDomain } from '../../sso/sso-fixture.js'
import type { IdentityProvider } from '../../sso/identity-provider.js'
import type { Tab, TabOptions } from './browser.js'
import type { World } from './in-browser.js'
import { signIn } from './office.js'

/** The domain of the office's users. */
export const DOMAIN = 'harbour.example'

/** Makes the environment of a server that is found where it says it is: on another site than the provider, which is at 127.0.0.1. */
export async function publicEnv(): Promise<Record<string, string> & { PUBLIC_URL: string }> {
  const port = await freePort()
  return { PORT: String(port), PUBLIC_URL: `http://localhost:${port}`, WEBHOOK_ALLOW_PRIVATE: 'true' }
}

/** Adds a provider to the office, for its domain. People are known there by their emails. @returns its id */
export async function addProvider(
  { office }: World,
  provider: IdentityProvider,
  { name, ...params }: { name: string } & Record<string, unknown>,
): Promise<string> {
  const id = await makeProvider(office, office.owner, provider, { domains: [DOMAIN], ...params })
  const named = await office.gql(
    office.owner,
    'mutation ($id: ID!, $name: String!) { updateService(id: $id, patch: { name: $name }) { id } }',
    { id, name },
  )
  if (named.errors) throw new Error(named.errors[0]!.message)
  return id
}

/** The office owns its domain, and the provider knows these people by their emails. */
export async function knowPeople(world: World, provider: IdentityProvider, people: readonly string[]): Promise<void> {
  await verifyDomain(world.office, world.office.organization, DOMAIN)
  for (const email of people) provider.people.set(email, { email, email_verified: true, name: email.split('@')[0] })
}

/** Opens the console where the server says it is, and signs in there by the password. */
export async function openPublicConsole(
  world: World,
  publicUrl: string,
  who: MadeUser,
  path: string,
  options: Omit<TabOptions, 'url'> = {},
): Promise<Tab> {
  const tab = await world.open(`${publicUrl}/console`, options)
  await signIn(tab.page, who)
  await tab.page.goto(`${publicUrl}/console${path}`)
  return tab
}
