import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { JsonObject } from '../../../src/platform/json.js'
import { Browser } from '../../sso/browser.js'
import type { MadeOrganization, MadeUser } from '../../support/factories.js'
import { storedParams } from '../../support/stored-params.js'
import { startTestServer, type TestServer } from '../../support/test-server.js'
import { until } from '../../support/until.js'
import { CLIENT, startMailProvider, type MailProvider } from './mail-provider.js'

const PUBLIC_URL = 'http://localhost:4999'
const ENV = { PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true' }
const ACCOUNT = 'support@harbour.example'
const AUTHORIZE = 'mutation ($service: ID!) { authorizeService(service: $service) { url } }'
const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
const UPDATE = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
const DELETE = 'mutation ($id: ID!) { deleteService(id: $id) }'

let app: TestServer
/** Another node. */
let other: TestServer
let provider: MailProvider
let center: MadeOrganization
let admin: MadeUser
beforeAll(async () => {
  provider = await startMailProvider(ACCOUNT)
  app = await startTestServer(ENV)
  other = await startTestServer(ENV, { beside: app })
  center = await app.makeOrganization({ name: 'Harbour' })
  admin = await app.makeUser({ organization: center, role: 'admin' })
})
afterAll(async () => {
  await other.close()
  await app.close()
  await provider.close()
})
afterEach(async () => {
  provider.reset()
  await app.server.database.query('delete from service')
})

const paramsOf = (more: object = {}): JsonObject => ({
  address: ACCOUNT,
  user: ACCOUNT,
  access: 'microsoft',
  tokenUrl: provider.tokenUrl,
  ...CLIENT,
  ...more,
})
/** Makes a service that is not read, so that its server of tokens is asked by nobody else. */
async function make(more: object = {}, status = 'INACTIVE'): Promise<string> {
  const input = { type: 'mailbox', status, params: paramsOf(more) }
  const { data, errors } = await app.gql(admin, CREATE, { input })
  expect(errors).toBeUndefined()
  return data.createService.id
}
async function change(id: string, patch: object): Promise<void> {
  const { errors } = await app.gql(admin, UPDATE, { id, patch })
  expect(errors).toBeUndefined()
}
const browserAt = (server = app): Browser => new Browser({ [PUBLIC_URL]: server.url })

/** Asks in a browser, and goes to the provider and back. @returns the address with its answer, before the product takes it */
async function answerFor(browser: Browser, service: string, as: MadeUser = admin): Promise<URL> {
  const response = await browser.ask(new URL(`${PUBLIC_URL}/graphql`), {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: `Bearer ${await app.tokenFor(as)}`,
    },
    body: JSON.stringify({ query: AUTHORIZE, variables: { service } }),
  })
  const { data, errors } = (await response.json()) as { data: { authorizeService: { url: string } }; errors?: unknown }
  expect(errors).toBeUndefined()
  const { url } = await browser.open(data.authorizeService.url, ({ origin }) => origin === PUBLIC_URL)
  return url
}
/** Gives the answer to the product. @returns what the console is told of it */
async function take(browser: Browser, answer: URL | string): Promise<Record<string, string>> {
  const { url } = await browser.open(answer, ({ pathname }) => pathname.startsWith('/console'))
  expect(`${url.origin}${url.pathname}${url.search}`).toBe(`${PUBLIC_URL}/console/admin/services`)
  expect(url.hash).toMatch(/^#authorization=/)
  return Object.fromEntries(new URLSearchParams(url.hash.slice('#authorization='.length)))
}
async function authorize(service: string, browser = browserAt()): Promise<Record<string, string>> {
  return take(browser, await answerFor(browser, service))
}
const refreshTokenOf = async (service: string): Promise<unknown> =>
  (await storedParams(app.server, service)).refreshToken
const attempts = (): Promise<{ row: string }[]> =>
  app.server.database.query('select a::text as row from service_authorization a')

describe('a sign-in for a mailbox', () => {
  it('takes a grant that names its scopes as the provider does', async () => {
    const service = await make()
    provider.answer = { scope: 'profile openid email https://outlook.office365.com/IMAP.AccessAsUser.All' }
    expect(await authorize(service)).toEqual({ service })
  })

  it('stores the grant, sealed, with its event and who did it', async () => {
    const service = await make()
    expect(await authorize(service)).toEqual({ service })
    const [refresh] = provider.given.slice(-1)
    expect(await refreshTokenOf(service)).toBe(refresh)
    const rows = await app.server.database.query<{ all: string }>(
      `select concat(s::text, (select string_agg(e::text, '') from event e), (select string_agg(a::text, '') from audit_entry a)) as all
       from service s where id = $1`,
      [service],
    )
    for (const secret of [refresh!, CLIENT.clientSecret]) expect(rows[0]!.all).not.toContain(secret)
    const audited = await app.server.database.query<{ actor: JsonObject; object: JsonObject }>(
      `select actor, object from audit_entry where action = 'authorizeService' order by at`,
    )
    expect(audited.at(-1)).toEqual({
      actor: { kind: 'user', id: admin.id },
      object: { type: 'service', id: service },
    })
    const events = await app.server.database.query<{ type: string }>(
      `select type from event where data ->> 'id' = $1 order by number`,
      [service],
    )
    expect(events.map(({ type }) => type)).toEqual(['service.created', 'service.updated'])
  })

  it('asks for what the provider needs, with PKCE, and keeps nothing that opens anything', async () => {
    const service = await make()
    const browser = browserAt()
    const answer = await answerFor(browser, service)
    const query = Object.fromEntries(provider.asked.at(-1)!)
    expect(query).toMatchObject({
      response_type: 'code',
      client_id: CLIENT.clientId,
      redirect_uri: `${PUBLIC_URL}/services/authorized`,
      code_challenge_method: 'S256',
      login_hint: ACCOUNT,
      scope: expect.stringMatching(/^offline_access openid email .*IMAP\.AccessAsUser\.All .*SMTP\.Send$/),
    })
    const [stored] = await attempts()
    const [cookie] = browser.cookies(PUBLIC_URL)
    for (const secret of [query.state!, query.nonce!, cookie!.value, CLIENT.clientSecret]) {
      expect(stored!.row).not.toContain(secret)
    }
    await take(browser, answer)
    expect(await attempts()).toEqual([])
    expect(provider.forms.at(-1)!.get('code_verifier')).toMatch(/^[\w-]{43}$/)
  })

  it('works with an application without a secret, which nobody can use before', async () => {
    const service = await make({ clientSecret: null })
    const test = 'mutation ($service: ID!) { testService(service: $service) { ok message } }'
    expect((await app.gql(admin, test, { service })).data.testService).toEqual({
      ok: false,
      message: 'nobody has signed in at the provider for it yet',
    })
    expect(await authorize(service)).toEqual({ service })
    expect(provider.forms.at(-1)!.has('client_secret')).toBe(false)
  })

  it('leads to Google with what makes its grants last', async () => {
    const service = await make({ access: 'google', tokenUrl: null })
    const response = await app.gql(admin, AUTHORIZE, { service })
    const url = new URL(response.data.authorizeService.url)
    expect(`${url.origin}${url.pathname}`).toBe('https://accounts.google.com/o/oauth2/v2/auth')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      scope: 'https://mail.google.com/ openid email',
      access_type: 'offline',
      prompt: 'consent',
    })
  })

  it('may end at another node than the one that was asked', async () => {
    const service = await make()
    const browser = browserAt()
    const answer = await answerFor(browser, service)
    const elsewhere = browserAt(other)
    for (const { name, value } of browser.cookies(PUBLIC_URL)) {
      elsewhere.keep(new URL(PUBLIC_URL), `${name}=${value}; Path=/`)
    }
    expect(await take(elsewhere, answer)).toEqual({ service })
    expect(await refreshTokenOf(service)).toBe(provider.given.at(-1))
  })

  it('is not refused because its mailbox fails meanwhile', async () => {
    const service = await make({}, 'ACTIVE')
    const browser = browserAt()
    const answer = await answerFor(browser, service)
    const status = async (): Promise<string> =>
      (await app.gql(admin, 'query ($id: ID!) { service(id: $id) { status } }', { id: service })).data.service.status
    await until(status, (found) => found === 'FAILING')
    expect(await take(browser, answer)).toEqual({ service })
    // It is read at once, by the new grant.
    const refresh = provider.given.at(-1)
    await until(
      async () => provider.forms.map((form) => form.get('refresh_token')),
      (all) => all.includes(refresh!),
    )
    expect(await refreshTokenOf(service)).toBe(refresh)
  })

  it('of two tabs grants by the one that comes back first', async () => {
    const service = await make()
    const browser = browserAt()
    const [first, second] = [await answerFor(browser, service), await answerFor(browser, service)]
    expect(await take(browser, second)).toEqual({ service })
    // The settings are others by then.
    expect(await take(browser, first)).toEqual({ service, fault: 'CHANGED' })
  })
})

describe('an answer of a provider', () => {
  const NOT_BEGUN = { fault: 'NOT_BEGUN' }

  it.each([
    ['in another browser', async (_browser: Browser, answer: URL) => take(browserAt(), answer)],
    [
      'with another state',
      async (browser: Browser, answer: URL) => {
        answer.searchParams.set('state', 'a'.repeat(43))
        return take(browser, answer)
      },
    ],
    [
      'without a state',
      async (browser: Browser, answer: URL) => {
        answer.searchParams.delete('state')
        return take(browser, answer)
      },
    ],
    [
      'too late',
      async (browser: Browser, answer: URL) => {
        app.clock.advance(601_000)
        return take(browser, answer)
      },
    ],
    [
      'of a service that was deleted',
      async (browser: Browser, answer: URL, service: string) => {
        await app.gql(admin, DELETE, { id: service })
        return take(browser, answer)
      },
    ],
    [
      'that is too long',
      async (browser: Browser, answer: URL) => take(browser, `${answer.href}&more=${'x'.repeat(9_000)}`),
    ],
  ])('is not taken %s', async (_which, attack) => {
    const service = await make()
    const browser = browserAt()
    const forms = provider.forms.length
    expect(await attack(browser, await answerFor(browser, service), service)).toEqual(NOT_BEGUN)
    expect(provider.forms).toHaveLength(forms)
  })

  it('is taken once', async () => {
    const service = await make()
    const browser = browserAt()
    const answer = await answerFor(browser, service)
    const both = await Promise.all([take(browser, answer), take(browser, answer)])
    expect(both).toContainEqual({ service })
    expect(both).toContainEqual(NOT_BEGUN)
    expect(await take(browser, answer)).toEqual(NOT_BEGUN)
  })

  it.each([
    ['changed', (id: string) => change(id, { params: paramsOf({ fromName: 'The harbour' }) })],
    ['made one of another type', (id: string) => change(id, { type: 'sms', params: {} })],
  ])('grants nothing to a service that was %s meanwhile', async (_which, meddle) => {
    const service = await make()
    const browser = browserAt()
    const answer = await answerFor(browser, service)
    await meddle(service)
    expect(await take(browser, answer)).toEqual({ service, fault: 'CHANGED' })
    expect(await refreshTokenOf(service)).toBeUndefined()
  })

  it.each([
    ['changed', 'CHANGED', (id: string) => change(id, { params: paramsOf({ fromName: 'The harbour' }) })],
    ['deleted', 'NOT_ALLOWED', (id: string) => app.gql(admin, DELETE, { id })],
  ])(
    'loses against an administrator who has %s the service while the code was redeemed',
    async (_which, fault, act) => {
      const service = await make()
      const browser = browserAt()
      const answer = await answerFor(browser, service)
      provider.before = () => act(service)
      expect(await take(browser, answer)).toEqual({ service, fault })
    },
  )

  it('grants nothing once who asked may not change services any more, or has signed out', async () => {
    const service = await make()
    const sql = app.server.database
    for (const end of [
      `update app_user set role = 'agent' where id = $1`,
      `update app_user set status = 'archived' where id = $1`,
      'update token_family set revoked_at = now() where user_id = $1',
      'delete from token_family where user_id = $1',
    ]) {
      const asker = await app.makeUser({ organization: center, role: 'admin' })
      const browser = browserAt()
      const answer = await answerFor(browser, service, asker)
      await sql.query(end, [asker.id])
      expect(await take(browser, answer)).toEqual({ service, fault: 'NOT_ALLOWED' })
    }
    expect(await refreshTokenOf(service)).toBeUndefined()
  })

  it('grants nothing once who asked lost the right or signed out while the code was redeemed', async () => {
    const service = await make()
    for (const end of [
      `update app_user set role = 'agent' where id = $1`,
      'update token_family set revoked_at = now() where user_id = $1',
    ]) {
      const asker = await app.makeUser({ organization: center, role: 'admin' })
      const browser = browserAt()
      const answer = await answerFor(browser, service, asker)
      provider.before = () => app.server.database.query(end, [asker.id])
      expect(await take(browser, answer)).toEqual({ service, fault: 'NOT_ALLOWED' })
    }
    expect(await refreshTokenOf(service)).toBeUndefined()
  })

  it('says of a refusal only its name, never words of others', async () => {
    const service = await make()
    for (const [error, shown] of [
      ['access_denied', { error: 'access_denied' }],
      ['<script>alert(1)</script>', {}],
    ] as const) {
      provider.refusal = { error, error_description: '<img src=x onerror=alert(1)> call 555-1234' }
      expect(await authorize(service)).toEqual({ service, fault: 'REFUSED', ...shown })
    }
  })

  it('leads nowhere but to the console', async () => {
    const service = await make()
    provider.refusal = { error: 'access_denied', redirect: 'https://evil.example', page: '//evil.example' }
    expect(await authorize(service)).toMatchObject({ fault: 'REFUSED' })
    for (const query of ['', '?state=//evil.example', '?code=1&redirect_uri=https://evil.example']) {
      expect(await take(browserAt(), `${PUBLIC_URL}/services/authorized${query}`)).toEqual(NOT_BEGUN)
    }
  })
})

describe('tokens of a provider', () => {
  it.each([
    [
      'of another account',
      { account: 'boss@harbour.example' },
      { fault: 'OTHER_ACCOUNT', account: 'boss@harbour.example', expected: ACCOUNT },
    ],
    ['without a refresh token', { answer: { refresh_token: undefined } }, { fault: 'NO_GRANT' }],
    ['for less than the mail', { answer: { scope: 'openid email' } }, { fault: 'SCOPE_MISSING' }],
    ['without an ID token', { answer: { id_token: undefined } }, { fault: 'ANSWER_INVALID' }],
    ['with an ID token that is none', { answer: { id_token: 'a.b.c' } }, { fault: 'ANSWER_INVALID' }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }, { fault: 'ANSWER_INVALID' }],
    ['for another application', { claims: { aud: 'another' } }, { fault: 'ANSWER_INVALID' }],
    ['of another attempt', { claims: { nonce: 'another' } }, { fault: 'ANSWER_INVALID' }],
    ['that have expired', { claims: { exp: 1_700_000_000 } }, { fault: 'ANSWER_INVALID' }],
    ['that name nobody', { claims: { preferred_username: '<b>' } }, { fault: 'ANSWER_INVALID' }],
    ['that cannot be stored', { answer: { refresh_token: 'a b' } }, { fault: 'NO_GRANT' }],
    ['while it is away', { status: 503 }, { fault: 'UNAVAILABLE' }],
  ])('are refused %s', async (_which, change, outcome) => {
    const service = await make()
    Object.assign(provider, change)
    expect(await authorize(service)).toEqual({ service, ...outcome })
    expect(await refreshTokenOf(service)).toBeUndefined()
  })

  it('are taken for the account in other letters, or by the other claim', async () => {
    const service = await make()
    provider.account = 'Support@Harbour.Example'
    expect(await authorize(service)).toEqual({ service })
    provider.claims = { preferred_username: 'alias@harbour.example', email: ACCOUNT }
    expect(await authorize(service)).toEqual({ service })
  })

  it('are refused with a wrong secret, by the name of the error alone', async () => {
    const service = await make({ clientSecret: 'a-wrong-one' })
    expect(await authorize(service)).toEqual({ service, fault: 'REFUSED', error: 'invalid_client' })
  })
})

describe('authorizeService', () => {
  it.each([
    ['access', { access: null, host: 'imap.harbour.example' }],
    ['clientId', { clientId: null, clientSecret: null, tokenUrl: null, password: 'a password' }],
    ['tokenUrl', { tokenUrl: 'https://login.evil.example/token' }],
    ['tokenUrl', { tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/other' }],
    ['scope', { scope: 'https://elsewhere.example/mail' }],
    ['access', null],
  ])('names params.%s, which does not fit', async (key, more) => {
    const input = { type: 'mailbox', status: 'INACTIVE', params: more === null ? {} : paramsOf(more) }
    const { data } = await app.gql(admin, CREATE, { input })
    const { errors } = await app.gql(admin, AUTHORIZE, { service: data.createService.id })
    expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: `params.${key}` })
  })

  it('is refused for other types, and without the right', async () => {
    const input = { type: 'sms', status: 'INACTIVE', params: {} }
    const sms = (await app.gql(admin, CREATE, { input })).data.createService.id
    expect((await app.gql(admin, AUTHORIZE, { service: sms })).errors![0]!.extensions).toMatchObject({
      code: 'UNPROCESSABLE',
      reason: 'NOT_AUTHORIZABLE',
    })
    const service = await make()
    const agent = await app.makeUser({ organization: center })
    const stranger = await app.makeUser({ organization: await app.makeOrganization(), role: 'admin' })
    expect((await app.gql(agent, AUTHORIZE, { service })).errors![0]!.extensions.code).toBe('FORBIDDEN')
    expect((await app.gql(stranger, AUTHORIZE, { service })).errors![0]!.extensions.code).toBe('NOT_FOUND')
    expect(await attempts()).toEqual([])
  })

  it('sets a cookie that scripts cannot read, of this host alone', async () => {
    const secure = await startTestServer({ ...ENV, PUBLIC_URL: 'https://chat.example' }, { beside: app })
    try {
      const service = await make()
      const response = await fetch(`${secure.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${await app.tokenFor(admin)}` },
        body: JSON.stringify({ query: AUTHORIZE, variables: { service } }),
      })
      expect(response.headers.get('set-cookie')).toMatch(
        /^__Host-switchboard_sso=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      )
      const other = await fetch(`${secure.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${await app.tokenFor(admin)}` },
        body: JSON.stringify({ query: '{ me { id } }' }),
      })
      expect(other.headers.get('set-cookie')).toBeNull()
    } finally {
      await secure.close()
    }
  })

  it('is allowed 60 times an hour for a service', async () => {
    const service = await make()
    const codes: unknown[] = []
    for (let time = 0; time < 61; time++) {
      codes.push((await app.gql(admin, AUTHORIZE, { service })).errors?.[0]?.extensions.code ?? null)
    }
    expect(codes.indexOf('RATE_LIMITED')).toBe(60)
  })
})
