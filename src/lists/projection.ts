import {
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from 'graphql'
import type { LoaderDefinition } from '../context.js'

/** For each field that has a resolver, the properties of the row that the resolver reads. */
export type Reads = Readonly<Record<string, readonly string[]>>

/** Different select lists of one table; an operation that wants yet another reads all columns. */
const SELECT_LISTS_MAX = 100

/**
 * Reads only the columns that an operation asks for. A row of a conversation has 34, and taking them in costs more than
 * all else that is done for a page; most pages show a handful.
 *
 * A plain field reads the column of its name. A field with a resolver reads what it declares in `reads`; one that
 * declares nothing makes the whole row be read.
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
   * The select list for what an operation asks of the objects at `path` below the field, its columns named as
   * properties; null when all columns are to be read.
   */
  of({ fieldNodes, fragments, returnType }: GraphQLResolveInfo, ...path: string[]): string | null {
    // Merged with another node in this operation, and perhaps alone in the next: too rare to be worth a thought.
    const node = fieldNodes.length === 1 ? fieldNodes[0]! : null
    if (!node) return null
    let list = this.#known.get(node)
    if (list === undefined) this.#known.set(node, (list = this.#build(node, fragments, returnType, path)))
    return list
  }

  #build(
    node: FieldNode,
    fragments: GraphQLResolveInfo['fragments'],
    returnType: GraphQLOutputType,
    path: readonly string[],
  ): string | null {
    let type = objectTypeOf(returnType)
    let selections = node.selectionSet ? [node.selectionSet] : []
    for (const name of path) {
      const field = type?.getFields()[name]
      type = field ? objectTypeOf(field.type) : null
      selections = fieldsOf(selections, fragments)
        .filter((each) => each.name.value === name)
        .flatMap(({ selectionSet }) => selectionSet ?? [])
    }
    if (!type) return null
    const properties = new Set(this.#always)
    for (const { name } of fieldsOf(selections, fragments)) {
      if (name.value === '__typename') continue
      const field = type.getFields()[name.value]
      const read = field?.resolve ? this.#reads[name.value] : [name.value]
      if (!field || !read) return null
      for (const property of read) properties.add(property)
    }
    return this.#keep([...properties].sort().map((property) => columnAs(this.#alias, property)).join(', '))
  }

  #keep(list: string): string | null {
    if (!this.#lists.has(list) && this.#lists.size >= SELECT_LISTS_MAX) return null
    this.#lists.add(list)
    return list
  }
}

/**
 * Loaders of the same records, one for each select list.
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

/** The fields selected, through fragments; `@skip` and `@include` may leave some of them out. */
function fieldsOf(sets: readonly SelectionSetNode[], fragments: GraphQLResolveInfo['fragments']): FieldNode[] {
  return sets.flatMap(({ selections }) =>
    selections.flatMap((node) => {
      if (node.kind === Kind.FIELD) return [node]
      const set = node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments[node.name.value]?.selectionSet
      return set ? fieldsOf([set], fragments) : []
    }),
  )
}

function objectTypeOf(type: GraphQLOutputType) {
  let inner = getNullableType(type)
  while (isListType(inner)) inner = isNonNullType(inner.ofType) ? inner.ofType.ofType : inner.ofType
  return isObjectType(inner) ? inner : null
}

function columnAs(alias: string, property: string): string {
  const column = property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return column === property ? `${alias}.${column}` : `${alias}.${column} as "${property}"`
}
