import {
  errorCodes,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RouteHandlerMethod,
} from 'fastify'
import type { GraphQLSchema } from 'graphql'
import type { OperationRunner } from '../src/api/graphql/operations.js'
import { errorBody, routeNotFound } from '../src/api/http/error-body.js'
import { BadUserInput, DomainError, NotFound, Unauthenticated } from '../src/platform/errors.js'
import type { ByteEndpoint } from './byte-endpoints.js'
import { countRequest, type RequestRate } from './count-request.js'
import { readCall, thrownBy, type RestRequest, type RestResponse } from './execute-route.js'
import { ignoredFields, tellingIgnored } from './ignored-fields.js'
import { isObject } from './input/input-reader.js'
import { addOpenApiRoutes, DOCS_PATH, OPENAPI_PATH, SELECTED_PATH } from './openapi/openapi-routes.js'
import { openApiDocument, type OpenApiExtras } from './openapi/openapi-document.js'
import type { OpenApiDocument } from './openapi/openapi-types.js'
import { PathTable, type Endpoint } from './path-table.js'
import { PreparedRoutes } from './prepared-routes.js'
import type { Query } from './query/list-query.js'
import type { BodyCondition, Route } from './route.js'
import { MessageStreamer, STREAM } from './stream-message.js'
import { routes } from './routes/index.js'

export type OperationContext = Parameters<OperationRunner['run']>[0]

export interface RestCompatDeps {
  schema: GraphQLSchema
  operations: OperationRunner
  /** @param authorization undefined: without credentials. @throws Unauthenticated, TokenExpired */
  contextFor(request: FastifyRequest, authorization: string | undefined): Promise<OperationContext>
  rate: RequestRate
  /** Absolute base of links, without a trailing slash. */
  publicUrl: string
  /** Endpoints under `/v2` that are served elsewhere; needed here for `Allow` and OpenAPI. */
  extraEndpoints?: readonly ByteEndpoint[]
  /** Described by OpenAPI as well. */
  webhookEvents?: OpenApiExtras['webhookEvents']
}

/** Serves the rows under `/v2`, with their OpenAPI document and its page. Errors go to the application's error handler. */
export async function registerRestCompat(
  app: FastifyInstance,
  deps: RestCompatDeps,
  rows: readonly Route[] = routes,
): Promise<void> {
  const prepared = new PreparedRoutes(deps.schema, deps.operations)
  const { extraEndpoints = [], publicUrl, webhookEvents } = deps
  const describe = (): OpenApiDocument => {
    const compiled = rows.map((route) => prepared.compiled(route))
    return openApiDocument(deps.schema, compiled, { publicUrl, endpoints: extraEndpoints, webhookEvents })
  }
  const paths = new PathTable([...endpointsOf(rows), ...extraEndpoints])
  await app.register(
    async (scope) => {
      scope.addHook('onRequest', async (request, reply) => {
        await countRequest(deps.rate, 'address', request.ip, reply)
        if (request.is404) await refuseUnrouted(paths, request, reply)
      })
      // Never reached, since the hook has answered; it applies the hooks of this scope to unknown paths.
      scope.setNotFoundHandler(() => {
        throw new NotFound('not found')
      })
      addOpenApiRoutes(scope, describe)
      addTextBodies(scope)
      for (const endpoint of byEndpoint(rows)) {
        const isStreamable = endpoint.some((route) => route.isStreamable)
        addEndpoint(scope, endpoint, {
          ...deps,
          prepared,
          stream: isStreamable ? streamsOf(deps, rows, prepared) : null,
        })
      }
    },
    { prefix: '/v2' },
  )
}

function endpointsOf(rows: readonly Route[]): Endpoint[] {
  const heads = rows.filter(hasHead).map(({ path }) => path)
  const documents = [OPENAPI_PATH, SELECTED_PATH, DOCS_PATH]
  return [
    ...rows,
    ...documents.map((path) => ({ method: 'GET', path })),
    ...[...heads, ...documents].map((path) => ({ method: 'HEAD', path })),
  ]
}

/** A GET with an effect, such as the token refresh (4.1), has no HEAD. */
function hasHead({ method, operation }: Route): boolean {
  return method === 'GET' && !/^\s*mutation\b/.test(operation)
}

function byEndpoint(rows: readonly Route[]): Route[][] {
  return [...Map.groupBy(rows, ({ method, path }) => `${method} ${path}`).values()]
}

/** Leaves a text to be read as it comes, where it is to be streamed; everywhere else it is no media type. */
function addTextBodies(scope: FastifyInstance): void {
  scope.addContentTypeParser('text/plain', (request, payload, done) => {
    const { isStreamable } = request.routeOptions.config as { isStreamable?: boolean }
    if (isStreamable && isStreamed(request)) return done(null, payload)
    done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE('text/plain'))
  })
}

const isStreamed = ({ query }: FastifyRequest): boolean => (query as Query)[STREAM] !== undefined

type Stream = (request: FastifyRequest, context: OperationContext) => Promise<RestResponse>

/** Returns what passes a body on as a message's text, and answers with the message as its own route shows it. */
function streamsOf(
  { operations, publicUrl }: RestCompatDeps,
  rows: readonly Route[],
  prepared: PreparedRoutes,
): Stream {
  const streamer = new MessageStreamer(operations)
  const shownBy = rows.find(({ operationId }) => operationId === 'getConversationMessage')!
  return async (request, context) => {
    const asked = requestOf(request)
    const message = await streamer.stream(context, asked, request.body as AsyncIterable<Uint8Array>)
    const params = { ...asked.params, message }
    const shown = prepared.of(shownBy)
    const call = readCall(shown, { ...asked, params, query: {}, ifMatch: undefined }, [])
    const { data, errors } = await operations.run(context, shown.prepared, call.variables)
    if (errors?.length) throw thrownBy(errors)
    return { ...call.respond(data, publicUrl), status: 201 }
  }
}

function addEndpoint(
  scope: FastifyInstance,
  rows: readonly Route[],
  deps: RestCompatDeps & { prepared: PreparedRoutes; stream: Stream | null },
): void {
  const { prepared, stream } = deps
  const { method, path, isPublic = false } = rows[0]!
  const contexts = new WeakMap<FastifyRequest, OperationContext>()
  const answerTo = async (request: FastifyRequest, ignored: string[]): Promise<RestResponse> => {
    // A path parameter is empty in `/v2/users/` only.
    if (Object.values(request.params as Record<string, string>).includes(''))
      throw routeNotFound(request, request.server.collections)
    if (stream && isStreamed(request)) {
      if (!/^text\/plain\b/i.test(request.headers['content-type'] ?? ''))
        throw new BadUserInput('content-type', 'Content-Type must be text/plain with stream')
      return stream(request, contexts.get(request)!)
    }
    const row = prepared.of(rows.find(({ when }) => !when || holds(when, request.body)) ?? rows.at(-1)!)
    const call = readCall(row, requestOf(request), ignored)
    const { data, errors } = await deps.operations.run(contexts.get(request)!, row.prepared, call.variables)
    if (errors?.length) throw call.refused(thrownBy(errors))
    return call.respond(data, deps.publicUrl)
  }
  const handler: RouteHandlerMethod = async (request, reply) => {
    const ignored: string[] = []
    const answer = await answerTo(request, ignored)
      .catch((error: unknown) => {
        throw ignored.length > 0 ? tellingIgnored(error, ignored) : error
      })
      .finally(() => {
        if (ignored.length > 0) reply.header('ignored-fields', ignoredFields(ignored))
      })
    const { status, headers, body, type = 'application/json' } = answer
    reply.code(status).headers(headers)
    return body === undefined ? reply.send() : reply.type(`${type}; charset=utf-8`).send(body)
  }
  scope.route({
    method,
    url: path.slice('/v2'.length),
    config: { isStreamable: stream !== null } as object,
    exposeHeadRoute: rows.some(hasHead),
    // Before the body is read, so that unauthorized requests are not parsed.
    onRequest: async (request, reply) => {
      const context = await deps.contextFor(request, isPublic ? undefined : request.headers.authorization)
      if (context.maybeCaller) await countRequest(deps.rate, 'key', context.maybeCaller.key, reply)
      else if (!isPublic) throw new Unauthenticated('authentication is required')
      contexts.set(request, context)
    },
    handler,
  })
}

function holds(condition: BodyCondition, body: unknown): boolean {
  return 'bodyIs' in condition ? Array.isArray(body) : isObject(body) && Object.hasOwn(body, condition.bodyHas)
}

function requestOf(request: FastifyRequest): RestRequest {
  const { 'idempotency-key': key, prefer } = request.headers
  return {
    path: request.url.split('?', 1)[0]!,
    params: request.params as Record<string, string>,
    query: request.query as Query,
    body: request.body,
    ifMatch: request.headers['if-match'],
    idempotencyKey: Array.isArray(key) ? key.join(', ') : key,
    prefer: Array.isArray(prefer) ? prefer.join(', ') : prefer,
  }
}

async function refuseUnrouted(paths: PathTable, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const path = request.url.split('?', 1)[0]!
  const allowed = paths.methodsOf(path)
  if (!allowed) throw routeNotFound(request, request.server.collections, paths.nearestTo(path))
  reply.header('allow', allowed.join(', '))
  if (request.method === 'OPTIONS') {
    await reply.code(204).send()
    return
  }
  const message = `${request.method} is not allowed here; allowed: ${allowed.join(', ')}`
  const error = new DomainError('BAD_USER_INPUT', message, { reason: 'METHOD_NOT_ALLOWED' })
  await reply.code(405).send(errorBody(error, request.id))
}
