import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestServer, type TestServer } from '../support/test-server.js'

/**
 * A client of `/v2` as they were written before this server: plain fetch and the conventions of the open points. It
 * refreshes its token when a request says that it has expired, waits when it is told to, and follows `Link`.
 */
class LegacyClient {
  waits = 0
  refreshes = 0
  /** Some send the header that they last had, whatever it was. */
  #token = 'stale'
  #refreshToken = ''

  constructor(private readonly url: string, private readonly email: string) {}

  signIn(password: string): Promise<void> {
    return this.#takeTokens({ email: this.email, password })
  }

  async request<T>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>> {
    for (let attempt = 0; attempt < 3; attempt++) {
      const answer = await this.#send<T>(method, path, body, headers)
      if (!RENEW.test((answer.body as { message?: string } | null)?.message ?? '')) return answer
      this.refreshes++
      await this.#takeTokens({ refreshToken: this.#refreshToken, clientId: this.email })
    }
    throw new Error(`${method} ${path} is refused with a fresh token`)
  }

  /** All records of a list, page by page. */
  async all<T>(path: string): Promise<T[]> {
    const records: T[] = []
    let next: string | null = path
    while (next !== null) {
      const { body, headers }: Answer<T[]> = await this.request('GET', next)
      records.push(...body)
      // The server's own public address is nobody's here.
      next = /<[^>]+\/v2\/([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null
    }
    return records
  }

  async #takeTokens(body: object): Promise<void> {
    const answer = await this.#send<Tokens>('POST', 'auth/token', body)
    this.#token = answer.body.token
    this.#refreshToken = answer.body.refreshToken
  }

  /** With the token it has, stale or not; again when it is told to wait. */
  async #send<T>(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Answer<T>> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json', ...more }
    const payload = body === undefined ? undefined : JSON.stringify(body)
    for (;;) {
      const response = await fetch(`${this.url}/v2/${path}`, { method, headers, body: payload })
      const text = await response.text()
      if (response.status !== 429) {
        return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : null) as T }
      }
      this.waits++
      await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after')) * 1_000))
    }
  }
}

const RENEW = /jwt expired|invalid signature|invalid token/

interface Tokens {
  token: string
  refreshToken: string
}
interface Answer<T> {
  status: number
  headers: Headers
  body: T
}
interface Rec extends Record<string, unknown> {
  id: string
}
interface Contact {
  profile: { name: string }
}

describe('a legacy client', () => {
  let test: TestServer
  let client: LegacyClient

  beforeAll(async () => {
    test = await startTestServer({ RATE_LIMIT_PER_SECOND: '20' })
    const organization = await test.makeOrganization({ name: 'Center' })
    const admin = await test.makeUser({ organization, role: 'admin', password: 'a good password' })
    client = new LegacyClient(test.url, admin.email)
    await client.signIn('a good password')
  })
  afterAll(() => test.close())

  const done = async <T>(answer: Promise<Answer<T>>, status: number): Promise<T> => {
    const { status: given, body } = await answer
    expect({ status: given, body }).toEqual({ status, body })
    return body
  }
  const create = (path: string, body: object) => done(client.request<Rec>('POST', path, body), 201)

  // [1 Expansion, Identifiers, Datetimes] [4.7 other endpoints] [8 Request rate] [7 429]
  it('pages by Link, filters by dotted paths and operators, and waits when it is told to', async () => {
    // All at once: more than a second allows.
    await Promise.all(Array.from({ length: 45 }, async (_, index) => {
      const number = 10 + index
      const address = { city: number < 20 ? 'Delft' : 'Breda' }
      const profile = { name: `Contact ${number}`, telephone: `+316123456${number}`, address }
      expect((await create('contacts', { meta: { order: { number } }, profile })).id).toEqual(expect.any(String))
    }))
    expect(client.waits).toBeGreaterThan(0)
    const first = await client.request<Rec[]>('GET', 'contacts?limit=10&sort=-createdAt&select=profile')
    expect(first.headers.get('x-total-count')).toBe('45')
    expect(Object.keys(first.body[0]!)).toEqual(['id', 'profile'])
    expect(first.headers.get('link')).toMatch(/^<http:\/\/localhost:\d+\/v2\/contacts\?[^,;<>]+>; rel="next"$/)
    for (const sort of ['-createdAt', 'name', 'status', '']) {
      const all = (await client.all<Contact>(`contacts?limit=10&sort=${sort}`)).map(({ profile }) => profile.name)
      expect([sort, new Set(all).size, all.length]).toEqual([sort, 45, 45])
    }
    const byOffset = await client.request<Contact[]>('GET', 'contacts?limit=3&offset=42&sort=name')
    expect(byOffset.body.map(({ profile }) => profile.name)).toEqual(['Contact 52', 'Contact 53', 'Contact 54'])
    expect(byOffset.headers.get('link')).toBeNull()

    const find = async (query: string): Promise<string[]> =>
      (await done(client.request<Contact[]>('GET', `contacts?sort=name&limit=2&${query}`), 200))
        .map(({ profile }) => profile.name)
    expect(await find('profile.telephone=%2B31612345611')).toEqual(['Contact 11'])
    expect(await find('profile.address.city=Delft')).toEqual(['Contact 10', 'Contact 11'])
    expect(await find('meta.order.number=>53')).toEqual(['Contact 54'])
    expect(await find('name=$12')).toEqual(['Contact 12'])
    expect(await find('name=~tact 13')).toEqual(['Contact 13'])
    expect(await find('name=[Contact 14,Contact 15]')).toEqual(['Contact 14', 'Contact 15'])
    expect(await find('name=^Contact 2&name=!Contact 20')).toEqual(['Contact 21', 'Contact 22'])
    // Without an offset it is UTC: an hour ahead of now finds nothing, an hour ago everything.
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)
    expect(await find(`createdAt=>${at(1)}`)).toEqual([])
    expect(await find(`createdAt=>${at(-1)}`)).toEqual(['Contact 10', 'Contact 11'])
    expect((await client.request('GET', 'contacts?shoe=1')).status).toBe(400)
  })

  // [1 Expansion, Format, Methods] [2.8 messages]
  it('populates what is nested, and sends arrays of messages', async () => {
    const organization = await create('organizations', { name: 'Shop' })
    const form = await create('forms', { name: 'Order', organization: organization.id, fields: [{ key: 'brand' }] })
    const categories = [{ name: 'Boats', forms: [form.id] }]
    await done(client.request('PATCH', `organizations/${organization.id}`, { categories }), 200)
    const [shop] = await client.all<Rec>('organizations?name=Shop&populate=parent, categories.forms')
    expect(shop).toMatchObject({
      parent: { name: 'Center' }, categories: [{ name: 'Boats', forms: [{ id: form.id, name: 'Order' }] }],
    })
    const { id } = await create('conversations', {
      type: 'contact', touchpoint: 'email', contact: { profile: { name: 'Bo', email: 'bo@example.com' } },
    })
    const path = `conversations/${id}/messages`
    const sent = await done(client.request<Rec[]>('POST', path, [
      { role: 'contact', text: 'Hello' }, { role: 'agent', text: 'Hi' }, { type: 'command', text: '/leave' },
    ]), 201)
    expect(sent).toHaveLength(3)
    expect((await client.request('POST', path, [{ text: 'one' }, { text: 'two', type: 'shout' }])).status).toBe(400)
    const conversation = await done(client.request<Rec>('GET', `conversations/${id}?populate=messages`), 200)
    expect(conversation).toMatchObject({
      status: 'closed', messages: [{ text: 'Hello' }, { text: 'Hi' }, { text: '/leave' }],
    })
    expect((await client.request('PUT', `conversations/${id}`, {})).status).toBe(405)
    const plain = await client.request('POST', path, 'text', { 'content-type': 'text/plain' })
    expect(plain.status).toBe(415)
  })

  // [4.1 POST token, POST token refresh, new pair] [5 access token] [7 403]
  it('refreshes by the words of the error, with the stale header still on', async () => {
    test.clock.advance(25 * 3_600_000)
    expect(await done(client.request<Rec>('GET', 'users/me'), 200)).toMatchObject({ role: 'admin' })
    expect(client.refreshes).toBe(1)
    test.clock.advance(25 * 3_600_000)
    await done(client.request('GET', 'users/me'), 200)
    expect(client.refreshes).toBe(2)
  })

  it('makes one record of a create that it sends twice with one Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'order-7' }
    const send = (name: string) => client.request<Rec>('POST', 'channels', { name }, key)
    const [one, again] = [await send('Once'), await send('Once')]
    expect([again.status, again.body]).toEqual([one.status, one.body])
    expect((await send('Another')).status).toBe(422)
    expect(await client.all('channels')).toHaveLength(1)
  })
})
