import { OperationTypeNode, type ExecutionResult, type GraphQLFormattedError, type GraphQLSchema } from 'graphql'
import type { Context } from '../context.js'
import { BadUserInput, statusOfCode } from '../errors.js'
import type { CostBudget } from '../limits/cost-budget.js'
import { networkOf } from '../limits/network-of.js'
import type { Variables } from './cost.js'
import { DocumentRefused, Documents, type PreparedOperation } from './documents.js'
import { formatError, formatPublicError, publicError } from './errors.js'

/** Runs operations of the schema in process: what REST is made of. */
export interface OperationRunner {
  /** @throws DocumentRefused */
  prepare(document: string, operationName?: string | null): PreparedOperation
  /**
   * Never rejects. The errors are as thrown: `publicError` reads them. Spends nothing of the caller's budget: `/v2` has
   * the limit that section 8 promises to its clients, and documents of its own.
   */
  run(ctx: Context, prepared: PreparedOperation, variables: Variables): Promise<ExecutionResult>
}

/** A request as it came, over HTTP or on a socket. */
export interface OperationRequest {
  query: string
  operationName?: string | null
  variables?: Variables | null
}

/** The answer as it goes out. Without `data` nothing was executed, and `status` is HTTP's for that. */
export interface OperationResponse {
  status: number
  retryAfterSeconds?: number
  data?: ExecutionResult['data']
  errors?: readonly GraphQLFormattedError[]
}

/** An operation may cost this much (`Cost`), whoever asks. */
const OPERATION_COST_MAX = 50_000
const SUBSCRIPTION_REFUSAL = 'subscriptions run over a WebSocket (graphql-transport-ws) on this path'

/** Everything between a transport and the resolvers: documents, limits, execution, errors. */
export class Operations implements OperationRunner {
  constructor(
    readonly schema: GraphQLSchema,
    private readonly documents: Documents,
    private readonly budget: CostBudget,
    private readonly expiredTokenStatus: 401 | 403,
  ) {}

  prepare(document: string, operationName?: string | null): PreparedOperation {
    return this.documents.prepare(document, operationName)
  }

  run(ctx: Context, prepared: PreparedOperation, variables: Variables): Promise<ExecutionResult> {
    return prepared.run(undefined, ctx, variables)
  }

  /**
   * Prepares what a client sent: what a refused document took is the client's to pay.
   * @throws DocumentRefused, RateLimited
   */
  async prepareFor(ctx: Context, { query, operationName }: OperationRequest): Promise<PreparedOperation> {
    try {
      return this.prepare(query, operationName)
    } catch (error) {
      if (error instanceof DocumentRefused) await this.#spend(ctx, error.weight)
      throw error
    }
  }

  /** @throws BadUserInput for an operation that costs too much by itself; RateLimited when the budget is spent. */
  async admit(ctx: Context, prepared: PreparedOperation, variables: Variables): Promise<void> {
    const cost = prepared.cost(variables)
    if (cost > OPERATION_COST_MAX) {
      const message = `the operation may load ${Math.round(cost)} objects; at most ${OPERATION_COST_MAX} are allowed`
      throw new BadUserInput('query', `${message}: ask for shorter pages`)
    }
    await this.#spend(ctx, cost + prepared.fields)
  }

  /** Prepares, admits, executes a query or mutation; errors are formatted for the client. Never rejects. */
  async respond(ctx: Context, request: OperationRequest): Promise<OperationResponse> {
    let prepared: PreparedOperation
    try {
      prepared = await this.prepareFor(ctx, request)
    } catch (error) {
      return this.refuse(ctx, error)
    }
    return this.respondTo(ctx, prepared, request.variables ?? {})
  }

  async respondTo(ctx: Context, prepared: PreparedOperation, variables: Variables): Promise<OperationResponse> {
    try {
      if (prepared.kind === OperationTypeNode.SUBSCRIPTION) throw new BadUserInput('query', SUBSCRIPTION_REFUSAL)
      await this.admit(ctx, prepared, variables)
      return this.answer(ctx, await this.run(ctx, prepared, variables))
    } catch (error) {
      return this.refuse(ctx, error)
    }
  }

  answer(ctx: Context, { data, errors }: ExecutionResult): OperationResponse {
    if (!errors) return { status: 200, data: data ?? null }
    const formatted = errors.map((error) => formatError(error, ctx))
    if (data !== undefined) return { status: 200, errors: formatted, data }
    const isOurs = formatted.some(({ extensions }) => extensions?.code === 'INTERNAL_SERVER_ERROR')
    return { status: isOurs ? 500 : 400, errors: formatted }
  }

  /** The answer to what was not executed. */
  refuse(scope: Pick<Context, 'requestId' | 'log'>, error: unknown): OperationResponse {
    if (error instanceof DocumentRefused) {
      return { status: 400, errors: error.errors.map((each) => formatError(each, scope)) }
    }
    const said = publicError(error, scope)
    const { retryAfterSeconds } = said.details
    return {
      status: statusOfCode(said.code, this.expiredTokenStatus),
      ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
      errors: [formatPublicError(said)],
    }
  }

  #spend(ctx: Context, cost: number): Promise<void> {
    return this.budget.spend(ctx.maybeCaller?.key ?? `address:${networkOf(ctx.address ?? 'unknown')}`, cost)
  }
}
