import {
  GraphQLError,
  OperationTypeNode,
  type ExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql'
import { PUBLIC_FIELDS } from '../../platform/access/permissions.js'
import { shareOfCaller, type Context } from '../../platform/context.js'
import { checkAnswerSize } from './answer-size.js'
import { BadUserInput, RateLimited, statusOfCode } from '../../platform/errors.js'
import type { FairQueue } from '../../platform/fairness/fair-queue.js'
import { LeftPlace } from '../../platform/fairness/left-place.js'
import { shareOf } from '../../platform/fairness/share.js'
import type { CostBudget } from '../../platform/limits/cost-budget.js'
import { networkOf } from '../../platform/limits/network-of.js'
import { refuseDeep } from '../../platform/request-json.js'
import { tracing, type SpanAttributes } from '../../platform/tracing/tracing.js'
import type { Variables } from './cost.js'
import { DOCUMENT_LIMITS, isSmallDocument } from './document-limits.js'
import { DocumentTurns } from './document-turns.js'
import { DocumentRefused, Documents, weightOf, type PreparedOperation } from './documents.js'
import type { PageDocuments } from './page-documents.js'
import { formatError, formatPublicError, publicError } from './errors.js'
import { checkParts } from './limit-parts.js'

/** Runs operations of the schema in process; REST is built on it. */
export interface OperationRunner {
  /** @throws DocumentRefused */
  prepare(document: string, operationName?: string | null): PreparedOperation
  /**
   * Never rejects. The errors are as thrown: `publicError` converts them. Does not use the caller's budget: `/v2` has
   * the limit of section 8, and its own documents.
   */
  run(ctx: Context, prepared: PreparedOperation, variables: Variables): Promise<ExecutionResult>
}

/** A request as received over HTTP or on a socket. */
export interface OperationRequest {
  /** The document, or the id of one of our own pages: see `PageDocuments`. */
  query: string
  operationName?: string | null
  variables?: Variables | null
  /** `cost: true` asks for the cost in the answer. */
  extensions?: Readonly<Record<string, unknown>> | null
}

/** The answer as sent. Without `data` nothing was executed, and `status` is the HTTP status. */
export interface OperationResponse {
  status: number
  /** Present if something was refused beyond a rate, even if the rest was done. */
  retryAfterSeconds?: number
  data?: ExecutionResult['data']
  errors?: readonly GraphQLFormattedError[]
  extensions?: {
    /** With the answer of a mutation, if there are replicas: the client's next reads send it as `Switchboard-Position`. */
    position?: string
    /** If the request asks for it. */
    cost?: NonNullable<Context['spent']>
  }
}

export interface OperationsOptions {
  schema: GraphQLSchema
  documents: Documents
  pageDocuments: Pick<PageDocuments, 'textOf'>
  budget: CostBudget
  expiredTokenStatus: 401 | 403
  /** Schedules queries. */
  shares: FairQueue
  /** Schedules introspection, which blocks the event loop. */
  introspections: FairQueue
  /** Schedules the reading of documents, where these are too large or too many. */
  documentReads: FairQueue
}

/** Maximum cost of an operation (`Cost`) for any caller. */
const OPERATION_COST_MAX = 50_000
/** Introspection reads no records: this many of its fields take about as long as loading an object. */
const INTROSPECTION_FIELDS_A_UNIT = 150
/** A user's budget divided by that of a guest, or of an address without credentials: anybody can have these. */
const GUEST_COST_FACTOR = 100
/** Guests behind one address together have the budget of ten guests. */
const GUESTS_PER_ADDRESS = 10
/** Guests are anybody: their documents share a quota, so that they never replace those of an organization's users. */
const GUEST_DOCUMENTS = 'guests'
const PUBLIC_NAMES = [...PUBLIC_FIELDS]
const SUBSCRIPTION_REFUSAL =
  'subscriptions run over a WebSocket (graphql-transport-ws) on this path, or as server-sent events with Accept: text/event-stream'

/** The layer between transports and resolvers: documents, limits, execution, errors. */
export class Operations implements OperationRunner {
  readonly schema: GraphQLSchema
  readonly #documentTurns: DocumentTurns

  constructor(private readonly options: OperationsOptions) {
    this.schema = options.schema
    this.#documentTurns = new DocumentTurns(options.documentReads)
  }

  prepare(document: string, operationName?: string | null): PreparedOperation {
    return this.options.documents.prepare(document, operationName)
  }

  async run(ctx: Context, prepared: PreparedOperation, variables: Variables): Promise<ExecutionResult> {
    try {
      return await this.#runInTurn(ctx, prepared, variables)
    } catch (error) {
      const originalError = error as Error
      return { errors: [new GraphQLError(originalError.message, { originalError })] }
    }
  }

  /**
   * Refuses a request without credentials by its address alone, before its document is read, once the address has spent
   * its budget. @throws RateLimited
   */
  refuseAnonymous(address: string | null): void {
    this.options.budget.refuseSpent(anonymousKey(address))
  }

  /**
   * Tells whether it may run with bad credentials or none. The document is not cached; reading it counts against the
   * address, unless it runs. @throws RateLimited
   */
  async isPublic({ query: source, operationName }: OperationRequest, address: string): Promise<boolean> {
    const query = await this.options.pageDocuments.textOf(source)
    // Most need not be parsed for it: clients whose token has expired, above all.
    if (!PUBLIC_NAMES.some((name) => query.includes(name))) return false
    this.refuseAnonymous(address)
    let weight: number
    try {
      const { isPublic, fields } = await this.#readForAnonymous(address, { query, operationName }, null)
      if (isPublic) return true
      weight = fields + weightOf(query)
    } catch (error) {
      if (error instanceof RateLimited) throw error
      // Errors in the document are only reported once the credentials are right.
      weight = error instanceof DocumentRefused ? error.weight : weightOf(query)
    }
    await this.options.budget.spend(anonymousKey(address), weight * GUEST_COST_FACTOR)
    return false
  }

  /**
   * Prepares a client's document; the cost of a refused document counts against the client.
   * @throws DocumentRefused, RateLimited
   */
  async prepareFor(ctx: Context, request: OperationRequest): Promise<PreparedOperation> {
    const { maybeCaller } = ctx
    for (const key of budgetKeysOf(ctx)) this.options.budget.refuseSpent(key)
    try {
      const { operationName } = request
      const query = await this.options.pageDocuments.textOf(request.query)
      if (maybeCaller && !ctx.guestCaller) {
        const { documents } = this.options
        const center = maybeCaller.path[0]
        if (documents.isKept(query)) return documents.prepare(query, operationName, center)
        return await this.#documentTurns.ofCustomer(shareOfCaller(maybeCaller), () =>
          documents.prepare(query, operationName, center),
        )
      }
      return await this.#readForAnonymous(ctx.address, { query, operationName }, maybeCaller ? GUEST_DOCUMENTS : null)
    } catch (error) {
      if (error instanceof DocumentRefused) await this.#spend(ctx, error.weight)
      throw error
    }
  }

  /** @throws BadUserInput for an operation that costs too much by itself; RateLimited when the budget is spent */
  async admit(ctx: Context, prepared: PreparedOperation, variables: Variables): Promise<void> {
    refuseDeep(variables, 'variables')
    const cost = prepared.cost(variables)
    if (cost > OPERATION_COST_MAX) {
      const message = `the operation may load ${Math.round(cost)} objects; at most ${OPERATION_COST_MAX} are allowed`
      throw new BadUserInput('query', `${message}: request shorter pages`)
    }
    const { introspection } = prepared
    const introspectionMax = this.options.documents.introspectionMax
    if (introspection > introspectionMax) {
      const message = `the introspection may resolve ${Math.round(introspection)} fields`
      throw new BadUserInput('query', `${message}; at most ${Math.round(introspectionMax)} are allowed`)
    }
    ctx.spent = await this.#spend(ctx, cost + prepared.fields + introspection / INTROSPECTION_FIELDS_A_UNIT)
  }

  /** Prepares, admits and executes a query or mutation; errors are formatted for the client. Never rejects. */
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
      const answer = this.answer(ctx, await this.#runInTurn(ctx, prepared, variables))
      const position = ctx.isWriting ? await ctx.writtenPosition() : undefined
      return position === undefined ? answer : { ...answer, extensions: { position } }
    } catch (error) {
      return this.refuse(ctx, error)
    }
  }

  /** Formats a result for the client, or refuses it when it is too large. */
  answer(ctx: Context, { data, errors }: ExecutionResult): OperationResponse {
    try {
      checkParts(ctx)
      checkAnswerSize(data)
    } catch (error) {
      return this.refuse(ctx, error)
    }
    if (!errors) return { status: 200, data: data ?? null }
    const formatted = errors.map((error) => formatError(error, ctx))
    const wait = longestWait(formatted)
    if (data !== undefined) return { status: 200, ...wait, errors: formatted, data }
    const isOurs = formatted.some(({ extensions }) => extensions?.code === 'INTERNAL_SERVER_ERROR')
    return { status: isOurs ? 500 : 400, ...wait, errors: formatted }
  }

  /** Returns the answer to a request that was not executed. */
  refuse(scope: Pick<Context, 'requestId' | 'log'>, error: unknown): OperationResponse {
    if (error instanceof DocumentRefused) {
      return { status: 400, errors: error.errors.map((each) => formatError(each, scope)) }
    }
    const refusal = publicError(error, scope)
    const { retryAfterSeconds } = refusal.details
    return {
      status: statusOfCode(refusal.code, this.options.expiredTokenStatus),
      ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
      errors: [formatPublicError(refusal)],
    }
  }

  /**
   * Reads a document of an anonymous caller. Large ones are read in turns, and small ones at once: whoever signs in does
   * not wait for large documents from many networks. @throws DocumentRefused, RateLimited
   */
  #readForAnonymous(
    address: string | null,
    { query, operationName }: OperationRequest,
    owner: string | null,
  ): PreparedOperation | Promise<PreparedOperation> {
    const { documents } = this.options
    const read = (): PreparedOperation => documents.prepare(query, operationName, owner)
    if (documents.isKept(query) || isSmallDocument(query)) return read()
    // Refused by its length.
    if (query.length > DOCUMENT_LIMITS.sourceLength) return read()
    const network = networkOf(address ?? 'unknown')
    return this.#documentTurns.inTurn(shareOf([network], network), read)
  }

  /** Queries are scheduled here; writes are scheduled where they are made. @throws RateLimited when too many wait */
  #runInTurn(ctx: Context, prepared: PreparedOperation, variables: Variables): Promise<ExecutionResult> {
    return tracing().operation(`graphql ${prepared.kind}`, spanOf(prepared), () =>
      this.#runNow(ctx, prepared, variables),
    )
  }

  async #runNow(ctx: Context, prepared: PreparedOperation, variables: Variables): Promise<ExecutionResult> {
    const { share } = ctx
    const run = (): Promise<ExecutionResult> => prepared.run(undefined, ctx, variables)
    if (share && prepared.introspection > 0) return this.options.introspections.run(share, run)
    if (prepared.kind === OperationTypeNode.MUTATION) ctx.isWriting = true
    if (!share || ctx.isWriting) return run()
    ctx.place = new LeftPlace(this.options.shares, share)
    return ctx.place.run(run)
  }

  /** @returns what is left, in units of the caller: a guest's are dearer */
  async #spend(ctx: Context, cost: number): Promise<Context['spent']> {
    const { budget } = this.options
    const [own, ofAddress] = budgetKeysOf(ctx)
    const factor = ctx.maybeCaller && !ctx.guestCaller ? 1 : GUEST_COST_FACTOR
    const { limit, remaining, resetSeconds } = await budget.spend(own!, cost * factor)
    if (ofAddress !== undefined) await budget.spend(ofAddress, (cost * factor) / GUESTS_PER_ADDRESS)
    return {
      cost: Math.ceil(cost),
      limit: Math.floor(limit / factor),
      remaining: Math.floor(remaining / factor),
      resetSeconds,
    }
  }
}

/** Returns how long a client waits until all that was refused beyond a rate can succeed, if anything was. */
function longestWait(errors: readonly GraphQLFormattedError[]): Pick<OperationResponse, 'retryAfterSeconds'> {
  const waits = errors
    .filter(({ extensions }) => extensions?.code === 'RATE_LIMITED')
    .flatMap(({ extensions }) => (extensions?.retryAfterSeconds as number | undefined) ?? [])
  return waits.length > 0 ? { retryAfterSeconds: Math.max(...waits) } : {}
}

/** A name is the client's code; a longer one may be anything. */
const NAME_LENGTH_MAX = 60

function spanOf({ kind, operation }: PreparedOperation): SpanAttributes {
  const name = operation.name?.value.slice(0, NAME_LENGTH_MAX)
  return { 'graphql.operation.type': kind, ...(name !== undefined && { 'graphql.operation.name': name }) }
}

/** The accounts on which a caller's operations are charged: its own, and for a guest its address's. */
function budgetKeysOf({ maybeCaller, guestCaller, address }: Context): string[] {
  if (!maybeCaller) return [anonymousKey(address)]
  return guestCaller ? [maybeCaller.key, `guests:${networkOf(address ?? 'unknown')}`] : [maybeCaller.key]
}

function anonymousKey(address: string | null): string {
  return `address:${networkOf(address ?? 'unknown')}`
}
