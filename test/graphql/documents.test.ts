import { describe, expect, it } from '@jest/globals'
import { buildSchema, getIntrospectionQuery } from 'graphql'
import { DOCUMENT_LIMITS } from '../../src/api/graphql/document-limits.js'
import { DocumentRefused, Documents } from '../../src/api/graphql/documents.js'
import { PART_OF_RECORD } from '../../src/platform/lists/part-of-record.js'

const schema = buildSchema(`
  type Query { a: Node node(id: ID): Node items(first: Int, last: Int): ItemConnection! list: [Node!]! }
  type Mutation { touch(id: ID): Node }
  type Node { a: Node b: Node x: Int parts: [Part!]! items(first: Int): ItemConnection! }
  type ItemConnection { edges: [ItemEdge!]! nodes: [Node!]! pageInfo: PageInfo! totalCount: Int! }
  type ItemEdge { cursor: String! node: Node! }
  type PageInfo { hasNextPage: Boolean! }
  type Part { x: Int }`)
schema.getType('Part')!.extensions = PART_OF_RECORD

const documents = new Documents(schema)

function refusal(source: string, operationName: string | null = null): { code: unknown; message: string } | null {
  try {
    documents.prepare(source, operationName)
    return null
  } catch (error) {
    if (!(error instanceof DocumentRefused)) throw error
    const [first] = error.errors
    return { code: first!.extensions.code, message: first!.message }
  }
}

const nested = (depth: number, name = 'a'): string =>
  `${`${name} { `.repeat(depth - 1)}${name} { x }${' }'.repeat(depth - 1)}`
const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_each, index) => text(index)).join(' ')

/** Each fragment spreads the next one twice: 2^n fields in n lines. */
const fragmentBomb = (levels: number): string =>
  `{ ...F0 } ${repeat(levels, (index) => `fragment F${index} on Query { ...F${index + 1} x${index}: a { x } ...F${index + 1} }`)}
   fragment F${levels} on Query { a { x } }`

describe('a document', () => {
  it.each<[string, string, string]>([
    ['of too many characters', `{ a { x } } #${'x'.repeat(70_000)}`, 'characters'],
    ['of too many levels', `{ ${nested(15)} }`, 'levels'],
    [
      'of too many levels in fragments',
      `{ ${nested(8).replace('x', '...F')} } fragment F on Node { ${nested(8)} }`,
      'levels',
    ],
    ['that is a fragment bomb', fragmentBomb(30), 'fields'],
    ['with a fragment bomb that nothing uses', fragmentBomb(30).replace('{ ...F0 }', '{ a { x } }'), 'fields'],
    [
      'with a fragment that contains itself',
      '{ a { ...F } } fragment F on Node { a { ...G } } fragment G on Node { b { ...F } }',
      'contains itself',
    ],
    ['of too many root fields', `{ ${repeat(31, () => 'a { x }')} }`, 'root fields'],
    ['of too many aliases', `{ a { ${repeat(101, (index) => `y${index}: x`)} } }`, 'aliases'],
    ['of too many directives', `{ a ${repeat(21, () => '@include(if: true)')} { x } }`, 'directives'],
    ['of too many fields with the same name', `{ a { ${repeat(300, () => 'x')} } }`, 'comparisons'],
    ['of too many definitions', repeat(101, (index) => `query Q${index} { a { x } }`), 'definitions'],
    ['of too many levels of introspection', `{ __schema { types { ${nested(20, 'ofType')} } } }`, 'levels'],
  ])('%s is refused before validation', (_what, source, limit) => {
    expect(refusal(source)).toEqual({ code: 'DOCUMENT_TOO_LARGE', message: expect.stringContaining(limit) })
  })

  it('is refused when the limit is reached: what comes after it is not counted', () => {
    // 25 to the tenth, of which the last level alone is too many; and two to the sixtieth. To count them takes years.
    const level = (index: number): string =>
      `fragment W${index} on Node { ${repeat(25, (at) => `w${at}: a { ...W${index + 1} }`)} }`
    const wide = `{ a { ...W0 } } ${repeat(10, level)} fragment W10 on Node { ${repeat(100, () => 'x')} }`
    for (const source of [fragmentBomb(60), wide]) {
      expect(refusal(source)).toEqual({ code: 'DOCUMENT_TOO_LARGE', message: expect.stringContaining('fields') })
    }
  })

  it.each<[string, string, string | null]>([
    ['GRAPHQL_PARSE_FAILED', '{ a ', null],
    ['GRAPHQL_PARSE_FAILED', `{ ${repeat(4_000, () => 'a')} }`, null],
    ['GRAPHQL_VALIDATION_FAILED', '{ nothing }', null],
    [
      'GRAPHQL_VALIDATION_FAILED',
      '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
      null,
    ],
    ['OPERATION_RESOLUTION_FAILURE', 'query A { a { x } } query B { a { x } }', null],
    ['OPERATION_RESOLUTION_FAILURE', 'query A { a { x } }', 'B'],
  ])('that is wrong says so: %s', (code, source, operationName) => {
    expect(refusal(source, operationName)).toMatchObject({ code })
  })

  it('within the limits is accepted, including the introspection queries of tools', () => {
    expect(refusal(`{ ${nested(14)} }`)).toBeNull()
    expect(
      refusal(
        getIntrospectionQuery({
          descriptions: true,
          specifiedByUrl: true,
          inputValueDeprecation: true,
          schemaDescription: true,
        }),
      ),
    ).toBeNull()
  })

  it('is prepared once, and evicted when others were used more recently', () => {
    const few = new Documents(schema, DOCUMENT_LIMITS, { bytes: 1e9, bytesPerOwner: 1e9, entries: 1_000 })
    const prepare = (source: string) => few.prepare(source, null, 'one')
    const first = prepare('{ a { x } }')
    expect(prepare('{ a { x } }')).toBe(first)
    for (let index = 0; index < 1_500; index += 1) {
      prepare(`{ a { y${index}: x } }`)
      if (index % 500 === 0) prepare('{ a { x } }')
    }
    expect(few.kept.size).toBe(1_000)
    expect(prepare('{ a { x } }')).toBe(first)
  })

  it("is cached by its memory cost, charged to its caller's tenant only", () => {
    const kept = new Documents(schema)
    const theirs = kept.prepare('{ a { x } }', null, 'one')
    const large = (index: number): string => `{ a { ${`x `.repeat(100)} z${index}: x } } #${'x'.repeat(60_000)}`
    for (let index = 0; index < 500; index += 1) kept.prepare(large(index))
    expect(kept.kept.size).toBe(1)
    for (let index = 0; index < 500; index += 1) kept.prepare(large(index), null, 'another')
    expect(kept.kept.bytes).toBeLessThan(17 * 1024 * 1024)
    expect(kept.prepare('{ a { x } }', null, 'one')).toBe(theirs)
    for (let owner = 0; owner < 20; owner += 1) {
      for (let index = 0; index < 100; index += 1) kept.prepare(large(index + 1_000 * owner), null, `owner ${owner}`)
    }
    expect(kept.kept.bytes).toBeLessThan(65 * 1024 * 1024)
  })
})

describe('the cost of an operation', () => {
  const cost = (source: string, variables = {}): number => documents.prepare(source).cost(variables)

  it('counts objects, times the length of their pages', () => {
    expect(cost('{ a { x } }')).toBe(2)
    expect(cost('{ a { x a { x } b { x } } }')).toBe(4)
    expect(cost('mutation { touch { x } }')).toBe(11)
    expect(cost('{ items(first: 10) { edges { node { x } } } }')).toBe(1 + 10 * 3)
    expect(cost('{ items { edges { node { x } } } }')).toBe(1 + 30 * 3)
    expect(cost('{ items(first: 10) { nodes { x } } }')).toBe(1 + 10 * 2)
    expect(cost('{ items(first: 10) { nodes { x } edges { node { x } } } }')).toBe(1 + 10 * 4)
    expect(cost('{ items(first: 10) { nodes { x } other: nodes { x } } }')).toBe(1 + 10 * 3)
    expect(cost('{ items(last: 5) { pageInfo { hasNextPage } } }')).toBe(1 + 5 * 2)
    expect(cost('{ list { x } }')).toBe(11)
    // Values that come with their record are one object, however many.
    expect(cost('{ list { parts { x } } }')).toBe(1 + 10 * 2)
    expect(cost('{ items(first: 100) { edges { node { items(first: 100) { edges { node { x } } } } } } }')).toBe(
      1 + 100 * (3 + 300),
    )
    expect(cost('{ ...F } fragment F on Query { a { ... on Node { b { x } } } }')).toBe(3)
    expect(cost('{ __schema { types { name } } }')).toBe(1)
    // Each further name of a scalar counts, in whatever way it is selected; its first and repeated ones do not.
    expect(cost('{ a { x y: x z: x x } }')).toBe(4)
    expect(cost('{ list { ...F x } } fragment F on Node { ... on Node { y: x } z: x }')).toBe(1 + 10 * 3)
  })

  it('depends on the variables of each execution', () => {
    const source = 'query ($n: Int) { items(first: $n) { edges { node { items(first: $n) { edges { cursor } } } } } }'
    expect(cost(source, { n: 2 })).toBe(1 + 2 * (3 + 2 * 2))
    expect(cost(source, {})).toBe(1 + 30 * (3 + 30 * 2))
    expect(cost(source, { n: 1e308 })).toBe(1 + 100 * (3 + 100 * 2))
    expect(cost(source, { n: -5 })).toBe(cost(source, {}))
    expect(cost(source, { n: 'many' })).toBe(cost(source, {}))
  })
})
