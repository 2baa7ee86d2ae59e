import {
  execute,
  getOperationAST,
  GraphQLError,
  GraphQLScalarType,
  Kind,
  specifiedScalarTypes,
  visit,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import { Masker } from '../../platform/masking/masker.js'
import type { Context } from '../../platform/context.js'
import type { Variables } from './cost.js'
import { mendJitRuntime } from './jit-runtime.js'
import { checkParts } from './limit-parts.js'
import { coerceVariables } from './variables.js'

/** Executes one operation. Never rejects: errors are in `errors`. */
export type RunCompiled = (rootValue: unknown, ctx: Context, variables: Variables) => Promise<ExecutionResult>

/**
 * Compiling costs some hundred executions, 0.1 ms per field, which a document that is sent once is not worth. So the
 * more fields it has, the more runs are required first.
 */
const FIELDS_A_RUN = 100

/**
 * Returns the operation as a function. After a number of runs it is compiled with graphql-jit; operations that it
 * cannot compile continue with graphql-js. Both give the same result.
 */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  fields: number,
): RunCompiled {
  const runsBefore = 1 + Math.floor(fields / FIELDS_A_RUN)
  const operation = getOperationAST(document, operationName)
  const interpret: RunCompiled = async (rootValue, ctx, variables) => {
    const { errors } = operation ? coerceVariables(schema, operation, variables) : {}
    if (errors) return { errors }
    return execute({ schema, document, rootValue, contextValue: ctx, variableValues: variables, operationName })
  }
  let runs = 0
  let compiled: RunCompiled | null = null
  return async (rootValue, ctx, variables) => {
    if (!compiled && runs++ >= runsBefore) compiled = compile(schema, document, operationName) ?? interpret
    try {
      ctx.partValues = 0
      const result = await (compiled ?? interpret)(rootValue, ctx, variables)
      checkParts(ctx)
      return ctx.mask ? { ...result, data: await new Masker(ctx.mask).data(result.data) } : result
    } catch (error) {
      return { errors: [error instanceof GraphQLError ? error : asGraphQLError(error)] }
    }
  }
}

function compile(schema: GraphQLSchema, document: DocumentNode, operationName?: string): RunCompiled | null {
  mendJitRuntime()
  const query = compileQuery(takingCoerced(schema), withCoercedVariables(document), operationName)
  if (!isCompiledQuery(query)) return null
  const operation = getOperationAST(document, operationName)!
  return async (rootValue, ctx, variables) => {
    const { coerced, errors } = coerceVariables(schema, operation, variables)
    return errors ? { errors } : query.query(rootValue, ctx, coerced)
  }
}

/**
 * Replaces the types of variables, which graphql-jit 0.8 must not see: it generates code for an input type and
 * everything in it, endlessly if a filter contains itself, and it refuses variables without a value that have a
 * default. So graphql-js coerces them, and the compiled operation takes them as they are. `@include` requires Booleans;
 * built-in scalars are harmless.
 */
const Coerced = new GraphQLScalarType({ name: 'Coerced' })
const COERCED = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: Coerced.name } } as const

function withCoercedVariables(document: DocumentNode): DocumentNode {
  return visit(document, {
    VariableDefinition(node) {
      let named = node.type
      while (named.kind !== Kind.NAMED_TYPE) named = named.type
      return BUILT_IN.has(named.name.value) ? undefined : { ...node, type: COERCED, defaultValue: undefined }
    },
  })
}

const BUILT_IN = new Set(specifiedScalarTypes.map(({ name }) => name))

function takingCoerced(schema: GraphQLSchema): GraphQLSchema {
  const getType = (name: string): unknown => (name === Coerced.name ? Coerced : schema.getType(name))
  return Object.create(schema, { getType: { value: getType } }) as GraphQLSchema
}

function asGraphQLError(error: unknown): GraphQLError {
  const originalError = error instanceof Error ? error : new Error(String(error))
  return new GraphQLError(originalError.message, { originalError })
}
