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
import type { Context } from '../context.js'
import type { Operations, OperationResponse } from './operations.js'
import type { PreparedOperation } from './documents.js'
import { readPlainRequest, RememberedTypes } from './plain-request.js'

/** Handles GraphQL over HTTP. */
export interface GraphqlHttp {
  respond(request: GraphqlHttpRequest, ctx: Context): Promise<GraphqlHttpResponse>
  stop(): Promise<void>
}

/** State of one HTTP request passed through Apollo. */
interface Exchange {
  ctx: Context
  prepared: PreparedOperation | null
  refusal: unknown
}

/**
 * Creates the HTTP side of GraphQL by Apollo Server: methods, media types, CSRF prevention, the shape of requests.
 * Documents and execution are those of `Operations`, so that sockets and REST have the same limits and errors.
 *
 * A plain request, as nearly all are, needs only a media type from Apollo: once that is known for its `Accept` header,
 * it goes directly to the same operations and gets the same answer. Apollo costs 200 us of CPU per request, as much as
 * everything else for a short one.
 */
export async function createGraphqlHttp(operations: Operations, log: Logger): Promise<GraphqlHttp> {
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
    stringifyResult: async (result) => JSON.stringify(result),
    logger: log,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      execution(operations),
    ],
  })
  await apollo.start()
  const types = new RememberedTypes()
  return {
    async respond(request, ctx) {
      const plain = readPlainRequest(request)
      const { accept } = request.headers
      const type = plain ? types.of(accept) : undefined
      if (plain && type) return plainResponse(await operations.respond(ctx, plain), type, accept)
      const response = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: {
          method: request.method,
          headers: headerMap(request.headers),
          search: request.search,
          body: request.body,
        },
        context: async () => ({ ctx, prepared: null, refusal: null }),
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
      try {
        const { operationName } = request.request
        exchange.prepared = await operations.prepareFor(exchange.ctx, { query: request.source ?? '', operationName })
        document = exchange.prepared.document
      } catch (error) {
        exchange.refusal = error
      }
      Object.assign(request, { document })
    },
    async responseForOperation(request: GraphQLRequestContext<Exchange>) {
      const { ctx, prepared, refusal } = request.contextValue
      const response = prepared
        ? await operations.respondTo(ctx, prepared, request.request.variables ?? {})
        : operations.refuse(ctx, refusal)
      return graphqlResponse(response, request.request.http?.headers.get('accept') ?? '')
    },
  }
  return { requestDidStart: async () => listener }
}

function graphqlResponse({ status, retryAfterSeconds, ...singleResult }: OperationResponse, accept: string) {
  const headers = new HeaderMap()
  if (retryAfterSeconds !== undefined) headers.set('retry-after', String(retryAfterSeconds))
  const { extensions } = singleResult
  if (extensions) headers.set(POSITION_HEADER, extensions.position)
  return { http: { status: statusFor(status, accept), headers }, body: { kind: 'single' as const, singleResult } }
}

function plainResponse(response: OperationResponse, type: string, accept = ''): GraphqlHttpResponse {
  const { status, retryAfterSeconds, errors, data, extensions } = response
  const headers: [string, string][] = [['content-type', type]]
  if (retryAfterSeconds !== undefined) headers.push(['retry-after', String(retryAfterSeconds)])
  if (extensions) headers.push([POSITION_HEADER, extensions.position])
  return { status: statusFor(status, accept), headers, body: JSON.stringify({ errors, data, extensions }) }
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
