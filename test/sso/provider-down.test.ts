import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { startIdentityProvider, type IdentityProvider } from './identity-provider.js'
import { answerFor, browserAt, makeProvider, PASSWORD, PUBLIC_URL, signInAt, tokenOf } from './sso-fixture.js'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const OPEN = { createUsers: true, defaultRole: 'agent' }
const json = { 'content-type': 'application/json' }

let server: TestServer
let good: IdentityProvider
let bad: IdentityProvider
let center: MadeOrganization & { owner: MadeUser }
let admin: MadeUser
let goodService: string
let badService: string

beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true' })
  good = await startIdentityProvider({ clientId: 'good' })
  bad = await startIdentityProvider({ clientId: 'bad' })
  center = await server.makeContactCenter()
  admin = await server.makeUser({ organization: center, role: 'admin', password: PASSWORD })
  good.people.set('ann', { email: 'ann@good.example' })
  bad.people.set('bob', { email: 'bob@bad.example' })
  goodService = await makeProvider(server, admin, good, OPEN)
  badService = await makeProvider(server, admin, bad, OPEN)
})
afterAll(async () => {
  bad.instead = null
  await server.close()
  await good.close()
  await bad.close()
})

const large = '{'.padEnd(10 * 1024 * 1024, ' ')
const held: ServerResponse[] = []
const FAULTS: Record<string, Handler> = {
  'cuts the connection': (request) => void request.socket.destroy(),
  'answers an error': (_, response) => void response.writeHead(500).end('oops'),
  'answers a page': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>'),
  'answers garbage': (_, response) => void response.writeHead(200, json).end('{"issuer":'),
  'answers 10 MB': (_, response) => void response.writeHead(200, json).end(large),
  redirects: (_, response) => void response.writeHead(302, { location: good.issuer }).end(),
  'answers nothing': (_, response) => void held.push(response),
}

describe('a provider that is away', () => {
  it.each(Object.keys(FAULTS))('and %s leaves the others and who is signed in alone', async (name) => {
    const browser = browserAt(server)
    bad.instead = null
    await signInAt(browser, badService, 'bob')
    expect(await tokenOf(browser)).not.toBeNull()
    const answer = await answerFor(browser, badService, 'bob')
    bad.instead = FAULTS[name]!
    const finished = browser.open(answer, ({ pathname }) => pathname === '/console')
    // Meanwhile the others go on, and so does who is signed in by it.
    const other = browserAt(server)
    expect(await signInAt(other, goodService, 'ann')).toEqual({ path: '/console', reason: null })
    expect((await server.gql(null, SIGN_IN, { email: admin.email, password: PASSWORD })).errors).toBeUndefined()
    const session = await tokenOf(browser)
    expect((await server.gql(session!.token, '{ me { email } }')).data.me.email).toBe('bob@bad.example')
    const reason = (await finished).url.searchParams.get('refused')
    expect(['PROVIDER_UNAVAILABLE', 'PROVIDER_REFUSED']).toContain(reason)
    for (const response of held.splice(0)) response.socket?.destroy()
  })

  it('can be neither begun with nor set up while nothing is known of it, and can again at once', async () => {
    const fresh = await startIdentityProvider({ clientId: 'fresh' })
    fresh.people.set('cleo', { email: 'cleo@fresh.example' })
    const service = await makeProvider(server, admin, fresh, OPEN)
    fresh.instead = FAULTS['answers an error']!
    expect((await signInAt(browserAt(server), service, 'cleo')).reason).toBe('PROVIDER_UNAVAILABLE')
    const program = await browserAt(server).ask(new URL(`${PUBLIC_URL}/sso/${service}/start`), {
      headers: { accept: 'application/json' },
    })
    expect([program.status, program.headers.has('retry-after')]).toEqual([503, true])
    const { errors } = await server.gql(
      admin,
      'mutation ($i: CreateServiceInput!) { createService(input: $i) { id } }',
      {
        i: { type: 'oidc', settings: { oidc: { issuer: fresh.issuer } } },
      },
    )
    expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'settings.oidc.issuer' })
    const tested = await server.gql(admin, 'mutation ($s: ID!) { testService(service: $s) { ok message url } }', {
      s: service,
    })
    expect(tested.data.testService).toMatchObject({ ok: false, url: null })
    fresh.instead = null
    expect((await signInAt(browserAt(server), service, 'cleo')).reason).toBeNull()
    await fresh.close()
  })
})

const SIGN_IN =
  'mutation ($email: String!, $password: String!) { createToken(email: $email, password: $password) { token } }'
