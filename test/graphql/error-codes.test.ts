import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isRequiredArgument,
  type GraphQLEnumType,
  type GraphQLFormattedError,
} from 'graphql'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { startTestServer, type TestServer } from '../support/test-server.js'
import type { MadeUser } from '../support/factories.js'

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
const CODES = new Set((schema.getType('ErrorCode') as GraphQLEnumType).getValues().map(({ name }) => name))
const REASONS = new Set((schema.getType('ErrorReason') as GraphQLEnumType).getValues().map(({ name }) => name))
const NOBODY = '01900000-0000-7000-8000-000000000000'

let app: TestServer
let admin: MadeUser
let token: string
beforeAll(async () => {
  app = await startTestServer()
  admin = await app.makeUser({ organization: await app.makeOrganization(), role: 'admin' })
  token = await app.tokenFor(admin)
})
afterAll(() => app.close())

interface Refusal {
  status: number
  codes: string[]
}

async function send(init: RequestInit, path = '/graphql'): Promise<Refusal> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...init.headers }
  const response = await fetch(`${app.url}${path}`, { method: 'POST', ...init, headers })
  const { errors = [] } = (await response.json()) as { errors?: GraphQLFormattedError[] }
  errors.forEach(requireReason)
  return { status: response.status, codes: errors.map(({ extensions }) => `${extensions?.code}`) }
}

/** Requires a reason, and a page that explains it, whatever the code. */
function requireReason({ extensions }: GraphQLFormattedError): void {
  const { code, reason, docs } = extensions!
  expect([code, reason, docs]).toEqual([code, expect.any(String), `/docs/errors#${reason as string}`])
  expect(REASONS).toContain(reason)
}

const operation = (query: unknown, variables?: unknown, more = {}) =>
  send({ body: JSON.stringify({ query, variables, ...more }) })

describe('the codes of refusals', () => {
  const refused: Record<string, [code: string, () => Promise<Refusal>]> = {
    'a body that is not JSON': ['BAD_USER_INPUT', () => send({ body: '{' })],
    'an empty body': ['BAD_REQUEST', () => send({ body: '' })],
    'several operations in one request': ['BAD_REQUEST', () => send({ body: '[{"query": "{ hello }"}]' })],
    'another media type': ['BAD_USER_INPUT', () => send({ body: 'x', headers: { 'content-type': 'text/plain' } })],
    'a document that is no text': ['BAD_REQUEST', () => operation(5)],
    'variables that are no object': ['BAD_REQUEST', () => operation('{ hello }', 'x')],
    'the hash of a document': [
      'PERSISTED_QUERY_NOT_SUPPORTED',
      () => operation(undefined, {}, { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }),
    ],
    'a mutation by GET': [
      'BAD_REQUEST',
      () => {
        const query = encodeURIComponent('mutation { leaveConversation(conversation: "x") { id } }')
        return send({ method: 'GET', headers: { 'apollo-require-preflight': '1' } }, `/graphql?query=${query}`)
      },
    ],
    'a subscription over HTTP': ['BAD_USER_INPUT', () => operation('subscription { queue { __typename } }')],
    'a value of another type': [
      'BAD_USER_INPUT',
      () => operation('query ($n: Int) { users(first: $n) { totalCount } }', { n: 'x' }),
    ],
    'a document with an error of syntax': ['GRAPHQL_PARSE_FAILED', () => operation('{')],
    'an unknown field': ['GRAPHQL_VALIDATION_FAILED', () => operation('{ nothing }')],
    'an unknown operation': [
      'OPERATION_RESOLUTION_FAILURE',
      () => operation('query A { me { id } }', {}, { operationName: 'B' }),
    ],
    'a document that nests too deep': ['DOCUMENT_TOO_LARGE', () => operation(`{ ${'a { '.repeat(500)}`)],
    'no credentials': [
      'UNAUTHENTICATED',
      () => send({ body: '{"query": "{ me { id } }"}', headers: { authorization: '' } }),
    ],
    'a forged token': [
      'UNAUTHENTICATED',
      () => send({ body: '{"query": "{ me { id } }"}', headers: { authorization: 'Bearer x.y.z' } }),
    ],
    'an unknown id': ['NOT_FOUND', () => operation(`{ user(id: "${NOBODY}") { id } }`)],
    'an id that is none': ['NOT_FOUND', () => operation('{ node(id: "nonsense") { id } }')],
  }

  it.each(Object.entries(refused))('%s', async (_name, [code, request]) => {
    const { status, codes } = await request()
    expect([status < 500, [...new Set(codes)]]).toEqual([true, [code]])
    expect(CODES).toContain(code)
  })

  it('of an expired token differ: UNAUTHENTICATED in GraphQL, TOKEN_EXPIRED in other routes', async () => {
    const expired = await app.tokenFor(admin)
    app.clock.advance(25 * 60 * 60 * 1_000)
    const headers = { authorization: `Bearer ${expired}` }
    expect((await send({ body: '{"query": "{ me { id } }"}', headers })).codes).toEqual(['UNAUTHENTICATED'])
    const rest = await fetch(`${app.url}/v2/users/me`, { headers })
    const { code } = (await rest.json()) as { code: string }
    expect([code, CODES.has(code)]).toEqual(['TOKEN_EXPIRED', true])
    token = await app.tokenFor(admin)
  })

  it('are the same in subscriptions', async () => {
    const client = createClient({
      url: `${app.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
    })
    const documents = [
      ['GRAPHQL_PARSE_FAILED', 'subscription {'],
      ['GRAPHQL_VALIDATION_FAILED', 'subscription { nothing }'],
      ['NOT_FOUND', `subscription { conversation(id: "${NOBODY}") { __typename } }`],
      ['BAD_USER_INPUT', 'subscription { queue(pageSize: -1) { __typename } }'],
    ]
    for (const [code, query] of documents) {
      const errors = await new Promise<readonly GraphQLFormattedError[]>((resolve, reject) => {
        const take = (told: unknown): void =>
          Array.isArray(told) ? resolve(told as GraphQLFormattedError[]) : reject(new Error(String(told)))
        client.subscribe(
          { query: query! },
          { next: ({ errors: told }) => take(told), error: take, complete: () => undefined },
        )
      })
      expect([query, errors.map(({ extensions }) => extensions?.code)]).toEqual([query, [code]])
      errors.forEach(requireReason)
    }
    await client.dispose()
  })
})

/** Each list of the root with a filter, and the fields of the filter that take values of an enum. */
const enumFilters = Object.values(schema.getQueryType()!.getFields()).flatMap((field) => {
  const filter = field.args.find(({ name }) => name === 'filter')
  const type = filter && getNamedType(filter.type)
  if (!isInputObjectType(type) || field.args.some(isRequiredArgument)) return []
  return Object.values(type.getFields()).flatMap(({ name, type: inner }) => {
    const comparison = getNamedType(inner)
    const operand = isInputObjectType(comparison) && comparison.getFields().eq
    return operand && isEnumType(getNamedType(operand.type)) ? [[field.name, name, type.name] as const] : []
  })
})

describe('a filter with an unknown value', () => {
  it('exists for lists of the closed values', () => {
    expect(enumFilters.map(([list]) => list)).toEqual(expect.arrayContaining(['conversations', 'users', 'services']))
  })

  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, object> }
  it.each(enumFilters)('%s: %s', async (list, name, type) => {
    const query = `query ($filter: ${type}) { ${list}(filter: $filter) { pageInfo { hasNextPage } } }`
    for (const [condition, path] of [
      [{ eq: 'bogus' }, `filter.${name}.eq`],
      [{ in: ['bogus'] }, `filter.${name}.in[0]`],
    ] as const) {
      const { errors } = await app.gql(token, query, { filter: { [name]: condition } })
      expect(errors).toMatchObject([
        { message: expect.stringMatching(/"bogus" is not a .+; known are /), extensions: { field: path } },
      ])
    }
    if (!(`/v2/${list}` in paths)) return
    const { status, body } = await app.rest(token, 'GET', `/v2/${list}?${name}=bogus`)
    expect([status, body.field, body.message]).toEqual([
      400,
      name,
      expect.stringMatching(new RegExp(`^${name} must be one of .+, not "bogus"$`)),
    ])
  })
})
