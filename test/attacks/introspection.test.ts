import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { buildSchema, executeSync, getIntrospectionQuery, parse, type OperationDefinitionNode } from 'graphql'
import { readFileSync } from 'node:fs'
import { IntrospectionCost } from '../../src/api/graphql/introspection-cost.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

/** Most of what can be asked of each type. */
const TYPES = `types { name description fields { name description args { name type { name ofType { name ofType { name } } } }
  type { name ofType { name ofType { name } } } } inputFields { name type { name } } enumValues { name } }`
const ADDRESS_BUDGET = 10

let server: TestServer
/** Agents of two contact centers, made before the budget of this address is spent. */
let agents: string[]
beforeAll(async () => {
  server = await startTestServer({ GRAPHQL_COST_PER_MINUTE: '1000000' })
  agents = await Promise.all(
    [1, 2].map(async () => server.tokenFor(await server.makeUser({ organization: await server.makeContactCenter() }))),
  )
})
afterAll(() => server.close())

const post = async (query: string, token?: string): Promise<{ status: number; text: string }> => {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query }),
  })
  return { status: response.status, text: await response.text() }
}

/** The number of fields of a result. */
function fieldsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const each = Object.values(value)
  return each.reduce((sum, inner) => sum + fieldsOf(inner), Array.isArray(value) ? 0 : each.length)
}

it.each([
  ['that repeat the schema', `{ ${Array.from({ length: 30 }, (_, n) => `a${n}: __schema { ${TYPES} }`).join(' ')} }`],
  ['that repeat its types', `{ __schema { ${Array.from({ length: 30 }, (_, n) => `a${n}: ${TYPES}`).join(' ')} } }`],
  ['of types of types', '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }'],
  [
    'of the types that implement the interfaces of each type',
    `{ __schema { types { interfaces { possibleTypes { ${Array.from({ length: 90 }, (_, n) => `n${n}: name`).join(' ')} } } } } }`,
  ],
  [
    'by a fragment',
    `{ ...F ...G } fragment F on Query { a: __schema { ${TYPES} } b: __schema { ${TYPES} } }
    fragment G on Query { c: __schema { ${TYPES} } }`,
  ],
])('refuses aliases %s', async (_how, query) => {
  const { status, text } = await post(query)
  expect([status, text]).toEqual([
    400,
    expect.stringMatching(/the introspection may resolve|Maximum introspection depth/),
  ])
})

it('counts at least as many fields as each list of a list resolves', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
  const cost = new IntrospectionCost(schema)
  const lists: Record<string, string[]> = {
    __schema: ['types', 'directives'],
    types: ['fields', 'inputFields', 'enumValues', 'interfaces', 'possibleTypes'],
    interfaces: ['fields', 'interfaces', 'possibleTypes'],
    possibleTypes: ['fields', 'interfaces', 'possibleTypes'],
    fields: ['args'],
    directives: ['args'],
  }
  const chains = (from: string, levels: number): string[] =>
    levels === 0
      ? []
      : (lists[from] ?? []).flatMap((to) => [to, ...chains(to, levels - 1).map((more) => `${to} { ${more}`)])
  const all = chains('__schema', 3)
  expect(all.length).toBeGreaterThan(10)
  for (const chain of all) {
    const query = `{ __schema { ${chain} { name${' }'.repeat(chain.split('{').length)} } }`
    const document = parse(query)
    const [operation] = document.definitions as OperationDefinitionNode[]
    const { data } = executeSync({ schema, document })
    const estimated = Math.ceil(cost.ofSelection(operation!.selectionSet, new Map()))
    expect([query, estimated >= fieldsOf(data)]).toEqual([query, true])
  }
})

it("answers tools' introspection queries, a few times a minute without credentials", async () => {
  const whole = getIntrospectionQuery({ specifiedByUrl: true, schemaDescription: true, inputValueDeprecation: true })
  expect((await post(whole)).status).toBe(200)
  const statuses: number[] = []
  // No longer than that: on a slow machine its minute would be over.
  while (statuses.at(-1) !== 429 && statuses.length < 1.5 * ADDRESS_BUDGET) {
    statuses.push((await post(`${whole}#${statuses.length}`)).status)
  }
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})

it('does not delay others while an agent requests the schema repeatedly', async () => {
  const [attacker, other] = agents
  let isOver = false
  let answered = 0
  const whole = getIntrospectionQuery()
  const attack = Array.from({ length: 8 }, async (_, connection) => {
    for (let index = 0; !isOver; index += 1) {
      await post(`${whole}#${connection}.${index}`, attacker)
      answered += 1
    }
  })
  await until(() => answered > 0)
  const overtaken: number[] = []
  for (let index = 0; index < 20; index += 1) {
    const before = answered
    expect((await post('{ me { id } }', other)).status).toBe(200)
    overtaken.push(answered - before)
  }
  isOver = true
  await Promise.all(attack)
  // In the order of their arrival it would be behind all eight each time.
  expect(overtaken.toSorted((one, another) => one - another)[10]).toBeLessThanOrEqual(2)
})
