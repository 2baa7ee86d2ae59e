import {
  Kind,
  stripIgnoredCharacters,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type InlineFragmentNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { getArgumentValues } from 'graphql/execution/values.js'
import { BadUserInput } from '../../platform/errors.js'
import type { Variables } from '../graphql/cost.js'
import { DocumentRefused, type PreparedOperation } from '../graphql/documents.js'
import { coerceVariables } from '../graphql/variables.js'

/** A subscription's operation with its variables: the root field and its arguments. */
export interface LiveDocument {
  prepared: PreparedOperation
  /** As sent by the client. */
  variables: Variables
  field: string
  args: Readonly<Record<string, unknown>>
  /**
   * Documents with the same key give the same payloads: the document and all variables except the cursor to resume
   * from.
   */
  key: string
  /** It shows what is the caller's own: only subscriptions of one caller show the same. */
  isViewersOwn: boolean
  /** The types of events that it names. */
  types: ReadonlySet<string>
}

interface Shape {
  root: FieldNode
  source: string
  /** The variable that is only used for `after`. */
  afterVariable: string | null
  isViewersOwn: boolean
  types: ReadonlySet<string>
}

/** Parts independent of variables are computed once per operation. */
const shapes = new WeakMap<PreparedOperation, Shape>()

/** @throws DocumentRefused for invalid variables; BadUserInput for a root field that may be skipped */
export function readLiveDocument(
  schema: GraphQLSchema,
  prepared: PreparedOperation,
  variables: Variables,
): LiveDocument {
  const { operation } = prepared
  const values = coerceVariables(schema, operation, variables)
  if (values.errors) throw new DocumentRefused(values.errors)
  let shape = shapes.get(prepared)
  if (!shape) shapes.set(prepared, (shape = readShape(schema, prepared)))
  const { root, source, afterVariable, isViewersOwn, types } = shape
  const field = root.name.value
  // Validation guarantees that the field exists.
  const definition = schema.getSubscriptionType()!.getFields()[field]!
  const args = getArgumentValues(definition, root, values.coerced)
  const { [afterVariable ?? '']: _after, ...shown } = values.coerced
  const key = JSON.stringify([source, operation.name?.value ?? '', shown])
  return { prepared, variables, field, args, key, isViewersOwn, types }
}

function readShape(schema: GraphQLSchema, { source, document, operation }: PreparedOperation): Shape {
  const root = rootFieldOf(document, operation)
  const after = root.arguments?.find(({ name }) => name.value === 'after')?.value
  const variable = after?.kind === Kind.VARIABLE ? after.name.value : null
  let uses = 0
  visit(document, { Variable: ({ name }) => void (name.value === variable && (uses += 1)) })
  // Once in its definition and once as `after`.
  const afterVariable = uses === 2 ? variable : null
  return {
    root,
    source: stripIgnoredCharacters(source),
    afterVariable,
    isViewersOwn: showsViewersOwn(schema, document),
    types: typesIn(document),
  }
}

/** Returns the types that the document's fragments are on. */
function typesIn(document: DocumentNode): ReadonlySet<string> {
  const types = new Set<string>()
  const note = ({ typeCondition }: Pick<InlineFragmentNode, 'typeCondition'>): void => {
    if (typeCondition) types.add(typeCondition.name.value)
  }
  visit(document, { InlineFragment: note, FragmentDefinition: note })
  return types
}

/** Tells whether it selects a field that is another for each caller. */
function showsViewersOwn(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema)
  let found = false
  const Field = (): void => {
    found ||= types.getFieldDef()?.extensions.isViewersOwn === true
  }
  visit(document, visitWithTypeInfo(types, { Field }))
  return found
}

/** Validation guarantees at most one. */
function rootFieldOf(document: DocumentNode, operation: OperationDefinitionNode): FieldNode {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  }
  const find = ({ selections }: SelectionSetNode): FieldNode | null => {
    for (const node of selections) {
      if (node.directives?.length) {
        throw new BadUserInput('query', 'the root field of a subscription must not have @skip or @include')
      }
      const within = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node
      const found = within?.kind === Kind.FIELD ? within : within && find(within.selectionSet!)
      if (found) return found
    }
    return null
  }
  const root = find(operation.selectionSet)
  if (!root) throw new BadUserInput('query', 'the subscription has no root field')
  return root
}
