import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { IncomingMessage } from 'node:http'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { Browser } from './browser.js'
import { startIdentityProvider, type IdentityProvider } from './identity-provider.js'
import { answerFor, browserAt, makeProvider, PASSWORD, PUBLIC_URL, signInAt, tokenOf } from './sso-fixture.js'

const HTTPS = 'https://chat.example'
const OPEN = { createUsers: true, defaultRole: 'agent' }

let server: TestServer
let provider: IdentityProvider
/** A provider that does not name itself in its answers. */
let silent: IdentityProvider
let center: MadeOrganization & { owner: MadeUser }
let admin: MadeUser
let service: string
let silentService: string

beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL, WEBHOOK_ALLOW_PRIVATE: 'true' })
  provider = await startIdentityProvider()
  silent = await startIdentityProvider({
    clientId: 'silent',
    discovery: { authorization_response_iss_parameter_supported: false },
  })
  center = await server.makeContactCenter()
  admin = await server.makeUser({ organization: center, role: 'admin' })
  for (const each of [provider, silent]) {
    for (const name of ['ann', 'mallory']) each.people.set(name, { email: `${name}@${each.client.clientId}.example` })
  }
  service = await makeProvider(server, admin, provider, OPEN)
  silentService = await makeProvider(server, admin, silent, OPEN)
})
afterAll(async () => {
  await server.close()
  await provider.close()
  await silent.close()
})

/** Gives an answer to the product. @returns why it was refused; null if it opened a session */
async function take(browser: Browser, answer: URL): Promise<string | null> {
  const { url } = await browser.open(answer, ({ pathname }) => pathname === '/console')
  return url.searchParams.get('refused')
}
/** The answer of a provider that does not say who it is. */
async function silentAnswer(browser: Browser): Promise<URL> {
  const answer = await answerFor(browser, silentService, 'ann')
  answer.searchParams.delete('iss')
  return answer
}
const attempts = async (): Promise<number> =>
  (await server.server.database.query<{ count: number }>('select count(*)::int as count from sso_attempt'))[0]!.count
const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> =>
  new URLSearchParams(Buffer.concat((await request.toArray()) as Buffer[]).toString())

describe('an answer', () => {
  it('is taken once', async () => {
    const browser = browserAt(server)
    const answer = await answerFor(browser, service, 'ann')
    expect(await take(browser, answer)).toBeNull()
    expect(await take(browser, answer)).toBe('SIGN_IN_NOT_BEGUN')
    // As by two tabs, or a browser that repeats it.
    const twice = await answerFor(browser, service, 'ann')
    const taken = await Promise.all([take(browser, twice), take(browser, twice)])
    expect(taken.toSorted()).toEqual(['SIGN_IN_NOT_BEGUN', null])
  })

  it('is refused in another browser, and stays good in the right one', async () => {
    const browser = browserAt(server)
    const answer = await answerFor(browser, service, 'ann')
    const foreign = browserAt(server)
    expect(await take(foreign, answer)).toBe('SIGN_IN_NOT_BEGUN')
    await answerFor(foreign, service, 'mallory')
    expect(await take(foreign, answer)).toBe('SIGN_IN_NOT_BEGUN')
    expect(await tokenOf(foreign)).toBeNull()
    expect(await take(browser, answer)).toBeNull()
  })

  it('is refused after ten minutes', async () => {
    const browser = browserAt(server)
    const answer = await answerFor(browser, service, 'ann')
    server.clock.advance(10 * 60_000 + 1)
    expect(await take(browser, answer)).toBe('SIGN_IN_NOT_BEGUN')
    await server.server.maintenance.run()
    expect(await attempts()).toBe(0)
  })

  it('is refused with another state, none, a code of another attempt, or the code of another person', async () => {
    const browser = browserAt(server)
    const [mine, theirs] = [
      await answerFor(browser, service, 'ann'),
      await answerFor(browserAt(server), service, 'mallory'),
    ]
    const changed = (change: (url: URLSearchParams) => void): URL => {
      const url = new URL(mine)
      change(url.searchParams)
      return url
    }
    expect(
      await take(
        browser,
        changed((query) => query.delete('state')),
      ),
    ).toBe('SIGN_IN_NOT_BEGUN')
    expect(
      await take(
        browser,
        changed((query) => query.set('state', 'x')),
      ),
    ).toBe('SIGN_IN_NOT_BEGUN')
    expect(
      await take(
        browser,
        changed((query) => query.set('state', theirs.searchParams.get('state')!)),
      ),
    ).toBe('SIGN_IN_NOT_BEGUN')
    // The provider refuses the code: the verifier is another.
    expect(
      await take(
        browser,
        changed((query) => query.set('code', theirs.searchParams.get('code')!)),
      ),
    ).toBe('PROVIDER_REFUSED')
    expect(await tokenOf(browser)).toBeNull()
  })

  it('is refused with a code that was used', async () => {
    const browser = browserAt(server)
    const first = await answerFor(browser, service, 'ann')
    expect(await take(browser, first)).toBeNull()
    const second = await answerFor(browser, service, 'ann')
    second.searchParams.set('code', first.searchParams.get('code')!)
    expect(await take(browser, second)).toBe('PROVIDER_REFUSED')
  })

  it('of a provider is refused for another: by its name, or by where it comes back to', async () => {
    const browser = browserAt(server)
    const named = await answerFor(browser, service, 'ann')
    expect([named.pathname, named.searchParams.get('iss')]).toEqual(['/sso/return', provider.issuer])
    const other = await answerFor(browser, service, 'ann')
    other.searchParams.set('iss', silent.issuer)
    expect(await take(browser, other)).toBe('PROVIDER_ANSWER_INVALID')
    named.searchParams.delete('iss')
    expect(await take(browser, named)).toBe('PROVIDER_ANSWER_INVALID')
    const own = await silentAnswer(browser)
    expect(own.pathname).toBe(`/sso/return/${silentService}`)
    // What one answered is given for an attempt at the other.
    for (const path of ['/sso/return', `/sso/return/${service}`]) {
      const moved = await silentAnswer(browser)
      moved.pathname = path
      expect(await take(browser, moved)).toBe('PROVIDER_ANSWER_INVALID')
    }
    const mixed = await answerFor(browser, service, 'ann')
    mixed.pathname = `/sso/return/${silentService}`
    expect(await take(browser, mixed)).toBe('PROVIDER_ANSWER_INVALID')
    expect(await tokenOf(browser)).toBeNull()
    expect(await take(browser, own)).toBeNull()
  })

  it('says why the provider refused, to a person and to a program', async () => {
    expect(await signInAt(browserAt(server), service, 'nobody')).toEqual({
      path: '/console',
      reason: 'PROVIDER_REFUSED',
    })
    const browser = browserAt(server)
    const answer = await answerFor(browser, service, 'nobody')
    const response = await browser.ask(answer, { headers: { accept: 'application/json' } })
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { reason: 'PROVIDER_REFUSED', message: 'the provider refused: access_denied: not today' },
    ])
  })
})

describe('an answer that comes while its provider is changed', () => {
  const UPDATE = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
  /** Takes an answer, and does something while the provider is asked for the token. */
  async function takeWhile(at: string, change: () => Promise<unknown>): Promise<[string | null, Browser]> {
    const browser = browserAt(server)
    const answer = await answerFor(browser, at, 'ann')
    provider.instead = async (request, response) => {
      provider.instead = null
      const body = (await bodyOf(request)).toString()
      await change()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answered = await fetch(`${provider.issuer}${request.url}`, { method: 'POST', headers, body })
      response.writeHead(answered.status, { 'content-type': 'application/json' })
      response.end(await answered.text())
    }
    return [await take(browser, answer), browser]
  }

  it('opens nothing once it is archived, or is another, and what it says by then is what counts', async () => {
    const at = await makeProvider(server, admin, provider, OPEN)
    const update = async (patch: object): Promise<void> => {
      expect((await server.gql(admin, UPDATE, { id: at, patch })).errors).toBeUndefined()
    }
    const [archived, browser] = await takeWhile(at, () => update({ status: 'INACTIVE' }))
    expect([archived, await tokenOf(browser)]).toEqual(['RECORD_NOT_FOUND', null])
    await update({ status: 'ACTIVE' })
    const params = { issuer: provider.issuer, ...provider.client }
    const [moved] = await takeWhile(at, () => update({ params: { ...params, clientId: 'another', clientSecret: 'x' } }))
    expect(moved).toBe('SIGN_IN_NOT_BEGUN')
    await update({ params: { ...params, ...OPEN } })
    const [stricter] = await takeWhile(at, () => update({ params: { ...params, roleMap: [], syncRoles: true } }))
    expect(stricter).toBe('NOT_PROVISIONED')
  })
})

describe('an ID token', () => {
  /** Signs in while the provider gives a token of its own making. @param claims changes those that are right */
  async function reasonWith(
    claims: (right: Record<string, unknown>) => Record<string, unknown>,
    sign: (claims: Record<string, unknown>) => Promise<string> = (all) => provider.sign(all, { typ: 'JWT' }),
  ): Promise<string | null> {
    const browser = browserAt(server)
    const start = await browser.ask(new URL(`${PUBLIC_URL}/sso/${service}/start`))
    const asked = new URL(start.headers.get('location')!).searchParams
    const now = Math.floor(Date.now() / 1_000)
    const right = {
      iss: provider.issuer,
      aud: provider.client.clientId,
      sub: 'ann',
      iat: now,
      exp: now + 60,
      nonce: asked.get('nonce'),
      email: 'ann@switchboard.example',
    }
    const token = await sign(claims(right))
    provider.instead = async (request, response) => {
      if (request.url === '/token') {
        expect((await bodyOf(request)).get('code_verifier')).toMatch(/^[\w-]{43}$/)
        response.writeHead(200, { 'content-type': 'application/json' })
        return void response.end(JSON.stringify({ access_token: 'x', token_type: 'Bearer', id_token: token }))
      }
      if (request.url === '/me') {
        response.writeHead(200, { 'content-type': 'application/json' })
        return void response.end(JSON.stringify({ sub: 'ann' }))
      }
      provider.instead = null
      const answered = await fetch(`${provider.issuer}${request.url}`)
      response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type')! })
      response.end(await answered.text())
    }
    const answer = new URL(`${PUBLIC_URL}/sso/return`)
    for (const [name, value] of Object.entries({ state: asked.get('state')!, code: 'c', iss: provider.issuer })) {
      answer.searchParams.set(name, value)
    }
    const reason = await take(browser, answer)
    provider.instead = null
    return reason
  }

  it('is believed if it is right, and not with a foreign issuer, audience, nonce, time, signature or subject', async () => {
    const reasons = {
      right: await reasonWith((right) => right),
      issuer: await reasonWith((right) => ({ ...right, iss: silent.issuer })),
      audience: await reasonWith((right) => ({ ...right, aud: 'silent' })),
      party: await reasonWith((right) => ({ ...right, aud: ['switchboard', 'silent'], azp: 'silent' })),
      nonce: await reasonWith((right) => ({ ...right, nonce: 'another' })),
      without: await reasonWith((right) => ({ ...right, nonce: undefined })),
      late: await reasonWith((right) => ({ ...right, exp: (right.exp as number) - 3_600 })),
      signature: await reasonWith(
        (right) => right,
        (all) => silent.sign(all, { typ: 'JWT' }),
      ),
      subject: await reasonWith((right) => ({ ...right, sub: 'mallory' })),
      unsigned: await reasonWith(
        (right) => right,
        async (all) => `${btoa('{"alg":"none"}')}.${Buffer.from(JSON.stringify(all)).toString('base64url')}.`,
      ),
    }
    const { right, ...wrong } = reasons
    expect(right).toBeNull()
    expect(new Set(Object.values(wrong))).toEqual(new Set(['PROVIDER_ANSWER_INVALID']))
  })
})

describe('the beginning', () => {
  it('is of a provider that is there, and leads to the console alone', async () => {
    const browser = browserAt(server)
    const reasonOf = async (path: string) => {
      const response = await browser.ask(new URL(`${PUBLIC_URL}${path}`), { headers: { accept: 'application/json' } })
      return [response.status, ((await response.json()) as { reason: string }).reason]
    }
    expect(await reasonOf('/sso/nonsense/start')).toEqual([404, 'RECORD_NOT_FOUND'])
    expect(await reasonOf(`/sso/${crypto.randomUUID()}/start`)).toEqual([404, 'RECORD_NOT_FOUND'])
    expect(await reasonOf(`/sso/${service}/start?ticket=${'x'.repeat(43)}`)).toEqual([403, 'SIGN_IN_NOT_BEGUN'])
    for (const page of [
      'https://evil.example',
      '//evil.example',
      '/console//evil.example',
      '/console\\evil',
      '/consoles',
      '/sso',
      '/console/../sso',
      '/console/%2e%2E/sso',
    ]) {
      expect(await reasonOf(`/sso/${service}/start?page=${encodeURIComponent(page)}`)).toEqual([400, 'INVALID_VALUE'])
    }
  })

  it('and the end lead back to the page from which it began when they lead to nothing', async () => {
    const isConsole = ({ pathname }: URL): boolean => pathname.startsWith('/console')
    const endOf = async (path: string): Promise<string> => {
      const { url } = await browserAt(server).open(`${PUBLIC_URL}${path}`, isConsole)
      return `${url.pathname}${url.search}`
    }
    const page = encodeURIComponent('/console/search?q=a+b&refused=old')
    expect(await endOf(`/sso/nonsense/start?page=${page}`)).toBe('/console/search?q=a+b&refused=RECORD_NOT_FOUND')
    expect(await endOf(`/sso/${service}/start?hint=nobody&page=${page}`)).toBe(
      '/console/search?q=a+b&refused=PROVIDER_REFUSED',
    )
    // One that is no page of the console is not gone to.
    expect(await endOf(`/sso/nonsense/start?page=//evil.example`)).toBe('/console?refused=RECORD_NOT_FOUND')
    expect(await endOf(`/sso/return?state=${'x'.repeat(43)}`)).toBe('/console?refused=SIGN_IN_NOT_BEGUN')
    const { data } = await server.gql(
      await server.makeUser({ organization: center, role: 'admin', password: PASSWORD }),
      'mutation ($s: ID!, $p: String!) { testService(service: $s) { url } linkIdentity(service: $s, currentPassword: $p) { url } }',
      { s: service, p: PASSWORD },
    )
    const pathOf = (url: string): string => url.slice(PUBLIC_URL.length)
    expect(await endOf(`${pathOf(data.testService.url)}&hint=nobody`)).toBe(
      '/console/admin/signIn?refused=PROVIDER_REFUSED',
    )
    expect(await endOf(`${pathOf(data.linkIdentity.url)}&hint=nobody`)).toBe(
      '/console/settings?refused=PROVIDER_REFUSED',
    )
    // A ticket works once: where it began is what the address says.
    expect(await endOf(`${pathOf(data.linkIdentity.url)}&page=/console/settings`)).toBe(
      '/console/settings?refused=SIGN_IN_NOT_BEGUN',
    )
  })

  it('keeps the attempt in a cookie of this host alone, by https', async () => {
    const secure = await startTestServer({ PUBLIC_URL: HTTPS, WEBHOOK_ALLOW_PRIVATE: 'true' }, { beside: server })
    const browser = new Browser({ [HTTPS]: secure.url })
    const start = await browser.ask(new URL(`${HTTPS}/sso/${service}/start`))
    const [cookie, ...more] = start.headers.getSetCookie()
    expect(more).toEqual([])
    expect(cookie).toMatch(/^__Host-switchboard_sso=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/)
    // A second tab has the same.
    const again = await browser.ask(new URL(`${HTTPS}/sso/${service}/start`))
    expect(again.headers.getSetCookie()).toEqual([cookie])
    await secure.close()
  })

  it('asks with PKCE and a nonce, of which the database keeps nothing', async () => {
    const browser = browserAt(server)
    const start = await browser.ask(new URL(`${PUBLIC_URL}/sso/${service}/start`))
    const asked = new URL(start.headers.get('location')!).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: provider.client.clientId,
      redirect_uri: `${PUBLIC_URL}/sso/return`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    })
    const rows = await server.server.database.query<{ row: string }>('select a::text as row from sso_attempt a')
    const secrets = [asked.get('state')!, asked.get('nonce')!, browser.cookies(PUBLIC_URL)[0]!.value]
    for (const { row } of rows) for (const secret of secrets) expect(row).not.toContain(secret)
  })
})
