import { isObjectType, type FieldNode, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql'
import type { Context } from '../context.js'
import type { TenantScope } from '../db/tenancy.js'
import type { Projection } from './projection.js'
import { selectionOf, selectionWithin, type Selection } from './selection.js'

/**
 * A field's value, read with the row that it belongs to as one column of JSON: a page of conversations with their
 * participants, contacts and last messages is one statement in place of five, each of which costs a round trip, and
 * nothing is waited for while the answer is put together. What is not embedded (for guests, and behind `@skip` and
 * `@include`) is loaded by the resolvers.
 */
export interface Embed {
  /** Of the table that is read; an alias of its own. Only what can be named is embedded, and never whole rows. */
  projection: Projection
  /**
   * A sub-select of one JSON value for the row that it belongs to, within the scope.
   * @param object makes the JSON object of one of its rows; push what else it needs to `values`
   */
  sql(object: string, scope: TenantScope, values: unknown[]): string
  /** The field's value, of what was read; the same when absent. */
  value?(read: never): unknown
  embeds?: Embeds
}

/** By the field's name. */
export type Embeds = Readonly<Record<string, Embed>>

/** What one operation embeds: known before the scope and its values are. */
interface Plan {
  name: string
  embed: Embed
  /** Of its JSON object. */
  pairs: readonly string[]
  within: readonly Plan[]
}

const plans = new WeakMap<FieldNode, readonly Plan[]>()
const NO_PLANS: readonly Plan[] = []

/** The columns, each after a comma, for what an operation asks of the objects at `path` below the field. */
export function embeddedColumns(
  embeds: Embeds,
  { tenant, seesAsConsumer }: Context,
  { fieldNodes, fragments, returnType }: GraphQLResolveInfo,
  path: readonly string[],
  values: unknown[],
): string {
  const node = fieldNodes.length === 1 ? fieldNodes[0]! : null
  if (!node || seesAsConsumer) return ''
  let known = plans.get(node)
  if (!known) {
    let selection = selectionOf(node, returnType, fragments)
    for (const name of path) selection &&= selectionWithin(selection, name)
    plans.set(node, (known = selection ? plan(embeds, selection) : NO_PLANS))
  }
  return known.map((each) => `, ${sqlOf(each, tenant, values)} as "${keyOf(each.name)}"`).join('')
}

function plan(embeds: Embeds, selection: Selection): Plan[] {
  return Object.entries(embeds).flatMap(([name, embed]) => {
    const nodes = selection.fields.filter((each) => each.name.value === name)
    // What may be skipped is not read before it is asked for.
    if (nodes.length === 0 || nodes.some(({ directives }) => directives?.length)) return []
    const asked = selectionWithin(selection, name)
    const pairs = asked && embed.projection.pairsFor(asked)
    return pairs ? [{ name, embed, pairs, within: embed.embeds ? plan(embed.embeds, asked) : NO_PLANS }] : []
  })
}

function sqlOf({ embed, pairs, within }: Plan, scope: TenantScope, values: unknown[]): string {
  const inner = within.map((each) => `'${keyOf(each.name)}', ${sqlOf(each, scope, values)}`)
  return embed.sql(`json_build_object(${[...pairs, ...inner].join(', ')})`, scope, values)
}

/** Where a row has it: no column, and no field, is called so. */
function keyOf(name: string): string {
  return `+${name}`
}

/** Makes fields give what was read with their row; the resolver is asked where nothing was. */
export function preferEmbedded(schema: GraphQLSchema, embedsOfTypes: Readonly<Record<string, Embeds>>): void {
  for (const [typeName, embeds] of Object.entries(embedsOfTypes)) {
    const type = schema.getType(typeName)
    if (!isObjectType(type)) throw new Error(`${typeName} is not an object type`)
    for (const [name, { value }] of Object.entries(embeds)) {
      const field = type.getFields()[name]!
      const resolve = field.resolve!
      const key = keyOf(name)
      field.resolve = (row: Record<string, unknown>, args, ctx, info) => {
        const read = row[key]
        if (read === undefined) return resolve(row, args, ctx, info)
        return value && read !== null ? value(read as never) : read
      }
    }
  }
}
