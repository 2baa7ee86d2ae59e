import {
  execute,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import type { Context } from '../context.js'
import type { Variables } from './cost.js'

/** Executes one operation. Never rejects: what goes wrong is in `errors`. */
export type RunCompiled = (rootValue: unknown, ctx: Context, variables: Variables) => Promise<ExecutionResult>

/** A document that is sent once is not worth compiling: that costs some hundred times its execution. */
const RUNS_BEFORE_COMPILING = 1

/**
 * The operation as a function. Its second run compiles it with graphql-jit; what that cannot compile goes on with
 * graphql-js. Both give the same result.
 */
export function compileOperation(schema: GraphQLSchema, document: DocumentNode, operationName?: string): RunCompiled {
  const interpret: RunCompiled = async (rootValue, ctx, variables) =>
    execute({ schema, document, rootValue, contextValue: ctx, variableValues: variables, operationName })
  let runs = 0
  let compiled: RunCompiled | null = null
  return async (rootValue, ctx, variables) => {
    if (!compiled && runs++ >= RUNS_BEFORE_COMPILING) compiled = compile(schema, document, operationName) ?? interpret
    try {
      return await (compiled ?? interpret)(rootValue, ctx, variables)
    } catch (error) {
      return { errors: [error instanceof GraphQLError ? error : asGraphQLError(error)] }
    }
  }
}

function compile(schema: GraphQLSchema, document: DocumentNode, operationName?: string): RunCompiled | null {
  const query = compileQuery(schema, document, operationName)
  if (!isCompiledQuery(query)) return null
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? []
  return async (rootValue, ctx, variables) => {
    const result = await query.query(rootValue, ctx, variables)
    // Without data the variables could not be coerced; graphql-js says better which and where.
    if (result.errors && result.data === undefined) {
      const { errors } = getVariableValues(schema, definitions, variables, { maxErrors: 20 })
      if (errors) return { errors }
    }
    return result
  }
}

function asGraphQLError(error: unknown): GraphQLError {
  const originalError = error instanceof Error ? error : new Error(String(error))
  return new GraphQLError(originalError.message, { originalError })
}
