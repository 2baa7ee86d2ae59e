import { DOCUMENT_LIMITS } from '../../src/api/graphql/document-limits.js'
import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isUnionType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLUnionType,
} from 'graphql'

export type Field = GraphQLField<unknown, unknown>
export type Root = 'query' | 'mutation' | 'subscription'

/** Every field that a client can begin with. */
export function rootFields(schema: GraphQLSchema): { root: Root; field: Field }[] {
  return (
    [
      ['query', schema.getQueryType()],
      ['mutation', schema.getMutationType()],
      ['subscription', schema.getSubscriptionType()],
    ] as const
  ).flatMap(([root, type]) => Object.values(type!.getFields()).map((field) => ({ root, field })))
}

/** The field with these of its arguments as variables, and all that it can show. */
export function documentOf(root: Root, field: Field, names: readonly string[], omitted: ReadonlySet<string>): string {
  const given = field.args.filter(({ name }) => names.includes(name))
  const declared = given.map(({ name, type }) => `$${name}: ${type.toString()}`).join(', ')
  const isPage = field.args.some(({ name }) => name === 'first') && !names.includes('first')
  const passed = [...given.map(({ name }) => `${name}: $${name}`), ...(isPage ? [`first: ${PAGE}`] : [])].join(', ')
  const head = `${root}${declared && ` (${declared})`}`
  const withDepth = (depth: number): string => {
    const selection = selectionOf(field.type, { depth, omitted, clashing: NONE })
    return `${head} { ${field.name}${passed && `(${passed})`} ${selection} }`
  }
  const whole = withDepth(DEPTH[root])
  return whole.match(TOKENS)!.length <= DOCUMENT_LIMITS.tokens ? whole : withDepth(DEPTH[root] - 1)
}

/** Roughly the tokens of GraphQL. */
const TOKENS = /\w+|[^\s,\w]/g

/** Levels of others that a record shows, and those of others. */
const DEPTH: Readonly<Record<Root, number>> = { query: 2, mutation: 1, subscription: 2 }
/** More than the records of a place that a list shows. */
const PAGE = 5
/** Pages stand between a list and its records. */
const WRAPPERS = /Connection$|Edge$/
/** The records of a page once more, which `edges` shows. */
const SHOWN_BY_EDGES = 'nodes'

const NONE: ReadonlySet<string> = new Set()

interface Selecting {
  depth: number
  /** Fields that need a scope of their own. */
  omitted: ReadonlySet<string>
  /** Names that have another type in another member of the union. */
  clashing: ReadonlySet<string>
}

/** All fields to a depth; what a record refers to is shown as well. */
function selectionOf(type: GraphQLOutputType, { depth, omitted, clashing }: Selecting): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  if (isUnionType(named)) {
    const within = { depth, omitted, clashing: clashesOf(named) }
    const members = named.getTypes().map((each) => `... on ${each.name} ${selectionOf(each, within)}`)
    return `{ __typename ${members.join(' ')} }`
  }
  const below = WRAPPERS.test(named.name) ? depth : depth - 1
  const fields = Object.values(named.getFields()).flatMap((field) => {
    if (field.name === SHOWN_BY_EDGES && named.name.endsWith('Connection')) return []
    if (omitted.has(field.name) || field.args.some(({ type: argument }) => isNonNullType(argument))) return []
    const isLeaf = isLeafType(getNamedType(field.type))
    if (!isLeaf && below < 0) return []
    const selection = selectionOf(field.type, { depth: below, omitted, clashing: NONE })
    const alias = clashing.has(field.name) ? `${named.name}_${field.name}: ` : ''
    return isLeaf || selection !== '{  }' ? [`${alias}${field.name} ${selection}`] : []
  })
  return `{ ${fields.join(' ')} }`
}

/** Names that have several types among the members of a union. */
function clashesOf(union: GraphQLUnionType): Set<string> {
  const types = new Map<string, Set<string>>()
  for (const { name, type } of union.getTypes().flatMap((member) => Object.values(member.getFields()))) {
    types.set(name, (types.get(name) ?? new Set()).add(type.toString()))
  }
  return new Set([...types].filter(([, each]) => each.size > 1).map(([name]) => name))
}

/** Paths in a field's arguments where a record may be named, as the schema has them: `input.members.user`. */
export function idPaths(field: Field): string[] {
  return field.args.flatMap(({ name, type }) => (name === 'filter' ? [] : pathsBelow(type, name, [])))
}

/** Paths in the filter of a list where a record is named: `members.user`. */
export function filterPaths(field: Field): string[] {
  const filter = field.args.find(({ name }) => name === 'filter')
  if (!filter) return []
  const paths = pathsBelow(filter.type, '', []).map((path) => path.slice(1))
  // Without an operator it is a plain list of ids, which samples name.
  const compared = paths.filter((path) => /\.(eq|ne|in)$/.test(path))
  return [...new Set(compared.map((path) => path.replace(/\.[a-z]+$/, '')))]
}

function pathsBelow(type: GraphQLInputType, path: string, above: readonly string[]): string[] {
  const named = getNamedType(type)
  if (!isInputObjectType(named)) return named.name === 'ID' ? [path] : []
  if (above.includes(named.name)) return []
  return Object.values(named.getFields()).flatMap((field) =>
    pathsBelow(field.type, `${path}.${field.name}`, [...above, named.name]),
  )
}

/** The value as `/v2` takes it: enums in the specification's own text. */
export function restValue(type: GraphQLInputType, value: unknown): unknown {
  const bare = getNullableType(type)
  if (value === null || value === undefined) return value
  if (isListType(bare)) return (value as unknown[]).map((member) => restValue(bare.ofType, member))
  if (isEnumType(bare)) {
    const text = (value as string).toLowerCase()
    if (bare.name === 'MacroStepKind') return text.replace(/_(\w)/, (_, letter: string) => letter.toUpperCase())
    return bare.name === 'DayOfWeek' ? text[0]!.toUpperCase() + text.slice(1) : text
  }
  if (!isInputObjectType(bare)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const field = bare.getFields()[key]
      if (!field) throw new Error(`${bare.name} has no ${key}`)
      return [key, restValue(field.type, member)]
    }),
  )
}
