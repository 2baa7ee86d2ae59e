import { getVariableValues, GraphQLError, type GraphQLSchema, type OperationDefinitionNode } from 'graphql'
import type { Variables } from './cost.js'

/** Further errors would not help a client. */
const ERRORS_MAX = 20

export type CoercedVariables =
  | { coerced: { [variable: string]: unknown }; errors?: undefined }
  | { coerced?: undefined; errors: readonly GraphQLError[] }

/** Coerces the variables of an operation to their types. Any error is the client's. */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): CoercedVariables {
  const { coerced, errors } = getVariableValues(schema, variableDefinitions, variables, { maxErrors: ERRORS_MAX })
  if (!errors) return { coerced }
  for (const { extensions } of errors) extensions.code ??= 'BAD_USER_INPUT'
  return { errors }
}
