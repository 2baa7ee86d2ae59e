import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { FastifyRequest } from 'fastify'
import pino from 'pino'
import type { Authenticator } from '../../src/platform/access/authenticator.js'
import type { Caller } from '../../src/platform/access/caller.js'
import { systemClock } from '../../src/platform/db/clock.js'
import type { Database } from '../../src/platform/db/database.js'
import { TokenExpired, Unauthenticated } from '../../src/platform/errors.js'
import { openOperations } from '../support/operations.js'
import { createHttpApp, type HttpApp } from '../../src/api/http/app.js'
import { UnreadAnswers } from '../../src/platform/limits/unread-answers.js'
import { RequestContexts } from '../../src/api/http/request-context.js'
import { RequestRate } from '../../src/platform/limits/request-rate.js'
import { Metrics } from '../../src/platform/metrics.js'
import { registerRestCompat } from '../../rest-compat/register.js'
import { BOOK_ID, libraryRoutes, librarySchema, type Seen } from './library.js'

const log = pino({ level: 'silent' })
const database = { query: async () => [{}] } as unknown as Database
const authenticator: Authenticator = {
  async authenticate(authorization) {
    if (!authorization) return null
    if (authorization === 'Bearer expired') throw new TokenExpired()
    const user = /^Bearer (\w+)$/.exec(authorization)?.[1]
    if (!user || user === 'bad') throw new Unauthenticated('invalid token')
    return { kind: 'user', key: `user:${user}`, user, path: ['one'] as const } as unknown as Caller
  },
  noteUse: () => undefined,
  findEnded: async () => new Set(),
}

const seen: Seen[] = []
const config = {
  trustProxy: 1,
  host: '127.0.0.1',
  metricsPort: undefined,
  metricsToken: undefined,
  allowedOrigins: [],
  publicUrl: 'https://chat.example',
  expiredTokenStatus: 403 as const,
  logsRequests: true,
  rateLimitPerSecond: 1_000,
}

async function startServer(perSecond: number): Promise<{ http: HttpApp; url: string }> {
  const http = createHttpApp({
    config,
    log,
    clock: systemClock,
    metrics: new Metrics(),
    unreadAnswers: new UnreadAnswers(),
    isStarted: () => true,
    isCommitting: () => true,
  })
  const schema = librarySchema(seen)
  const operations = openOperations(schema, 1_000_000)
  const contexts = new RequestContexts({
    authenticator,
    database,
    clock: systemClock,
    log,
    publicUrl: config.publicUrl,
  })
  const deps = {
    schema,
    operations,
    publicUrl: config.publicUrl,
    // A window that no slow machine outlasts.
    rate: new RequestRate(perSecond, undefined, WINDOW_SECONDS),
    contextFor: (request: FastifyRequest, authorization: string | undefined) => contexts.of(request, authorization),
  }
  await registerRestCompat(http.fastify, deps, libraryRoutes)
  return { http, url: await http.fastify.listen({ port: 0, host: '127.0.0.1' }) }
}

const WINDOW_SECONDS = 600

let http: HttpApp
let url: string
beforeAll(async () => {
  ;({ http, url } = await startServer(1_000_000))
})
afterAll(() => http.fastify.close())
beforeEach(() => {
  seen.length = 0
})

interface Answer {
  status: number
  headers: Headers
  // The tests state what they expect of it.
  body: any // oxlint-disable-line typescript/no-explicit-any
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  base = url,
): Promise<Answer> {
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: 'Bearer ann',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

describe('a record', () => {
  it('shows references as ids, enums in their own text, and leaves nulls out unless they mean something', async () => {
    const { status, body } = await call('GET', `/v2/books/${BOOK_ID}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: BOOK_ID,
      title: 'Emma',
      format: 'text/plain',
      category: null,
      pages: 0,
      address: { city: 'Bath' },
      author: expect.any(String),
      reviewers: [expect.any(String)],
      copies: [{ shelf: 'A', reader: expect.any(String) }, { shelf: 'B' }],
      meta: { nested: null },
      createdAt: '2026-01-02T03:04:05.000Z',
    })
  })

  it('shows what populate names, with spaces after commas and at any depth', async () => {
    const { body } = await call('GET', `/v2/books/${BOOK_ID}?populate=author,%20copies.reader`)
    expect(body.author).toEqual({ id: expect.any(String), name: 'Ann' })
    expect(body.copies[0].reader).toEqual({ id: expect.any(String), name: 'Ann' })
    expect(body.copies[1].reader).toBeUndefined()
    expect(body.reviewers).toEqual([expect.any(String)])
    const within = await call('GET', `/v2/books/${BOOK_ID}?populate=copies`)
    expect(within.body.copies).toEqual(body.copies)
    const reviewed = await call('GET', `/v2/books/${BOOK_ID}?populate=reviewers`)
    expect(reviewed.body.reviewers).toEqual([{ id: expect.any(String), name: 'Ann' }])
  })

  it('shows only what select names, and the id', async () => {
    const { body } = await call('GET', `/v2/books/${BOOK_ID}?select=title,author&populate=author,copies.reader`)
    expect(body).toEqual({ id: BOOK_ID, title: 'Emma', author: { id: expect.any(String), name: 'Ann' } })
  })

  it.each([
    ['populate=publisher', 'populate', '"publisher"'],
    ['populate=address', 'populate', '"address"'],
    ['select=title,nothing', 'select', '"nothing"'],
    ['select=__proto__', 'select', '"__proto__"'],
    ['limit=3', 'limit', 'limit'],
    ['verbose=1', 'verbose', 'verbose'],
  ])('refuses %s by name', async (query, field, named) => {
    const { status, body } = await call('GET', `/v2/books/${BOOK_ID}?${query}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'BAD_USER_INPUT', field })
    expect(body.message).toContain(named)
  })

  it('is not found when the operation finds none', async () => {
    const { status, body } = await call('GET', '/v2/books/other')
    expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
  })
})

describe('a list', () => {
  it('is a bare array with its total, and links page by page to its end', async () => {
    let next: string | null = '/v2/books?limit=30&title=~a,b;c'
    const lengths: number[] = []
    const links: string[] = []
    while (next) {
      const { body, headers } = await call('GET', next)
      expect(headers.get('x-total-count')).toBe('70')
      lengths.push(body.length)
      const link: string | null = headers.get('link')
      links.push(link ?? 'none')
      next = link && link.slice(1, link.indexOf('>')).replace('https://chat.example', '')
    }
    const link = expect.stringMatching(/^<https:\/\/chat\.example\/v2\/books\?[^,;<>]+>; rel="next"$/)
    expect(links).toEqual([link, link, 'none'])
    expect(lengths).toEqual([30, 30, 10])
    // Linked pages begin where the one before ended.
    expect(seen.map(({ args }) => args)).toEqual(
      [{ offset: 0 }, { after: '30' }, { after: '60' }].map((place) => ({
        first: 30,
        ...place,
        filter: { title: { contains: 'a,b;c' } },
      })),
    )
    await call('GET', '/v2/books?limit=30&offset=31&after=30.30')
    expect(seen.at(-1)!.args).toEqual({ first: 30, offset: 31 })
  })

  it('has 30 records by default, and at most 100', async () => {
    expect((await call('GET', '/v2/books')).body).toHaveLength(30)
    const reduced = await call('GET', '/v2/books?limit=1000')
    expect([reduced.body.length, reduced.headers.get('applied-limit')]).toEqual([70, '100'])
    expect((await call('GET', '/v2/books?limit=100')).headers.get('applied-limit')).toBeNull()
    expect((await call('GET', '/v2/books?limit=100')).body).toHaveLength(70)
  })

  it.each([
    'limit=0',
    'limit=-1',
    'limit=1e3',
    'limit=',
    'limit=2&limit=3',
    'limit=99999999999999999999',
    'offset=-1',
    'offset=x',
    'offset=1e308',
    'after=30',
    'after=30.',
    'after=x.y',
    'after=1.a&after=1.b',
  ])('refuses %s', async (query) => {
    const { status, body } = await call('GET', `/v2/books?${query}`)
    expect([status, body.field]).toEqual([400, query.split('=')[0]])
  })

  it('sorts by a comma list, descending with a minus', async () => {
    await call('GET', '/v2/books?sort=-createdAt,%20title')
    expect(seen[0]!.args.orderBy).toEqual([
      { field: 'createdAt', direction: 'DESC' },
      { field: 'title', direction: 'ASC' },
    ])
    const { status, body } = await call('GET', '/v2/books?sort=pages')
    expect([status, body.field]).toEqual([400, 'sort'])
    expect(body.message).toContain('"pages"')
  })

  it.each([
    ['title=a', { title: { eq: 'a' } }],
    ['title=!a', { title: { ne: 'a' } }],
    ['title=~a', { title: { contains: 'a' } }],
    ['title=^a', { title: { startsWith: 'a' } }],
    ['title=$a', { title: { endsWith: 'a' } }],
    ['pages=>5', { pages: { gt: 5 } }],
    ['pages=>=5', { pages: { gte: 5 } }],
    ['pages=<-5', { pages: { lt: -5 } }],
    ['pages=<=5', { pages: { lte: 5 } }],
    ['pages=[1,%202]', { pages: { in: [1, 2] } }],
    ['pages=>1&pages=<9', { pages: { gt: 1, lt: 9 } }],
    ['title=~a&title=~b', { and: [{ title: { contains: 'a' } }, { title: { contains: 'b' } }] }],
    ['title=', { title: { eq: null } }],
    ['title=!', { title: { ne: null } }],
    ['lent=true', { lent: { eq: true } }],
    [`id=${BOOK_ID}`, { id: { eq: BOOK_ID } }],
    ['createdAt=>=2026-01-01', { createdAt: { gte: '2026-01-01T00:00:00.000Z' } }],
    [`copies.lent=true&copies.reader=${BOOK_ID}`, { copies: { lent: { eq: true }, reader: { eq: BOOK_ID } } }],
    [
      'meta.order.id=5&meta.intent=~x',
      {
        meta: [
          { path: 'order.id', eq: '5' },
          { path: 'intent', contains: 'x' },
        ],
      },
    ],
    ['meta.__proto__.x=5', { meta: [{ path: '__proto__.x', eq: '5' }] }],
  ])('filters by %s', async (query, filter) => {
    const { status } = await call('GET', `/v2/books?${query}`)
    expect(status).toBe(200)
    expect(seen[0]!.args.filter).toEqual(filter)
  })

  it.each([
    ['nothing=1', 'nothing'],
    ['title.length=1', 'title.length'],
    ['copies=1', 'copies'],
    ['copies.nothing=1', 'copies.nothing'],
    ['and=1', 'and'],
    ['or.title=1', 'or.title'],
    ['copies.and=1', 'copies.and'],
    ['meta=1', 'meta'],
    ['meta.=1', 'meta.'],
    ['__proto__=1', '__proto__'],
    ['constructor.x=1', 'constructor.x'],
    ['title[eq]=1', 'title[eq]'],
    ['=1', ''],
    ['pages=x', 'pages'],
    ['pages=1.5', 'pages'],
    ['pages=2147483648', 'pages'],
    ['pages=~1', 'pages'],
    ['pages=[]', 'pages'],
    ['lent=yes', 'lent'],
    ['lent=>true', 'lent'],
    ['lent=[true]', 'lent'],
    ['id=5', 'id'],
    ['id=~5', 'id'],
    ['id=[5]', 'id'],
    ['createdAt=yesterday', 'createdAt'],
    ['createdAt=>', 'createdAt'],
    ['title=%00', 'title'],
  ])('refuses %s by name', async (query, field) => {
    const { status, body } = await call('GET', `/v2/books?${query}`)
    expect([status, body.field]).toEqual([400, field])
    expect(seen).toEqual([])
  })
})

describe('a body', () => {
  it('is read by the types of the operation, with enums in their own text and JSON untouched', async () => {
    const given = {
      title: 'x',
      format: 'hardCover',
      pages: 3,
      weight: 0.5,
      isLent: false,
      address: { city: 'Bath' },
      author: null,
      copies: [{ shelf: 'A' }],
      createdOn: '2026-01-01T01:00:00+01:00',
      meta: { format: 'TEXT', deep: [{ a: null }] },
    }
    const { status, headers } = await call('POST', '/v2/books', given, { 'idempotency-key': 'k1' })
    expect([status, headers.get('location')]).toEqual([201, `/books/${BOOK_ID}`])
    expect(seen[0]!.args).toEqual({ input: { ...given, createdOn: '2026-01-01T00:00:00.000Z' }, idempotencyKey: 'k1' })
  })

  it('passes only the keys that are present, and null as null', async () => {
    await call('PATCH', `/v2/books/${BOOK_ID}`, { subtitle: null })
    expect(seen[0]!.args.patch).toEqual({ subtitle: null })
  })

  it('may be a whole record sent back: what cannot be set is left out', async () => {
    const whole = (await call('GET', `/v2/books/${BOOK_ID}`)).body
    const { status } = await call('PATCH', `/v2/books/${BOOK_ID}`, { ...whole, title: 'New' })
    expect(status).toBe(200)
    expect(seen.at(-1)!.args.patch).toEqual({ title: 'New', format: 'text/plain', address: { city: 'Bath' } })
    expect((await call('PATCH', `/v2/books/${BOOK_ID}`, { title: 'New', createdAt: 'x' })).status).toBe(200)
    expect((await call('PATCH', `/v2/books/${BOOK_ID}`, { id: 'another', title: 'New' })).body.field).toBe('id')
  })

  // [7 400]
  it.each<[string, unknown, string]>([
    ['an unknown key', { title: 'x', nothing: 1 }, 'nothing'],
    ['a field that cannot be set', { title: 'x', reviewers: [] }, 'reviewers'],
    ['an unknown key inside', { title: 'x', address: { planet: 1 } }, 'address.planet'],
    ['an unknown key in a list', { title: 'x', copies: [{ shelf: 'A' }, { shelf: 'A', x: 1 }] }, 'copies[1].x'],
    ['a prototype key', '{"title":"x","__proto__":{"a":1}}', '__proto__'],
    ['another prototype key', '{"title":"x","constructor":{"prototype":1}}', 'constructor'],
    ['a missing key', {}, 'title'],
    ['null for what is required', { title: null }, 'title'],
    ['a missing key inside', { title: 'x', copies: [{}] }, 'copies[0].shelf'],
    ['a number as text', { title: 5 }, 'title'],
    ['text as a number', { title: 'x', pages: '5' }, 'pages'],
    ['a fraction', { title: 'x', pages: 1.5 }, 'pages'],
    ['a number too large', { title: 'x', pages: 2 ** 31 }, 'pages'],
    ['1e400', '{"title":"x","weight":1e400}', 'weight'],
    ['text as a boolean', { title: 'x', isLent: 'true' }, 'isLent'],
    ['a number as an id', { title: 'x', author: 5 }, 'author'],
    ['an upper case enum', { title: 'x', format: 'HARD_COVER' }, 'format'],
    ['a bad datetime', { title: 'x', createdOn: 'soon' }, 'createdOn'],
    ['an object as a list', { title: 'x', copies: {} }, 'copies'],
    ['a list as an object', { title: 'x', address: [] }, 'address'],
    ['text as JSON', { title: 'x', meta: 'y' }, 'meta'],
    ['no body', undefined, 'body'],
    ['null', 'null', 'body'],
    ['text', '"x"', 'body'],
    ['malformed JSON', '{"title":', 'body'],
    ['deep nesting', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'body'],
  ])('is refused for %s, naming the field', async (_, body, field) => {
    const answer = await call('POST', '/v2/books', body)
    expect([answer.status, answer.body.field]).toEqual([400, field])
    expect(answer.body).toMatchObject({
      code: 'BAD_USER_INPUT',
      error: { code: 'BAD_USER_INPUT', message: answer.body.message },
    })
    expect(seen).toEqual([])
  })

  it('may be a list where a route accepts one, and then returns a list', async () => {
    const { status, body } = await call('POST', '/v2/books', [{ title: 'a' }, { title: 'b' }])
    expect([status, body.map(({ title }: { title: string }) => title)]).toEqual([201, ['a', 'b']])
    expect((await call('POST', '/v2/books', [{ title: 'a' }, { nothing: 1 }])).body.field).toBe('books[1].nothing')
  })

  it('may be variables of its own', async () => {
    const { status } = await call('POST', `/v2/books/${BOOK_ID}/loans`, { reader: 'r' })
    expect([status, seen[0]!.args]).toEqual([201, { book: BOOK_ID, reader: 'r' }])
    expect((await call('POST', `/v2/books/${BOOK_ID}/loans`, { reader: 'r', x: 1 })).body.field).toBe('x')
    expect((await call('POST', `/v2/books/${BOOK_ID}/loans`, {})).body.message).toBe('reader is required')
  })

  it('may be unquoted JSON', async () => {
    const { status, body } = await call('POST', `/v2/books/${BOOK_ID}`, { any: { thing: 1 } })
    expect([status, body, seen[0]!.args]).toEqual([204, undefined, { id: BOOK_ID, facts: { any: { thing: 1 } } }])
    expect((await call('POST', `/v2/books/${BOOK_ID}`, [1])).status).toBe(400)
  })

  it('is not needed with its content type on GET and DELETE', async () => {
    const type = { 'content-type': 'application/json' }
    expect((await call('GET', `/v2/books/${BOOK_ID}`, undefined, type)).status).toBe(200)
    expect(await call('DELETE', `/v2/books/${BOOK_ID}`, undefined, type)).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect((await call('DELETE', `/v2/books/${BOOK_ID}`, '', type)).status).toBe(204)
  })

  // [1 Format of a body]
  it('must be JSON', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await call('POST', '/v2/books', 'title=x', form)).toMatchObject({
      status: 415,
      body: { field: 'Content-Type', message: expect.stringContaining('application/json') },
    })
  })
})

describe('an error', () => {
  // [7 422, body]
  it('says what happened, with its details and the request id', async () => {
    const { status, body, headers } = await call('GET', '/v2/fails/details', undefined, { 'x-request-id': 'r-1' })
    const message = 'contact already exists'
    expect(status).toBe(422)
    expect(headers.get('x-request-id')).toBe('r-1')
    const code = 'UNPROCESSABLE'
    expect(body).toEqual({
      message,
      code,
      reason: 'CONFLICT',
      docs: '/docs/errors#CONFLICT',
      error: { message, code },
      contact: 'c',
      conversation: 'v',
      requestId: 'r-1',
    })
  })

  it("has the domain's message", async () => {
    expect(await call('GET', '/v2/fails/missing')).toMatchObject({
      status: 404,
      body: { message: 'Conversation not found' },
    })
  })

  // [7 500]
  it('is masked if it is internal', async () => {
    const { status, body } = await call('GET', '/v2/fails/crash')
    expect([status, body.code]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  // [7 401, 403 of an expired token]
  it.each([
    [{ authorization: '' }, 401, 'authentication is required'],
    [{ authorization: 'Bearer bad' }, 401, 'invalid token'],
    [{ authorization: 'Bearer expired' }, 403, 'jwt expired'],
  ])('is about credentials before anything else: %j', async (headers, status, message) => {
    expect(await call('POST', '/v2/books', '{', headers)).toMatchObject({ status, body: { message } })
  })

  it('does not depend on credentials where none are checked', async () => {
    expect((await call('GET', '/v2/public', undefined, { authorization: 'Bearer bad' })).status).toBe(200)
  })
})

describe('a method or path without a route', () => {
  // [1 Methods, Methods without PUT]
  it.each([
    ['PUT', `/v2/books/${BOOK_ID}`, 'GET, PATCH, DELETE, POST, HEAD'],
    ['PUT', '/v2/books', 'GET, POST, HEAD'],
    ['DELETE', '/v2/books', 'GET, POST, HEAD'],
    ['PROPFIND', '/v2/books', 'GET, POST, HEAD'],
    ['GET', `/v2/books/${BOOK_ID}/loans`, 'POST'],
  ])('%s %s is 405 with Allow', async (method, path, allow) => {
    const { status, headers, body } = await call(method, path, method === 'GET' ? undefined : '{')
    expect(status).toBe(405)
    expect(headers.get('allow')!.split(', ').sort()).toEqual(allow.split(', ').sort())
    expect(body).toMatchObject({
      message: expect.stringContaining(method),
      error: { message: body.message },
      requestId: expect.any(String),
    })
  })

  it('is 404 for an unknown path', async () => {
    for (const path of ['/v2/nothing', '/v2/', '/v2/books/a/b/c']) {
      expect(await call('GET', path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    }
    expect((await call('PUT', '/v2/nothing', '{')).status).toBe(404)
  })

  it('is refused, not failed, for a path that cannot be decoded', async () => {
    expect((await call('GET', '/v2/books/%zz')).status).toBe(400)
  })

  it('answers HEAD like GET, without a body', async () => {
    const { status, headers, body } = await call('HEAD', '/v2/books')
    expect([status, headers.get('x-total-count'), body]).toEqual([200, '70', undefined])
  })
})

describe('the request rate', () => {
  // [8 Request rate, Request rate of an address, Request rate of a key, Request rate answers] [7 429]
  it('passes exactly the limit of concurrent requests, for each user and for each address', async () => {
    const limited = await startServer(20)
    const burst = async (user: (index: number) => string, address: (index: number) => string): Promise<Answer[]> =>
      Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          call(
            'GET',
            '/v2/books?limit=1',
            undefined,
            {
              authorization: `Bearer ${user(index)}`,
              'x-forwarded-for': address(index),
            },
            limited.url,
          ),
        ),
      )
    const passed = (answers: Answer[]): number => answers.filter(({ status }) => status === 200).length

    const byUser = await burst(
      () => 'ann',
      (index) => `10.0.0.${index}`,
    )
    expect(passed(byUser)).toBe(20)
    const refused = byUser.find(({ status }) => status === 429)!
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(WINDOW_SECONDS / 2)
    expect(refused.body).toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringMatching(/^more than 20 requests .* by one user or API key$/),
    })
    expect(refused.headers.get('ratelimit-policy')).toBe('"address";q=20;w=600, "key";q=20;w=600')
    expect(refused.headers.get('ratelimit')).toMatch(/^"address";r=19;t=\d+, "key";r=0;t=\d+$/)

    const byAddress = await burst(
      (index) => `user${index}`,
      () => '10.1.0.1',
    )
    expect(passed(byAddress)).toBe(20)
    const from = { 'x-forwarded-for': '10.1.0.1' }
    expect((await call('PUT', '/v2/nothing', undefined, from, limited.url)).status).toBe(429)
    expect((await call('GET', '/healthz', undefined, from, limited.url)).status).toBe(200)
    await limited.http.fastify.close()
  })
})
