import type { FieldNode, GraphQLResolveInfo } from 'graphql'
import type { LoaderDefinition } from '../context.js'
import { selectionOf, type Selection, type SelectionFinder } from './selection.js'

/** Columns that each field with a resolver, or composed of others, needs of its row. */
export type Reads = Readonly<Record<string, readonly string[]>>

/** Maximum number of select lists per table; further operations read all columns. */
const SELECT_LISTS_MAX = 100

/**
 * Reads only the columns that an operation selects. A conversation has 34, and parsing them costs more than everything
 * else for a page; most pages show a handful.
 *
 * A plain field reads the column of its name. A field with a resolver
 * reads the columns declared in `reads`; without a declaration the whole row is read.
 */
export class Projection {
  readonly #always: readonly string[]
  readonly #reads: Reads
  readonly #alias: string
  readonly #known = new WeakMap<FieldNode, string | null>()
  readonly #lists = new Set<string>()

  /** @param options.always properties that every row needs: its keys */
  constructor({ alias, always, reads }: { alias: string; always: readonly string[]; reads: Reads }) {
    this.#alias = alias
    this.#always = always
    this.#reads = reads
  }

  /**
   * Returns the select list for the selection of the field, with columns named like properties; null for all columns.
   * @param rowsIn finds the selection of rows in that of the field, if they are not the same
   */
  of({ fieldNodes, fragments, returnType }: GraphQLResolveInfo, rowsIn?: SelectionFinder): string | null {
    // Merged with another node here, but perhaps not in the next operation: too rare to be optimized.
    const node = fieldNodes.length === 1 ? fieldNodes[0]! : null
    if (!node) return null
    let list = this.#known.get(node)
    if (list === undefined) {
      const whole = selectionOf(node, returnType, fragments)
      const selection = whole && rowsIn ? rowsIn(whole) : whole
      const properties = selection && this.#propertiesOf(selection)
      list = properties && this.#keep(properties.map((property) => columnAs(this.#alias, property)).join(', '))
      this.#known.set(node, list)
    }
    return list
  }

  /** Returns the properties that a selection needs of a row, in a fixed order; null if that may be any. */
  #propertiesOf({ type, fields }: Selection): string[] | null {
    const properties = new Set(this.#always)
    for (const { name } of fields) {
      if (name.value === '__typename') continue
      const field = type.getFields()[name.value]
      const read = this.#reads[name.value] ?? (field?.resolve ? null : [name.value])
      if (!field || !read) return null
      for (const property of read) properties.add(property)
    }
    return [...properties].sort()
  }

  /** Returns the same as names and values for SQL's `json_build_object`; null when a selection needs whole rows. */
  pairsFor(selection: Selection): string[] | null {
    const properties = this.#propertiesOf(selection)
    return properties && properties.map((property) => `'${property}', ${this.#alias}.${columnOf(property)}`)
  }

  #keep(list: string): string | null {
    if (!this.#lists.has(list) && this.#lists.size >= SELECT_LISTS_MAX) return null
    this.#lists.add(list)
    return list
  }
}

/**
 * Creates loaders of the same records, one per select list.
 * @param make gets the select list, null for all columns
 */
export function projectedLoaders<V>(
  projection: Projection,
  make: (columns: string | null) => LoaderDefinition<V>,
): (info: GraphQLResolveInfo) => LoaderDefinition<V> {
  const made = new Map<string | null, LoaderDefinition<V>>()
  return (info) => {
    const columns = projection.of(info)
    let loader = made.get(columns)
    if (!loader) made.set(columns, (loader = make(columns)))
    return loader
  }
}

function columnAs(alias: string, property: string): string {
  const column = columnOf(property)
  return column === property ? `${alias}.${column}` : `${alias}.${column} as "${property}"`
}

function columnOf(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
