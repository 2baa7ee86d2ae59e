import {
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from 'graphql'

type Fragments = GraphQLResolveInfo['fragments']

/** The selection of an operation at some object. */
export interface Selection {
  type: GraphQLObjectType
  /** Including those of fragments; `@skip` and `@include` may exclude some of them. */
  fields: readonly FieldNode[]
  fragments: Fragments
}

export type SelectionFinder = (selection: Selection) => Selection | null

/** @returns the selection of `node`; null when it does not return an object type or a list of one */
export function selectionOf(node: FieldNode, returnType: GraphQLOutputType, fragments: Fragments): Selection | null {
  const type = objectTypeOf(returnType)
  return type && { type, fields: node.selectionSet ? fieldsOf([node.selectionSet], fragments) : [], fragments }
}

/** Returns the selection within a field of the selected objects, whatever its alias. */
export function selectionWithin(selection: Selection, name: string): Selection | null {
  const { fragments } = selection
  const field = selection.type.getFields()[name]
  const type = field ? objectTypeOf(field.type) : null
  const sets = selection.fields
    .filter((each) => each.name.value === name)
    .flatMap(({ selectionSet }) => selectionSet ?? [])
  return type && { type, fields: fieldsOf(sets, fragments), fragments }
}

/** Returns what is selected of the records of a connection, by its `edges` and by its `nodes`. */
export function selectionOfRecords(connection: Selection): Selection | null {
  const edges = selectionWithin(connection, 'edges')
  const ofEdges = edges && selectionWithin(edges, 'node')
  const ofNodes = selectionWithin(connection, 'nodes')
  return ofEdges && ofNodes && { ...ofNodes, fields: [...ofEdges.fields, ...ofNodes.fields] }
}

function fieldsOf(sets: readonly SelectionSetNode[], fragments: Fragments): FieldNode[] {
  return sets.flatMap(({ selections }) =>
    selections.flatMap((node) => {
      if (node.kind === Kind.FIELD) return [node]
      const set = node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments[node.name.value]?.selectionSet
      return set ? fieldsOf([set], fragments) : []
    }),
  )
}

function objectTypeOf(type: GraphQLOutputType): GraphQLObjectType | null {
  let inner = getNullableType(type)
  while (isListType(inner)) inner = isNonNullType(inner.ofType) ? inner.ofType.ofType : inner.ofType
  return isObjectType(inner) ? inner : null
}
