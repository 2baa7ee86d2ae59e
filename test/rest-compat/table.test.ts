import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { BYTE_ENDPOINTS } from '../../rest-compat/byte-endpoints.js'
import { routes } from '../../rest-compat/routes/index.js'
import type { OpenApiDocument } from '../../rest-compat/openapi/openapi-types.js'
import type { OpenApiOperation } from '../../rest-compat/openapi/operation.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

/** The tables of the interface specification, sections 4.1 to 4.5 and 4.7. */
const SPECIFIED = [
  ['4.1', 'POST', '/v2/auth/token', 201],
  ['4.1', 'GET', '/v2/auth/token', 200],
  ['4.2', 'GET', '/v2/users', 200],
  ['4.2', 'POST', '/v2/users', 201],
  ['4.2', 'GET', '/v2/users/{user_id}', 200],
  ['4.2', 'PATCH', '/v2/users/{user_id}', 200],
  ['4.3', 'POST', '/v2/organizations', 201],
  ['4.3', 'PATCH', '/v2/organizations/{id}', 200],
  ['4.3', 'GET', '/v2/organizations/{id}/workflows', 200],
  ['4.3', 'POST', '/v2/orggroups', 201],
  ['4.4', 'POST', '/v2/channels', 201],
  ['4.4', 'POST', '/v2/channels/{channel_id}/members', 201],
  ['4.5', 'POST', '/v2/workflows', 201],
  ['4.5', 'POST', '/v2/workflows/{workflow_id}/rules', 201],
  ['4.5', 'PATCH', '/v2/workflows/{workflow_id}/rules/{rule_id}', 200],
  ['4.5', 'POST', '/v2/workflows/{workflow_id}', 200],
  ['4.5', 'POST', '/v2/workflows/{workflow_id}/rules/{rule_id}', 200],
  ['4.7', 'POST', '/v2/conversations', 201],
  ['4.7', 'POST', '/v2/conversations/{conversation_id}/messages', 201],
  ['4.7', 'GET', '/v2/conversations/{conversation_id}/messages/{message_id}', 200],
  ['4.7', 'GET', '/v2/messages/{message_id}', 200],
  ['4.7', 'POST', '/v2/messages', 201],
  ['4.7', 'PATCH', '/v2/services/{service_id}', 200],
] as const

/** Resources with list, fetch, create, update and delete (open points, REST conventions). */
const RESOURCES = [
  'users',
  'organizations',
  'orggroups',
  'channels',
  'workflows',
  'conversations',
  'messages',
  'contacts',
  'services',
  'conversations/{}/messages',
  'workflows/{}/rules',
]

const nameless = (path: string): string => path.replace(/\{[^}]+\}|:[A-Za-z]+/g, '{}')
const statusOf = new Map(routes.map(({ method, path, status }) => [`${method} ${nameless(path)}`, status]))

describe('the table of routes', () => {
  // [9 rule 1]
  it.each(SPECIFIED)('%s has %s %s, answered with %s', (_section, method, path, status) => {
    expect(statusOf.get(`${method} ${nameless(path)}`)).toBe(status)
  })

  // [4.7 endpoints of organizations, endpoints of groups, endpoints of channels, endpoints of workflows, endpoints of
  // conversations, endpoints of contacts, endpoints of services, endpoints of messages] [9 rule 1]
  it.each(RESOURCES)('has all five endpoints of %s', (resource) => {
    const five = [
      ['GET', ''],
      ['POST', ''],
      ['GET', '/{}'],
      ['PATCH', '/{}'],
      ['DELETE', '/{}'],
    ] as const
    const statuses = five.map(([method, rest]) => statusOf.get(`${method} /v2/${resource}${rest}`))
    expect(statuses).toEqual([200, 201, 200, 200, 204])
  })
})

/** Acts that need no more than the record. */
const BY_PATH_ALONE = new Set([
  '/v2/pendingchanges/{id}/approve',
  '/v2/pendingchanges/{id}/withdraw',
  '/v2/bulkruns/{id}/cancel',
  '/v2/bulkruns/{id}/undo',
  '/v2/proposals/{id}/take',
  '/v2/proposals/{id}/reject',
])

describe('the OpenAPI document', () => {
  let test: TestServer
  let document: OpenApiDocument
  const operations = (): (readonly [string, string, OpenApiOperation])[] =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [path, method, operation] as const),
    )

  beforeAll(async () => {
    test = await startTestServer({ PUBLIC_URL: 'https://chat.example' })
    document = (await test.rest(null, 'GET', '/v2/openapi.json')).body as OpenApiDocument
  })
  afterAll(() => test.close())

  it('says what it is and where it is served', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: expect.any(String), version: '2' },
      servers: [{ url: 'https://chat.example' }],
      security: [{ bearer: [] }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    })
  })

  it('has each row of the table and the routes of files, and nothing else', () => {
    const documented = operations().map(([path, method]) => `${method.toUpperCase()} ${path}`)
    const rows = [...routes, ...BYTE_ENDPOINTS].map(
      ({ method, path }) => `${method} ${path.replace(/:([A-Za-z]+)/g, '{$1}')}`,
    )
    expect(documented.toSorted()).toEqual([...new Set(rows)].toSorted())
  })

  it('names operations once and tags that it declares', () => {
    const ids = operations().map(([, , { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = document.tags.map(({ name }) => name)
    expect(
      operations()
        .flatMap(([, , operation]) => operation.tags)
        .filter((tag) => !tags.includes(tag)),
    ).toEqual([])
  })

  it('declares exactly the parameters of each path, and each parameter once', () => {
    for (const [path, method, { parameters }] of operations()) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      const expected = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, required: true }))
      expect([method, path, inPath.map(({ name, required }) => ({ name, required }))]).toEqual([method, path, expected])
      const keys = parameters.map(({ name, in: where }) => `${where} ${name}`)
      expect(new Set(keys).size).toBe(keys.length)
    }
  })

  it('describes every response, with a body unless it is empty', () => {
    for (const [path, method, { responses, requestBody }] of operations()) {
      const [[status, success] = ['', {}], ...errors] = Object.entries(responses) as [string, { content?: object }][]
      expect([method, path, status]).toEqual([method, path, expect.stringMatching(/^20[014]$/)])
      expect(success.content === undefined).toBe(status === '204')
      const isPublicLink = ['/v2/attachments/{id}/{name}', '/v2/exports/{id}/file'].includes(path)
      const usual = isPublicLink ? ['403', '404', '429', '500'] : ['400', '401', '404', '429', '500']
      expect(errors.map(([code]) => code)).toEqual(expect.arrayContaining(usual))
      const hasBody = method === 'patch' || method === 'put' || (method === 'post' && !BY_PATH_ALONE.has(path))
      expect([method, path, Boolean(requestBody)]).toEqual([method, path, hasBody])
    }
  })

  it('has no dangling reference, only valid JSON Schemas, and descriptions by what a thing is', () => {
    const types: unknown[] = ['string', 'boolean', 'integer', 'number', 'object', 'array', 'null']
    const problems: string[] = []
    const visit = (node: unknown, at: string): void => {
      if (typeof node !== 'object' || node === null) return
      const { $ref, type, description } = node as Partial<Record<'$ref' | 'type' | 'description', unknown>>
      if (typeof description === 'string' && /^(Of|What|Who|Whose|How|When|Where|Which|Why|Its)\b/.test(description))
        problems.push(`${at}: ${description}`)
      if (typeof $ref === 'string' && !resolve($ref)) problems.push(`${at}: ${$ref}`)
      // `type` is the name of a property, or of a kind of security, there.
      const isKeyword = !at.endsWith('.properties') && !at.includes('securitySchemes')
      if (isKeyword && !types.includes(type ?? 'null') && !Array.isArray(type)) problems.push(`${at}: ${String(type)}`)
      for (const [key, member] of Object.entries(node)) if (key !== 'example') visit(member, `${at}.${key}`)
    }
    const resolve = (ref: string): unknown => {
      const below = (part: unknown, key: string): unknown => (part as Record<string, unknown> | undefined)?.[key]
      return ref.startsWith('#/') && ref.slice(2).split('/').reduce(below, document)
    }
    visit(document.components, 'components')
    visit(document.paths, 'paths')
    expect(problems).toEqual([])
  })

  it('describes the members of a record, the fields of a body, and the filters of a list', () => {
    // oxlint-disable-next-line typescript/no-explicit-any
    const schemas = document.components.schemas as Record<string, any>
    const { Conversation, CreateConversationInput, MessageInput } = schemas
    expect(Conversation.properties).toMatchObject({
      status: { type: 'string', enum: ['queued', 'active', 'closed', 'archived'] },
      contact: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/Contact' }] },
      category: { type: ['string', 'null'] },
      participants: { type: 'array', items: { properties: { inbox: { type: 'boolean' } } } },
    })
    expect(CreateConversationInput.properties.messages).toMatchObject({ type: ['array', 'null'] })
    expect(MessageInput.properties.contentType.enum).toContain('text/plain')
    const names = document.paths['/v2/conversations']!.get!.parameters.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        'limit',
        'offset',
        'sort',
        'select',
        'populate',
        'participants.inbox',
        'meta.*',
        'status',
      ]),
    )
    expect(document.paths['/v2/auth/token']!.post!).toMatchObject({
      security: [],
      requestBody: { content: { 'application/json': { schema: { oneOf: [{}, {}] } } } },
    })
  })

  it('is shown on a page that loads nothing and runs only its own script', async () => {
    const { status, headers, body } = await test.rest(null, 'GET', '/v2/docs')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self';/,
    )
    const page = body as string
    for (const [path, , { operationId }] of operations()) {
      expect(page).toContain(`id="${operationId}"`)
      expect(page).toContain(`<code>${path}</code>`)
    }
    expect(page).not.toMatch(/<script [^>]|<link|\bsrc=|url\(|@import/)
    const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    expect([...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !anchors.has(id!))).toEqual([])
  })

  it('cannot be modified', async () => {
    const { status, headers } = await test.rest(null, 'POST', '/v2/openapi.json', {})
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await test.rest(null, 'HEAD', '/v2/auth/token?refreshToken=x')).status).toBe(405)
  })
})
