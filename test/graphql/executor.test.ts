import { describe, expect, it } from '@jest/globals'
import { buildSchema, parse } from 'graphql'
import type { Context } from '../../src/context.js'
import { compileOperation } from '../../src/graphql/executor.js'

const schema = buildSchema(`
  enum Color { RED GREEN }
  input Filter { name: String color: Color and: [Filter!] or: [Filter!] }
  type Query { echo(filter: Filter, first: Int = 3, loud: Boolean! = false): String! other: String }
`)
const color = schema.getType('Color') as unknown as { getValues(): { value: unknown }[] }
color.getValues()[0]!.value = 'red'
const fields = schema.getQueryType()!.getFields()
fields.echo!.resolve = (_root, args: object) => JSON.stringify(Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1)))
fields.other!.resolve = () => 'other'

/** The first run is interpreted, the later ones compiled. */
async function runTwice(source: string, variables: Record<string, unknown>): Promise<unknown[]> {
  const run = compileOperation(schema, parse(source))
  const answers = [await run(undefined, {} as Context, variables), await run(undefined, {} as Context, variables)]
  return answers.map((answer) => JSON.parse(JSON.stringify(answer)) as unknown)
}

describe('an operation that is run again', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['an input type that contains itself', 'query ($filter: Filter) { echo(filter: $filter) }',
      { filter: { and: [{ name: 'a' }, { or: [{ color: 'RED' }] }] } }],
    ['an enum with a value of its own', 'query ($color: Color!) { echo(filter: { color: $color }) }', { color: 'RED' }],
    ['a variable left to its default', 'query ($first: Int = 5, $loud: Boolean! = true) { echo(first: $first, loud: $loud) }', {}],
    ['a variable left out', 'query ($first: Int, $filter: Filter) { echo(first: $first, filter: $filter) }', {}],
    ['a condition left to its default', 'query ($more: Boolean! = false) { echo other @include(if: $more) }', {}],
    ['a value of a wrong type', 'query ($filter: Filter) { echo(filter: $filter) }', { filter: { and: [{ color: 'BLUE' }] } }],
    ['a value that is missing', 'query ($color: Color!) { echo(filter: { color: $color }) }', {}],
  ])('gives the same answer compiled: %s', async (_, source, variables) => {
    const [interpreted, compiled] = await runTwice(source, variables)
    expect(compiled).toEqual(interpreted)
  })
})
