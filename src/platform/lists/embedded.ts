import { isObjectType, type FieldNode, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql'
import type { Context } from '../context.js'
import type { TenantScope } from '../db/tenancy.js'
import type { Projection } from './projection.js'
import { selectionOf, selectionWithin, type Selection, type SelectionFinder } from './selection.js'

/**
 * A field's value that is read together with its row, as a JSON column: a page of conversations with their
 * participants, contacts and last messages takes one statement instead of five round trips, and building the answer
 * waits for nothing. Fields that are not embedded (for guests, and with `@skip` or `@include`) are loaded by the
 * resolvers.
 */
export interface Embed {
  /** Projection of the table that is read, with its own alias. Embeds only listed columns, never whole rows. */
  projection: Projection
  /**
   * Returns a sub-select of one JSON value for the row that it belongs to, within the scope.
   * @param object builds the JSON object of one of its rows; push further parameters to `values`
   */
  sql(object: string, scope: TenantScope, values: unknown[]): string
  /** Converts what was read to the field's value; absent if they are equal. */
  value?(read: never): unknown
  embeds?: Embeds
}

/** By field name. */
export type Embeds = Readonly<Record<string, Embed>>

/** The embeds of one operation, independent of scope and values. */
interface Plan {
  name: string
  embed: Embed
  /** Names and values of its JSON object. */
  pairs: readonly string[]
  within: readonly Plan[]
}

const plans = new WeakMap<FieldNode, readonly Plan[]>()
const NO_PLANS: readonly Plan[] = []

/**
 * Returns the columns, each preceded by a comma.
 * @param rowsIn finds the selection of rows in that of the field
 */
export function embeddedColumns(
  embeds: Embeds,
  { tenant, seesAsConsumer, hidesContacts }: Context,
  { fieldNodes, fragments, returnType }: GraphQLResolveInfo,
  rowsIn: SelectionFinder,
  values: unknown[],
): string {
  const node = fieldNodes.length === 1 ? fieldNodes[0]! : null
  if (!node || seesAsConsumer || hidesContacts) return ''
  let known = plans.get(node)
  if (!known) {
    const whole = selectionOf(node, returnType, fragments)
    const selection = whole && rowsIn(whole)
    plans.set(node, (known = selection ? plan(embeds, selection) : NO_PLANS))
  }
  return known.map((each) => `, ${sqlOf(each, tenant, values)} as "${keyOf(each.name)}"`).join('')
}

function plan(embeds: Embeds, selection: Selection): Plan[] {
  return Object.entries(embeds).flatMap(([name, embed]) => {
    const nodes = selection.fields.filter((each) => each.name.value === name)
    // Fields that may be skipped are only loaded on demand.
    if (nodes.length === 0 || nodes.some(({ directives }) => directives?.length)) return []
    const requested = selectionWithin(selection, name)
    const pairs = requested && embed.projection.pairsFor(requested)
    return pairs ? [{ name, embed, pairs, within: embed.embeds ? plan(embed.embeds, requested) : NO_PLANS }] : []
  })
}

function sqlOf({ embed, pairs, within }: Plan, scope: TenantScope, values: unknown[]): string {
  const inner = within.map((each) => `'${keyOf(each.name)}', ${sqlOf(each, scope, values)}`)
  return embed.sql(`json_build_object(${[...pairs, ...inner].join(', ')})`, scope, values)
}

/** Key of the value in a row: no column or field has such a name. */
function keyOf(name: string): string {
  return `+${name}`
}

/** Makes fields return the value that was read with their row; without one, the resolver is called. */
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
