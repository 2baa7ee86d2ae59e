import { describe, expect, it } from '@jest/globals'
import { buildSchema, getIntrospectionQuery, parse, type GraphQLEnumType, type GraphQLObjectType } from 'graphql'
import type { Context } from '../../src/platform/context.js'
import { Documents } from '../../src/api/graphql/documents.js'
import { compileOperation } from '../../src/api/graphql/executor.js'

const schema = buildSchema(`
  enum Color { RED GREEN }
  input Filter { name: String color: Color and: [Filter!] or: [Filter!] }
  type Query { echo(filter: Filter, first: Int = 3, loud: Boolean! = false): String! other: String }
`)
const color = schema.getType('Color') as unknown as { getValues(): { value: unknown }[] }
color.getValues()[0]!.value = 'red'
const fields = schema.getQueryType()!.getFields()
fields.echo!.resolve = (_root, args: object) =>
  JSON.stringify(Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1)))
fields.other!.resolve = () => 'other'

/** The first run is interpreted, the later ones compiled. */
async function runTwice(source: string, variables: Record<string, unknown>): Promise<unknown[]> {
  const run = compileOperation(schema, parse(source), undefined, 1)
  const answers = [await run(undefined, {} as Context, variables), await run(undefined, {} as Context, variables)]
  return answers.map((answer) => JSON.parse(JSON.stringify(answer)) as unknown)
}

describe('an operation that is run again', () => {
  it.each<[string, string, Record<string, unknown>]>([
    [
      'an input type that contains itself',
      'query ($filter: Filter) { echo(filter: $filter) }',
      { filter: { and: [{ name: 'a' }, { or: [{ color: 'RED' }] }] } },
    ],
    ['an enum with a value of its own', 'query ($color: Color!) { echo(filter: { color: $color }) }', { color: 'RED' }],
    [
      'a variable left to its default',
      'query ($first: Int = 5, $loud: Boolean! = true) { echo(first: $first, loud: $loud) }',
      {},
    ],
    ['a variable left out', 'query ($first: Int, $filter: Filter) { echo(first: $first, filter: $filter) }', {}],
    ['a condition left to its default', 'query ($more: Boolean! = false) { echo other @include(if: $more) }', {}],
    [
      'a value of a wrong type',
      'query ($filter: Filter) { echo(filter: $filter) }',
      { filter: { and: [{ color: 'BLUE' }] } },
    ],
    [
      'literals that could be code',
      String.raw`{ echo(filter: { name: "\"'+process.exit()+'\u2028\\", color: RED }) other }`,
      {},
    ],
    ['a block string', '{ echo(filter: { name: """`${1}` " \\ */ // """ }) }', {}],
    ['a value that is missing', 'query ($color: Color!) { echo(filter: { color: $color }) }', {}],
  ])('gives the same answer compiled: %s', async (_, source, variables) => {
    const [interpreted, compiled] = await runTwice(source, variables)
    expect(compiled).toEqual(interpreted)
  })
})

const tree = buildSchema(`
  enum Color { RED GREEN }
  scalar DateTime
  interface Named { name: String! }
  type Dog implements Named { name: String! barks: Boolean color: Color friends: [Named!] }
  type Cat implements Named { name: String! lives: Int! born: DateTime colors: [Color] }
  union Pet = Dog | Cat
  type Query {
    odd: Pet oddLater: Pet oddList: [Pet] oddMember: Cat
    pets(first: Int = 2, after: DateTime): [Pet!]! maybe: [Pet] named: [Named]
    late(ms: Int): Cat fails: String failsHard: String! nested: Box strict: Box nothing: [Int!] numbers: [[Int]]
  }
  type Box { box: Box pet: Pet! cat: Cat! value: Int! fails: Int! list: [Cat!]! }
`)
const enumValues = (tree.getType('Color') as GraphQLEnumType).getValues()
for (const value of enumValues) value.value = value.name.toLowerCase()
const internal = tree.getType('Color') as unknown as { _valueLookup: Map<unknown, unknown> }
internal._valueLookup = new Map(enumValues.map((value) => [value.value, value]))
Object.assign(tree.getType('DateTime')!, {
  serialize: (value: unknown) => {
    if (value instanceof Date) return value.toISOString()
    throw new TypeError(`${String(value)} is no date`)
  },
})
const dog = { __typename: 'Dog', name: 'Rex', barks: null, color: 'red' }
const cat = { __typename: 'Cat', name: 'Tom', lives: 9, born: new Date(0), colors: ['green', null, 'red'] }
const brokenCat = { __typename: 'Cat', name: 'Broken', lives: null, born: 'yesterday', colors: ['blue'] }
/** Throws whatever it is asked. */
const hostile = new Proxy(
  {},
  {
    get(_target, key) {
      if (key === 'then') return undefined
      throw new Error(`no ${String(key)}`)
    },
  },
)
const resolvers: Record<string, (root: unknown, args: { first: number; ms: number }) => unknown> = {
  pets: (_root, { first }) => [dog, cat, dog].slice(0, first),
  maybe: () => [Promise.resolve(dog), null, cat, Promise.reject(new Error('lost')), brokenCat],
  named: async () => [dog, Promise.resolve(cat), undefined],
  late: async () => brokenCat,
  fails: () => Promise.reject(new Error('no')),
  failsHard: () => {
    throw new Error('not at all')
  },
  nested: () => ({ box: { box: { pet: dog, value: 1 }, value: 2, list: [cat, cat] } }),
  strict: () => ({ box: null, pet: null, cat: brokenCat, value: 'x', list: [cat, brokenCat] }),
  odd: () => ({ __typename: 'Nobody' }),
  oddLater: async () => hostile,
  oddList: async () => [dog, hostile, cat],
  oddMember: async () => hostile,
  nothing: () => [],
  numbers: () => [[1, null], null, []],
}
const queryFields = tree.getQueryType()!.getFields()
for (const [name, resolve] of Object.entries(resolvers)) queryFields[name]!.resolve = resolve
const box = (tree.getType('Box') as GraphQLObjectType).getFields()
box.fails!.resolve = async () => {
  throw new Error('in the box')
}

const byPath = (one: unknown, other: unknown): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)

describe('a compiled operation', () => {
  it.each<[string, string, Record<string, unknown>?]>([
    [
      'unions and fragments',
      `{ pets { __typename ...D ... on Cat { lives born colors } } }
      fragment D on Dog { color ...N } fragment N on Named { name }`,
    ],
    ['interfaces and aliases', '{ a: named { name n: name ... on Dog { b: barks } ... on Cat { b: lives } } }'],
    [
      'fields that are selected twice',
      '{ nested { box { value } } nested { box { box { value pet { ... on Dog { name } } } } } }',
    ],
    [
      'defaults, variables and literals',
      'query ($n: Int = 1) { pets(first: $n) { __typename } b: pets { __typename } c: pets(first: 3) { __typename } }',
    ],
    ['a variable that is null', 'query ($n: Int) { pets(first: $n) { __typename } }', { n: null }],
    [
      'conditions',
      `query ($yes: Boolean!, $no: Boolean = false) { pets { ... @include(if: $no) { __typename }
      ... on Dog @skip(if: $no) { name @include(if: $yes) color @skip(if: $yes) } ...C @include(if: $yes) } fails @include(if: $no) }
      fragment C on Cat { lives @skip(if: $no) }`,
      { yes: true },
    ],
    ['nothing at all', 'query ($no: Boolean = false) { nothing @include(if: $no) }'],
    ['lists of lists, and empty ones', '{ nothing numbers }'],
    ['promises in lists, and their failures', '{ maybe { ... on Dog { name } ... on Cat { name born } } }'],
    ['a null that is not allowed, in a list of what may be null', '{ maybe { ... on Cat { lives } } }'],
    ['a null that goes up', '{ strict { cat { lives } } nested { box { value } } }'],
    ['a null that goes up to the root', '{ failsHard nothing }'],
    ['a null in a list that is not allowed', '{ strict { list { lives } } fails }'],
    ['values that do not fit their type', '{ late { colors born } strict { value } }'],
    ['failures on the way', '{ fails nested { box { fails value } } }'],
    ['a type that is none', '{ odd { __typename } nothing }'],
    ['a union that is null', '{ strict { pet { __typename } } }'],
  ])('gives what graphql-js gives: %s', async (_what, source, variables = {}) => {
    const run = compileOperation(tree, parse(source), undefined, 1)
    const answers = []
    for (let count = 0; count < 3; count += 1) {
      const { data, errors } = await run(undefined, {} as Context, variables)
      const found = errors?.map(({ path, locations }) => ({ path, locations })).toSorted(byPath)
      answers.push(JSON.parse(JSON.stringify({ data, errors: found })) as unknown)
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  it('fails the field whose values cannot be read, and is answered', async () => {
    const run = compileOperation(
      tree,
      parse('{ oddLater { __typename } oddList { __typename } oddMember { name } nothing }'),
      undefined,
      1,
    )
    await run(undefined, {} as Context, {})
    const { data, errors } = await run(undefined, {} as Context, {})
    expect(data).toEqual({ oddLater: null, oddList: null, oddMember: null, nothing: [] })
    expect(errors!.map(({ path }) => path)).toEqual([['oddLater'], ['oddList'], ['oddMember']])
  })

  it('answers the whole introspection query', async () => {
    const { document } = new Documents(tree).prepare(
      getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }),
    )
    const run = compileOperation(tree, document, undefined, 1)
    const interpreted = await run(undefined, {} as Context, {})
    const compiled = await run(undefined, {} as Context, {})
    expect(JSON.parse(JSON.stringify(compiled))).toEqual(JSON.parse(JSON.stringify(interpreted)))
    expect(interpreted.errors).toBeUndefined()
  })
})
