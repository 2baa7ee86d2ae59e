import {
  getNamedType,
  isCompositeType,
  isListType,
  getNullableType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { isPartOfRecord } from '../../platform/lists/part-of-record.js'
import { fragmentsOf, type Fragments } from './fragments.js'

export type Variables = Readonly<Record<string, unknown>>
/**
 * Estimates the number of objects that an execution may load: 1 for each field that is an object, times its page
 * length. Scalars come with their object, but each further alias of one counts as an object: it repeats a value that may
 * be long. A field that differs says so in its `@Extensions`: `cost` of a scalar, or of an object beyond its own 1, `listLength` of a list
 * without pages.
 */
export type Cost = (variables: Variables) => number

/** Default page length of connections (lists/), also assumed for lists without pages. */
const PAGE_LENGTH = 30
const PAGE_LENGTH_MAX = 100
const LIST_LENGTH = 10
const MUTATION_COST = 10

type CostNode = number | Cost

/** Compiles the estimate once per operation; constant if no page length is a variable. */
export function compileCost(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Cost {
  const fragments = fragmentsOf(document)
  const root = schema.getRootType(operation.operation)
  // Each root field of a mutation writes separately: many in one request cost as much as alone.
  const writes = operation.operation === 'mutation' ? countFields(operation.selectionSet, fragments) : 0
  const base = writes > 0 ? writes * MUTATION_COST : 1
  if (!root) return () => base
  const scope = { schema, fragments }
  const node = sum([base, repeats(scope, operation.selectionSet), ...costsOf(scope, operation.selectionSet, root)])
  return typeof node === 'number' ? () => node : node
}

function countFields({ selections }: SelectionSetNode, fragments: Fragments): number {
  return selections.reduce((count, node) => {
    if (node.kind === Kind.FIELD) return count + 1
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
    return fragment ? count + countFields(fragment.selectionSet, fragments) : count
  }, 0)
}

interface CostScope {
  schema: GraphQLSchema
  fragments: Fragments
}

function costsOf(scope: CostScope, set: SelectionSetNode, parent: GraphQLCompositeType): CostNode[] {
  return set.selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) return [costOfField(scope, node, parent)]
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : scope.fragments.get(node.name.value)
    if (!fragment) return []
    const condition = fragment.typeCondition && scope.schema.getType(fragment.typeCondition.name.value)
    return costsOf(scope, fragment.selectionSet, isCompositeType(condition) ? condition : parent)
  })
}

/** Counts the names by which a selection has its scalars, beyond the first of each. */
function repeats({ fragments }: CostScope, set: SelectionSetNode): number {
  const names = new Map<string, Set<string>>()
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (node.kind !== Kind.FIELD) {
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value)
        if (fragment) collect(fragment.selectionSet)
      } else if (!node.selectionSet) {
        const field = node.name.value
        let known = names.get(field)
        if (!known) names.set(field, (known = new Set()))
        known.add(node.alias?.value ?? field)
      }
    }
  }
  collect(set)
  return names.values().reduce((total, known) => total + known.size - 1, 0)
}

function costOfField(scope: CostScope, node: FieldNode, parent: GraphQLCompositeType): CostNode {
  const field = 'getFields' in parent ? parent.getFields()[node.name.value] : undefined
  const type = field && getNamedType(field.type)
  // Scalars are loaded with their object, unless they say what they cost; `IntrospectionCost` counts introspection.
  const own = numberIn(field?.extensions.cost) ?? 0
  if (!field || !isCompositeType(type) || !node.selectionSet) return own
  const below = sum([1 + own, repeats(scope, node.selectionSet), ...costsOf(scope, node.selectionSet, type)])
  const length = isPartOfRecord(type) && !isPartOfRecord(parent) ? 1 : lengthOf(node, field, isConnection(parent))
  if (typeof length === 'number' && typeof below === 'number') return length * below
  return (variables) => valueOf(length, variables) * valueOf(below, variables)
}

/** Estimates how many objects the field returns. A connection's edges are counted at the connection. */
function lengthOf(
  node: FieldNode,
  field: GraphQLField<unknown, unknown>,
  ofConnection: boolean,
): number | ((variables: Variables) => number) {
  const paged = field.args.some(({ name }) => name === 'first' || name === 'last')
  if (!paged) {
    if (!isListType(getNullableType(field.type)) || ofConnection) return 1
    return numberIn(field.extensions.listLength) ?? LIST_LENGTH
  }
  const given = node.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last')?.value
  if (given?.kind === Kind.INT) return pageLength(Number(given.value))
  if (given?.kind === Kind.VARIABLE) {
    const variable = given.name.value
    return (variables) => pageLength(variables[variable])
  }
  return PAGE_LENGTH
}

const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** The list itself refuses a length out of bounds. */
function pageLength(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? Math.min(value, PAGE_LENGTH_MAX) : PAGE_LENGTH
}

function isConnection(type: GraphQLCompositeType): boolean {
  return 'getFields' in type && 'pageInfo' in type.getFields()
}

function sum(nodes: readonly CostNode[]): CostNode {
  const constant = nodes.reduce<number>((total, node) => (typeof node === 'number' ? total + node : total), 0)
  const variable = nodes.filter((node) => typeof node !== 'number')
  if (variable.length === 0) return constant
  return (variables) => variable.reduce((total, node) => total + node(variables), constant)
}

function valueOf(node: CostNode, variables: Variables): number {
  return typeof node === 'number' ? node : node(variables)
}
