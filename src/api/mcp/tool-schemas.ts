import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  Kind,
  TypeInfo,
  typeFromAST,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The member that has the records where an operation gives a list: structured answers are objects. */
export const LIST = 'items'

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  DateTime: { type: 'string', format: 'date-time' },
  JSONObject: { type: 'object' },
}

/** The variables of an operation, described as the arguments and fields are that they are given to. */
export function inputSchema(schema: GraphQLSchema, document: DocumentNode): JsonSchema {
  const { variableDefinitions = [] } = operationOf(document)
  const descriptions = describeVariables(schema, document)
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const { variable, type, defaultValue } of variableDefinitions) {
    const name = variable.name.value
    const description = descriptions.get(name)
    const declared = typeFromAST(schema, type) as GraphQLInputType
    properties[name] = {
      ...described(inputOf(declared), description),
      ...(defaultValue && { default: valueFromASTUntyped(defaultValue) }),
    }
    if (isNonNullType(declared) && !defaultValue) required.push(name)
  }
  return objectSchema(properties, required)
}

/** The value of the operation's one field. */
export function outputSchema(schema: GraphQLSchema, document: DocumentNode): JsonSchema {
  const { operation, selectionSet } = operationOf(document)
  const [field] = selectionSet.selections
  if (field?.kind !== Kind.FIELD || selectionSet.selections.length > 1) throw new Error('a tool has one field')
  const { type } = schema.getRootType(operation)!.getFields()[field.name.value]!
  // What is not found is an error, and so never null.
  const output = outputOf(schema, getNullableType(type), field.selectionSet, false)
  return output.type === 'array' ? objectSchema({ [LIST]: output }, [LIST]) : output
}

export function operationOf(document: DocumentNode): OperationDefinitionNode {
  return document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION)!
}

function describeVariables(schema: GraphQLSchema, document: DocumentNode): Map<string, string> {
  const found = new Map<string, string>()
  const info = new TypeInfo(schema)
  const add = (value: ValueNode, description: string | null | undefined): void => {
    if (value.kind === Kind.VARIABLE && description) found.set(value.name.value, description)
  }
  visit(
    document,
    visitWithTypeInfo(info, {
      Argument: ({ value }) => add(value, info.getArgument()?.description),
      ObjectField({ name, value }) {
        const parent = getNamedType(info.getParentInputType())
        if (isInputObjectType(parent)) add(value, parent.getFields()[name.value]?.description)
      },
    }),
  )
  return found
}

function inputOf(type: GraphQLInputType): JsonSchema {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return { type: 'array', items: inputOf(nullable.ofType) }
  if (!isInputObjectType(nullable)) return leafOf(nullable)
  const fields = Object.values(nullable.getFields())
  const members = fields.map(({ name, type: of, description }) => [name, described(inputOf(of), description)] as const)
  const required = fields.filter((field) => isRequiredInputField(field)).map(({ name }) => name)
  return described(objectSchema(Object.fromEntries(members), required), nullable.description)
}

function described(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  return description ? { ...schema, description } : schema
}

function leafOf(type: GraphQLInputType | GraphQLOutputType): JsonSchema {
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) }
  const found = SCALARS[getNamedType(type).name]
  if (!found) throw new Error(`no JSON Schema of ${String(type)}`)
  return found
}

function outputOf(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  selection: SelectionSetNode | undefined,
  isNullable = !isNonNullType(type),
): JsonSchema {
  const nullable = getNullableType(type)
  const made = isListType(nullable)
    ? { type: 'array', items: outputOf(schema, nullable.ofType, selection) }
    : selection
      ? selectedOf(schema, nullable, selection)
      : leafOf(nullable)
  return isNullable ? orNull(made) : made
}

function orNull(made: JsonSchema): JsonSchema {
  if (made.type === undefined) return { anyOf: [made, { type: 'null' }] }
  return { ...made, type: [made.type, 'null'], ...(Array.isArray(made.enum) && { enum: [...made.enum, null] }) }
}

/** Describes an object, or each member of a union as its fragment selects it. */
function selectedOf(schema: GraphQLSchema, type: GraphQLOutputType, { selections }: SelectionSetNode): JsonSchema {
  if (isAbstractType(type)) {
    const members = selections.flatMap((each) => {
      if (each.kind !== Kind.INLINE_FRAGMENT) return []
      const member = schema.getType(each.typeCondition!.name.value) as GraphQLOutputType
      const own = [...selections.filter(({ kind }) => kind === Kind.FIELD), ...each.selectionSet.selections]
      return [selectedOf(schema, member, { kind: Kind.SELECTION_SET, selections: own })]
    })
    return { anyOf: members }
  }
  if (!isObjectType(type)) throw new Error(`${String(type)} has no fields`)
  const fields = type.getFields()
  const properties = selections.map((each): [string, JsonSchema] => {
    if (each.kind !== Kind.FIELD) throw new Error(`a fragment in ${type.name}`)
    const name = each.name.value
    if (name === '__typename') return [name, { const: type.name }]
    return [name, outputOf(schema, fields[name]!.type, each.selectionSet)]
  })
  return objectSchema(
    Object.fromEntries(properties),
    properties.map(([name]) => name),
  )
}

function objectSchema(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}
