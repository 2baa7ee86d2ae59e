import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { hasSimpleSamlPhp, startSimpleSamlPhp, type SimpleSamlPhp } from './simplesamlphp.js'
import { browserAt, PUBLIC_URL, tokenOf } from './sso-fixture.js'

const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id params } }'
const ADDRESSES = 'query ($service: ID!) { signInAddresses(service: $service) { redirect metadata } }'

if (!hasSimpleSamlPhp) {
  process.stderr.write('*** simplesamlphp and php-cli are not installed: sign-ins by it are NOT TESTED ***\n')
}

/** Values of a form of a page. */
function fieldsOf(page: string): URLSearchParams {
  const inputs = [...page.matchAll(/<input[^>]*>/g)].map(([input]) => input)
  const value = (input: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1]
  const decoded = (text: string): string =>
    text.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code))).replaceAll('&amp;', '&')
  return new URLSearchParams(
    inputs.flatMap((input) => {
      const name = value(input, 'name')
      return name === undefined ? [] : [[name, decoded(value(input, 'value') ?? '')] as [string, string]]
    }),
  )
}

;(hasSimpleSamlPhp ? describe : describe.skip)('SimpleSAMLphp', () => {
  let server: TestServer
  let provider: SimpleSamlPhp
  let center: MadeOrganization & { owner: MadeUser }

  beforeAll(async () => {
    server = await startTestServer({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true' })
    provider = await startSimpleSamlPhp({
      'ann:secret': {
        uid: ['ann-1'],
        mail: ['ann@ssp.example'],
        displayName: ['Ann & Co'],
        groups: ['staff', 'support'],
      },
    })
    center = await server.makeContactCenter()
  })
  afterAll(async () => {
    await provider.close()
    await server.close()
  })

  it('signs a person in whom its metadata let us know', async () => {
    const saml = {
      metadataUrl: provider.metadata,
      createUsers: true,
      roleMap: [{ claim: 'groups', value: 'support', role: 'AGENT' }],
    }
    const made = await server.gql(center.owner, CREATE, { input: { type: 'saml', settings: { saml } } })
    expect(made.errors).toBeUndefined()
    const { id, params } = made.data.createService as { id: string; params: Record<string, unknown> }
    expect(params.issuer).toBe(provider.metadata)
    const { data } = await server.gql(center.owner, ADDRESSES, { service: id })
    const { redirect, metadata } = data.signInAddresses as { redirect: string; metadata: string }
    provider.register({ entity: metadata, consumer: redirect })
    const browser = browserAt(server)
    const login = await browser.open(`${PUBLIC_URL}/sso/${id}/start`)
    expect(login.status).toBe(200)
    const body = fieldsOf(login.text)
    body.set('username', 'ann')
    body.set('password', 'secret')
    const answered = await browser.open(login.url, undefined, { method: 'POST', body })
    const form = fieldsOf(answered.text)
    expect(form.get('SAMLResponse')).not.toBeNull()
    // The page of another site posts it: without the cookie of the browser.
    const posted = await fetch(new URL(new URL(redirect).pathname, server.url), {
      method: 'POST',
      body: form,
      redirect: 'manual',
    })
    expect(posted.status).toBe(303)
    const { url } = await browser.open(new URL(posted.headers.get('location')!, PUBLIC_URL), ({ pathname }) =>
      pathname.startsWith('/console'),
    )
    expect(url.pathname + url.search).toBe('/console')
    const session = (await tokenOf(browser))!
    const read = await server.gql(center.owner, 'query ($id: ID!) { user(id: $id) { email role displayName } }', {
      id: session.user,
    })
    expect(read.data.user).toEqual({ email: 'ann@ssp.example', role: 'AGENT', displayName: 'Ann & Co' })
  })
})
