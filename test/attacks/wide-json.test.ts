import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { buildSchema, getNamedType, isInputObjectType, type GraphQLInputType } from 'graphql'
import { parseJsonObject } from '../../src/platform/json.js'
import {
  parseRequestJson,
  REQUEST_MEMBERS_MAX,
  REQUEST_VALUES_MAX,
  UNKNOWN_VALUES_MAX,
} from '../../src/platform/request-json.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let server: TestServer
let admin: MadeUser
let token: string

beforeAll(async () => {
  server = await startTestServer({ GRAPHQL_COST_PER_MINUTE: '1000000000' })
  admin = await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin' })
  token = await server.tokenFor(admin)
})
afterAll(() => server.close())

const wide = (members: number): string => `{${Array.from({ length: members }, (_, at) => `"key${at}":${at}`).join()}}`

interface JsonInput {
  operation: string
  argument: string
  type: string
  /** Place of the JSON within the argument. */
  path: readonly string[]
}

/** Every place of the schema that takes JSON. */
function jsonInputs(): JsonInput[] {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
  const found: JsonInput[] = []
  const walk = (at: Omit<JsonInput, 'path'>, type: GraphQLInputType, path: string[], seen: Set<string>): void => {
    const named = getNamedType(type)
    if (named.name === 'JSON' || named.name === 'JSONObject') found.push({ ...at, path })
    if (!isInputObjectType(named) || seen.has(named.name)) return
    for (const field of Object.values(named.getFields()))
      walk(at, field.type, [...path, field.name], new Set([...seen, named.name]))
  }
  for (const root of [schema.getQueryType()!, schema.getMutationType()!]) {
    for (const field of Object.values(root.getFields()))
      for (const { name, type } of field.args)
        walk({ operation: field.name, argument: name, type: String(type) }, type, [], new Set())
  }
  return found
}

describe('an object with tens of thousands of members', () => {
  it('is refused before it is parsed, wherever the schema takes JSON', async () => {
    const inputs = jsonInputs()
    expect(inputs.length).toBeGreaterThan(50)
    const object = wide(60_000)
    const paths = new Map(inputs.map((input) => [input.path.join('.') || input.argument, input]))
    for (const { operation, argument, type, path } of paths.values()) {
      const value = path.reduceRight((inner, key) => `{"${key}":${inner}}`, object)
      const query = `query ($v: ${type}) { ${operation}(${argument}: $v) { __typename } }`
      const body = `{"query":${JSON.stringify(query)},"variables":{"v":${value}}}`
      const { status, body: answer } = await server.rest(admin, 'POST', '/graphql', body, {
        'content-type': 'application/json',
      })
      expect([operation, path, status]).toEqual([operation, path, 400])
      expect(answer.errors[0].message).toBe(`body has an object with more than ${REQUEST_MEMBERS_MAX} members`)
    }
  })

  it('is refused by /v2, of guests, and without credentials', async () => {
    const made = await server.gql(admin, 'mutation { createService(input: { type: "web", params: {} }) { id } }')
    const start = 'mutation ($s: ID!) { startGuestSession(service: $s) { tokens { token } } }'
    const { data } = await server.gql(null, start, { s: made.data.createService.id })
    const guest = data.startGuestSession.tokens.token as string
    const body = `{"meta":${wide(60_000)}}`
    const contact = await server.rest(admin, 'POST', '/v2/contacts', body, { 'content-type': 'application/json' })
    expect([contact.status, contact.body.code]).toEqual([400, 'BAD_USER_INPUT'])
    // Without credentials, it is too long before it is too wide.
    for (const [authorization, status] of [
      [`Bearer ${guest}`, 400],
      [`Bearer ${token}`, 400],
      [undefined, 413],
    ] as const) {
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
        body: `{"query":"{ __typename }","variables":${body}}`,
      })
      expect(response.status).toBe(status)
    }
  })

  it('may as well be many small ones: a user may send some thousand members, and others a thousand', async () => {
    const list = (count: number): string => `[${Array.from({ length: count }, (_, at) => `{"k${at}":0}`).join()}]`
    const ask = async (count: number, authorization?: string): Promise<string> => {
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
        body: `{"query":"query ($a: JSONObject) { __typename }","variables":{"a":{"list":${list(count)}}}}`,
      })
      const { errors } = (await response.json()) as { errors: { message: string }[] }
      return errors[0]!.message
    }
    const unused = 'Variable "$a" is never used.'
    expect(await ask(10_000, `Bearer ${token}`)).toBe(unused)
    expect(await ask(30_000, `Bearer ${token}`)).toMatch(`body has more than ${REQUEST_VALUES_MAX} members`)
    expect(await ask(600)).toMatch(`body has more than ${UNKNOWN_VALUES_MAX} members`)
    expect(await ask(300)).not.toMatch('members')
  })
})

describe('JSON that is too large', () => {
  it('is refused by its size without being copied', () => {
    const text = 'x'.repeat(65_535)
    expect(() => parseJsonObject({ text, more: { __proto__: null } }, 'meta')).toThrow(
      'meta has more than 65536 bytes as JSON, which is the maximum',
    )
    expect(() => parseJsonObject(JSON.parse(wide(8_000)), 'meta')).toThrow('meta has')
  })

  it.each([
    ['{"a": "x\\"{[:::"}', { a: 'x"{[:::' }],
    [String.raw`{"a\\": "\\", "b": ["\\\"", "}"]}`, { 'a\\': '\\', b: [String.raw`\"`, '}'] }],
    ['[[[]], {"a": {"b": []}}]', [[[]], { a: { b: [] } }]],
    [wide(REQUEST_MEMBERS_MAX), expect.objectContaining({ key0: 0 })],
  ])('is not what is only quoted: %.40s', (text, value) => {
    expect(parseRequestJson(text, 'body')).toEqual(value)
  })

  it.each([
    wide(REQUEST_MEMBERS_MAX + 1),
    `[${wide(REQUEST_MEMBERS_MAX + 1)}]`,
    `{"a":${'['.repeat(70)}`,
    `[${'[],'.repeat(30_000)}0]`,
    `[${'0,'.repeat(60_000)}0]`,
  ])('is refused by its shape: %.40s', (text) => {
    expect(() => parseRequestJson(text, 'body')).toThrow(/members|nests deeper/)
  })

  it.each(['{', '"', '"\\', '}}]]', '{"a":}', ''])('is said not to be JSON: %j', (text) => {
    expect(() => parseRequestJson(text, 'body')).toThrow('is not JSON')
  })
})
