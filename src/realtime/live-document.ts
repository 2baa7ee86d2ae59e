import {
  Kind,
  stripIgnoredCharacters,
  visit,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { getArgumentValues } from 'graphql/execution/values.js'
import { BadUserInput } from '../errors.js'
import type { Variables } from '../graphql/cost.js'
import { DocumentRefused, type PreparedOperation } from '../graphql/documents.js'
import { coerceVariables } from '../graphql/variables.js'

/** A subscription's operation with its variables: which root field, with which arguments. */
export interface LiveDocument {
  prepared: PreparedOperation
  /** As the client sent them. */
  variables: Variables
  field: string
  args: Readonly<Record<string, unknown>>
  /** Two with the same key show the same event alike: the document and all variables but the cursor to go on from. */
  key: string
}

interface Shape {
  root: FieldNode
  source: string
  /** The variable that stands for `after` and for nothing else. */
  afterVariable: string | null
}

/** What does not depend on variables is read once for each operation. */
const shapes = new WeakMap<PreparedOperation, Shape>()

/** @throws DocumentRefused for variables that do not fit; BadUserInput for a root field that may be left out */
export function readLiveDocument(
  schema: GraphQLSchema,
  prepared: PreparedOperation,
  variables: Variables,
): LiveDocument {
  const { operation } = prepared
  const values = coerceVariables(schema, operation, variables)
  if (values.errors) throw new DocumentRefused(values.errors)
  let shape = shapes.get(prepared)
  if (!shape) shapes.set(prepared, (shape = readShape(prepared)))
  const { root, source, afterVariable } = shape
  const field = root.name.value
  // Validation found the field.
  const definition = schema.getSubscriptionType()!.getFields()[field]!
  const args = getArgumentValues(definition, root, values.coerced)
  const { [afterVariable ?? '']: _after, ...shown } = values.coerced
  const key = JSON.stringify([source, operation.name?.value ?? '', shown])
  return { prepared, variables, field, args, key }
}

function readShape({ source, document, operation }: PreparedOperation): Shape {
  const root = rootFieldOf(document, operation)
  const after = root.arguments?.find(({ name }) => name.value === 'after')?.value
  const variable = after?.kind === Kind.VARIABLE ? after.name.value : null
  let uses = 0
  visit(document, { Variable: ({ name }) => void (name.value === variable && (uses += 1)) })
  // Once in its definition and once as `after`.
  return { root, source: stripIgnoredCharacters(source), afterVariable: uses === 2 ? variable : null }
}

/** Validation made sure that there is one at most. */
function rootFieldOf(document: DocumentNode, operation: OperationDefinitionNode): FieldNode {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  }
  const find = ({ selections }: SelectionSetNode): FieldNode | null => {
    for (const node of selections) {
      if (node.directives?.length) {
        throw new BadUserInput('query', 'the root field of a subscription takes no @skip and no @include')
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
