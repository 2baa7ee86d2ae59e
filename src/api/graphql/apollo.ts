import type { GraphqlHttpRequest, GraphqlHttpResponse } from './http-exchange.js'
import { ApolloServer, HeaderMap, type ApolloServerPlugin, type GraphQLRequestContext } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled'
import { parse } from 'graphql'
import type { IncomingHttpHeaders } from 'node:http'
import type { Logger } from 'pino'
import type { Context } from '../../platform/context.js'
import { BUDGET_SECONDS } from '../../platform/limits/cost-budget.js'
import type { OperationRequest, Operations, OperationResponse } from './operations.js'
import type { PreparedOperation } from './documents.js'
import { withReason } from './errors.js'
import { readPlainRequest, RememberedTypes } from './plain-request.js'

/** The way of every client's operation, by HTTP or on a socket: through Apollo Server and its plugins. */
export interface OperationGate {
  /**
   * Prepares an operation and has it executed. Never rejects.
   * @param execute gets it once it is known, valid and within the caller's budget for documents; what it throws is refused
   */
  run(ctx: Context, request: OperationRequest, execute: Execute): Promise<OperationResponse>
}

export type Execute = (prepared: PreparedOperation) => Promise<OperationResponse>

/** Handles GraphQL over HTTP. */
export interface GraphqlHttp extends OperationGate {
  respond(request: GraphqlHttpRequest, ctx: Context): Promise<GraphqlHttpResponse>
  stop(): Promise<void>
}

/** A plugin of Apollo Server. */
export type GraphqlPlugin = ApolloServerPlugin

/** State of one operation passed through Apollo. */
interface Exchange {
  ctx: Context
  prepared: PreparedOperation | null
  refusal: unknown
  /** Null for a query or mutation. */
  execute: Execute | null
}

/**
 * Creates the way of operations through Apollo Server: its plugins see each one, by HTTP and on sockets, and over HTTP it
 * decides methods, media types, CSRF prevention and the shape of requests. Documents and execution are those of `Operations`,
 * so that sockets and REST have the same limits and errors.
 *
 * Of the HTTP part, a plain request, as nearly all are, needs only a media type: once that is known for its `Accept` header, the
 * request enters Apollo behind that part. Negotiating it anew took 14 of 22 us a request.
 * @param plugins an operator's, in addition to our own
 */
export async function createGraphqlHttp(
  operations: Operations,
  log: Logger,
  plugins: readonly GraphqlPlugin[] = [],
): Promise<GraphqlHttp> {
  const apollo = new ApolloServer<Exchange>({
    schema: operations.schema,
    introspection: true,
    csrfPrevention: true,
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    // Documents are cached, parsed and validated by `Documents` only.
    documentStore: null,
    // Of refusals of its own: a request that is none.
    formatError: ({ extensions, ...error }) => ({ ...error, extensions: withReason(extensions ?? {}) }),
    stringifyResult: async (result) => JSON.stringify(result),
    logger: log,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ...(plugins as readonly ApolloServerPlugin<Exchange>[]),
      // The last, since it answers.
      execution(operations),
    ],
  })
  await apollo.start()
  const types = new RememberedTypes()
  const pass = async (exchange: Exchange, operation: OperationRequest, http?: GraphqlHttpRequest) => {
    const { query, operationName, variables, extensions } = operation
    const request = {
      query,
      operationName: operationName ?? undefined,
      variables: variables ?? undefined,
      extensions: extensions ?? undefined,
    }
    const { body, http: head } = await apollo.executeOperation(
      { ...request, ...(http && { http: { ...http, headers: headerMap(http.headers) } }) },
      { contextValue: exchange },
    )
    // Incremental delivery, the other kind, needs directives that the schema does not have.
    const result = body.kind === 'single' ? body.singleResult : {}
    return { result, headers: head.headers, status: head.status ?? ('data' in result ? 200 : 500) }
  }
  return {
    async run(ctx, operation, execute) {
      // Apollo takes none without a document.
      if (operation.query === '') return operations.respond(ctx, operation)
      try {
        const exchange = { ctx, prepared: null, refusal: null, execute }
        const { result, status, headers } = await pass(exchange, operation)
        const wait = headers.get('retry-after')
        return {
          ...(result as OperationResponse),
          status,
          ...(wait !== undefined && { retryAfterSeconds: Number(wait) }),
        }
      } catch (error) {
        return operations.refuse(ctx, error)
      }
    },
    async respond(request, ctx) {
      const plain = readPlainRequest(request)
      const { accept } = request.headers
      const type = plain ? types.of(accept) : undefined
      if (plain && type) {
        const exchange = { ctx, prepared: null, refusal: null, execute: null }
        const { result, status, headers } = await pass(exchange, plain, request)
        headers.set('content-type', type)
        const { errors, data, extensions } = result
        return { status, headers, body: JSON.stringify({ errors, data, extensions }) }
      }
      const response = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: {
          method: request.method,
          headers: headerMap(request.headers),
          search: request.search,
          body: request.body,
        },
        context: async () => ({ ctx, prepared: null, refusal: null, execute: null }),
      })
      // Incremental delivery, the other kind, needs directives that the schema does not have.
      const body = response.body.kind === 'complete' ? response.body.string : ''
      const answer = { status: response.status ?? 200, headers: response.headers, body }
      if (plain) types.learn(accept, answer)
      return answer
    },
    stop: () => apollo.stop(),
  }
}

const POSITION_HEADER = 'switchboard-position'

/** Placeholder for a refused document: Apollo neither parses nor validates it. */
const NO_DOCUMENT = parse('{ __typename }')

function execution(operations: Operations): ApolloServerPlugin<Exchange> {
  const listener = {
    async didResolveSource(request: GraphQLRequestContext<Exchange>): Promise<void> {
      const exchange = request.contextValue
      let document = NO_DOCUMENT
      let { source } = request
      try {
        const { operationName } = request.request
        exchange.prepared = await operations.prepareFor(exchange.ctx, { query: source ?? '', operationName })
        ;({ document, source } = exchange.prepared)
      } catch (error) {
        exchange.refusal = error
      }
      Object.assign(request, { document, source })
    },
    async responseForOperation(request: GraphQLRequestContext<Exchange>) {
      const { ctx, prepared, refusal, execute } = request.contextValue
      const run =
        execute ?? ((each: PreparedOperation) => operations.respondTo(ctx, each, request.request.variables ?? {}))
      const refuse = (error: unknown): OperationResponse => operations.refuse(ctx, error)
      const response = prepared ? await run(prepared).catch(refuse) : refuse(refusal)
      const { spent } = ctx
      const asked = spent && request.request.extensions?.cost === true ? { ...response.extensions, cost: spent } : null
      const answer = asked ? { ...response, extensions: asked } : response
      return graphqlResponse(answer, request.request.http?.headers.get('accept') ?? '', spent)
    },
  }
  return { requestDidStart: async () => listener }
}

function graphqlResponse(
  { status, retryAfterSeconds, ...singleResult }: OperationResponse,
  accept: string,
  spent: Context['spent'],
) {
  const headers = new HeaderMap()
  if (retryAfterSeconds !== undefined) headers.set('retry-after', String(retryAfterSeconds))
  const { extensions } = singleResult
  if (extensions?.position !== undefined) headers.set(POSITION_HEADER, extensions.position)
  if (spent) {
    // As on `/v2`, by draft-ietf-httpapi-ratelimit-headers.
    headers.set('ratelimit-policy', `"cost";q=${spent.limit};w=${BUDGET_SECONDS}`)
    headers.set('ratelimit', `"cost";r=${spent.remaining};t=${spent.resetSeconds}`)
  }
  return { http: { status: statusFor(status, accept), headers }, body: { kind: 'single' as const, singleResult } }
}

/** Returns the status of the answer: clients that accept the older media type only treat 200 as a GraphQL answer. */
function statusFor(status: number, accept: string): number {
  const isLegacy = accept.includes('application/json') && !accept.includes('application/graphql-response+json')
  return status === 400 && isLegacy ? 200 : status
}

function headerMap(headers: IncomingHttpHeaders): HeaderMap {
  const map = new HeaderMap()
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return map
}
