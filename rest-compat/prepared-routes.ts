import type { GraphQLSchema } from 'graphql'
import type { OperationRunner } from '../src/api/graphql/operations.js'
import { RouteCompiler, type CompiledRoute } from './compiled-route.js'
import type { Route } from './route.js'

/** A row with what runs its document. */
export interface PreparedRoute extends CompiledRoute {
  prepared: ReturnType<OperationRunner['prepare']>
}

/**
 * The rows as they are served. Each is matched with the schema, and its document validated, when it is first asked for: all
 * of them take 0.2 s, which a start need not wait for. A test prepares every row.
 */
export class PreparedRoutes {
  readonly #compiler: RouteCompiler
  readonly #prepared = new Map<Route, PreparedRoute>()

  constructor(
    schema: GraphQLSchema,
    private readonly operations: Pick<OperationRunner, 'prepare'>,
  ) {
    this.#compiler = new RouteCompiler(schema)
  }

  /** @throws Error naming a row that does not match */
  of(route: Route): PreparedRoute {
    let prepared = this.#prepared.get(route)
    if (!prepared) this.#prepared.set(route, (prepared = this.#prepare(this.compiled(route))))
    return prepared
  }

  /** Matches the row with the schema, without validating its document. @throws Error naming a row that does not match */
  compiled(route: Route): CompiledRoute {
    return this.#prepared.get(route) ?? this.#compiler.compile(route)
  }

  #prepare(compiled: CompiledRoute): PreparedRoute {
    try {
      return { ...compiled, prepared: this.operations.prepare(compiled.document) }
    } catch (error) {
      const { method, path } = compiled.route
      throw new Error(`${method} ${path}: ${(error as Error).message}\n${compiled.document}`, { cause: error })
    }
  }
}
