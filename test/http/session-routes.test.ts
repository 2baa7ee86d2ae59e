import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestServer, type TestServer } from '../support/test-server.js'

const PASSWORD = 'a password for tests'

describe("the console's session", () => {
  let server: TestServer
  let email: string
  beforeAll(async () => {
    server = await startTestServer()
    email = (await server.makeUser({ organization: await server.makeOrganization(), password: PASSWORD })).email
  })
  afterAll(() => server.close())

  interface Answer {
    status: number
    body: { token: string; code?: string; message?: string }
    cookie: string | null
  }

  async function session(
    method: string,
    { body, cookie, origin = server.url }: { body?: object; cookie?: string; origin?: string | null } = {},
  ): Promise<Answer> {
    const response = await fetch(`${server.url}/console/session`, {
      method,
      headers: {
        ...(origin !== null && { origin }),
        ...(cookie && { cookie: `other=1; ${cookie}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : null, cookie: response.headers.get('set-cookie') }
  }

  const valueOf = (cookie: string): string => cookie.split(';')[0]!
  const whoIs = async (token: string): Promise<string | undefined> =>
    (await server.gql(token, '{ me { email } }')).data?.me?.email

  it('returns a token to the page, and keeps the refresh token out of reach of scripts', async () => {
    const { status, body, cookie } = await session('POST', { body: { email, password: PASSWORD } })
    expect(status).toBe(200)
    expect(await whoIs(body.token)).toBe(email)
    expect(Object.keys(body)).not.toContain('refreshToken')
    expect(cookie).toMatch(
      /^switchboard_session=[\w.-]+; Path=\/console\/session; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    )
  })

  it('renews any number of times, even if responses are lost', async () => {
    const cookie = valueOf((await session('POST', { body: { email, password: PASSWORD } })).cookie!)
    const answers = await Promise.all([1, 2, 3].map(() => session('POST', { cookie })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await whoIs((await session('POST', { cookie })).body.token)).toBe(email)
  })

  it('replaces a cookie in use before it expires', async () => {
    const cookie = valueOf((await session('POST', { body: { email, password: PASSWORD } })).cookie!)
    server.clock.advance(20 * 86_400_000)
    const renewed = await session('POST', { cookie })
    expect(renewed.cookie).toContain('Max-Age=2592000')
    server.clock.advance(20 * 86_400_000)
    expect((await session('POST', { cookie })).status).toBe(401)
    expect((await session('POST', { cookie: valueOf(renewed.cookie!) })).status).toBe(200)
  })

  it('ends, with its access tokens', async () => {
    const opened = await session('POST', { body: { email, password: PASSWORD } })
    const cookie = valueOf(opened.cookie!)
    const ended = await session('DELETE', { cookie })
    expect([ended.status, ended.cookie]).toEqual([204, expect.stringContaining('Max-Age=0')])
    expect(await session('POST', { cookie })).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
    expect(await whoIs(opened.body.token)).toBeUndefined()
  })

  it('is for pages of this server only', async () => {
    const input = { body: { email, password: PASSWORD } }
    expect(await session('POST', { ...input, origin: 'https://elsewhere.example' })).toMatchObject({
      status: 403,
      cookie: null,
    })
    expect(await session('POST', { ...input, origin: null })).toMatchObject({ status: 403, cookie: null })
    expect(await session('POST', { ...input, origin: 'null' })).toMatchObject({ status: 403, cookie: null })
    expect((await session('DELETE', { origin: 'https://elsewhere.example' })).status).toBe(403)
  })

  it('explains an invalid request', async () => {
    expect((await session('POST')).status).toBe(204)
    expect(await session('POST', { cookie: 'switchboard_session=nonsense' })).toMatchObject({ status: 401 })
    expect(await session('POST', { body: { email } })).toMatchObject({ status: 400, body: { field: 'password' } })
    expect(await session('POST', { body: { email: 1, password: PASSWORD } })).toMatchObject({
      status: 400,
      body: { field: 'email' },
    })
    expect(await session('POST', { body: [] })).toMatchObject({ status: 400, body: { field: 'body' } })
    expect(await session('POST', { body: { email, password: 'wrong' } })).toMatchObject({ status: 401 })
  })
})
