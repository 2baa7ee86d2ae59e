import { afterAll, describe, expect, it } from '@jest/globals'
import { buildSchema } from 'graphql'
import pino from 'pino'
import type { Context } from '../../src/platform/context.js'
import { BadUserInput } from '../../src/platform/errors.js'
import { createGraphqlHttp, type GraphqlHttp } from '../../src/api/graphql/apollo.js'
import type { GraphqlHttpRequest } from '../../src/api/graphql/http-exchange.js'
import { openOperations } from '../support/operations.js'
import { readPlainRequest } from '../../src/api/graphql/plain-request.js'

const log = pino({ level: 'silent' })
const schema = buildSchema('type Query { hello(name: String): String fail: String } type Mutation { touch: Boolean }')
schema.getQueryType()!.getFields().hello!.resolve = (_root, { name }: { name?: string }) => `hello ${name ?? 'you'}`
schema.getQueryType()!.getFields().fail!.resolve = () => {
  throw new BadUserInput('name', 'name is not good')
}
const ctx = { maybeCaller: { key: 'user:1', path: ['one'] }, requestId: 'one', log } as unknown as Context
const started: GraphqlHttp[] = []

afterAll(async () => {
  for (const each of started) await each.stop()
})

async function start(costPerMinute = 1_000): Promise<GraphqlHttp> {
  const operations = openOperations(schema, costPerMinute)
  const graphqlHttp = await createGraphqlHttp(operations, log)
  started.push(graphqlHttp)
  return graphqlHttp
}

const post = (body: unknown, headers: Record<string, string> = {}): GraphqlHttpRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  search: '',
  body,
})

/** Returns what the route sends; fastify adds the length itself. */
async function answerOf(graphqlHttp: GraphqlHttp, request: GraphqlHttpRequest): Promise<unknown> {
  const { status, headers, body } = await graphqlHttp.respond(request, ctx)
  // What is left of the budget differs each time.
  const { 'content-length': _length, ratelimit: _left, ...rest } = Object.fromEntries(headers)
  return { status, headers: rest, body }
}

describe('a plain request', () => {
  const bodies = {
    'a query': { query: '{ hello }' },
    'one with all members': {
      query: 'query A($n: String) { hello(name: $n) } query B { fail }',
      operationName: 'A',
      variables: { n: 'Ann' },
      extensions: null,
    },
    'a mutation': { query: 'mutation { touch }', variables: null },
    'an error of a resolver': { query: '{ hello fail }' },
    'a syntax error': { query: '{ hello' },
    'an unknown field': { query: '{ bye }' },
    'a bad variable': { query: 'query A($n: String) { hello(name: $n) }', variables: { n: 5 } },
    'an unknown operation': { query: '{ hello }', operationName: 'B' },
    'a subscription': { query: 'subscription { hello }' },
  }
  const accepts = [
    undefined,
    '*/*',
    'application/json',
    'application/graphql-response+json',
    'text/html',
    'application/graphql-response+json, application/json;q=0.9',
    'application/json, text/plain, */*',
  ]

  it.each(Object.entries(bodies))('gets the same response as from Apollo: %s', async (_what, body) => {
    for (const accept of accepts) {
      const request = post(body, accept === undefined ? {} : { accept })
      expect(readPlainRequest(request)).not.toBeNull()
      const graphqlHttp = await start()
      const byApollo = await answerOf(graphqlHttp, request)
      expect(await answerOf(graphqlHttp, request)).toEqual(byApollo)
    }
  })

  it('gets Retry-After in both cases', async () => {
    for (const costPerMinute of [1, 2]) {
      const graphqlHttp = await start(costPerMinute)
      const answers = [1, 2, 3].map(() => graphqlHttp.respond(post({ query: '{ hello }' }), ctx))
      const refused = (await Promise.all(answers)).at(-1)!
      expect(refused.status).toBe(429)
      expect(Number(new Map(refused.headers).get('retry-after'))).toBeGreaterThan(0)
    }
  })
})

describe('any other request', () => {
  it.each<[string, GraphqlHttpRequest]>([
    ['GET', { ...post(undefined), method: 'GET' }],
    ['a form', post({ query: '{ hello }' }, { 'content-type': 'text/plain' })],
    ['another charset', post({ query: '{ hello }' }, { 'content-type': 'application/json; charset=utf-16' })],
    ['a list', post([{ query: '{ hello }' }])],
    ['no body', post(undefined)],
    ['no query', post({ variables: {} })],
    ['an empty query', post({ query: '' })],
    ['a query that is no text', post({ query: 5 })],
    ['variables that are text', post({ query: '{ hello }', variables: '{}' })],
    ['variables that are a list', post({ query: '{ hello }', variables: [] })],
    ['an operation name that is no text', post({ query: '{ hello }', operationName: 5 })],
    ['extensions', post({ query: '{ hello }', extensions: { persistedQuery: { version: 1 } } })],
    ['a member that is none', post({ query: '{ hello }', id: 'x' })],
  ])('is left to Apollo: %s', (_what, request) => {
    expect(readPlainRequest(request)).toBeNull()
  })

  it('is refused each time if no caller may send it', async () => {
    const graphqlHttp = await start()
    for (let times = 0; times < 3; times++) {
      const { status } = await graphqlHttp.respond(post({ query: '{ hello }' }, { accept: 'text/html' }), ctx)
      expect(status).toBe(406)
    }
  })
})
