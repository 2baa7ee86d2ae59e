import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Context } from '../../platform/context.js'
import type { NetworkRate } from '../../platform/limits/network-rate.js'
import { ANONYMOUS_BYTES_MAX } from '../../platform/limits/request-bodies.js'
import type { GraphqlHttp } from '../graphql/apollo.js'
import type { EventStreams } from '../graphql/stream-request.js'
import { asksForEvents, streamEvents } from './event-stream-route.js'
import type { BrowserClient } from '../graphql/browser-client.js'
import type { Operations } from '../graphql/operations.js'
import { addBrowserClientFiles, asksForPage, sendPage } from './browser-client.js'
import { errorReply } from './error-body.js'
import type { BrowserCookie } from './browser-cookie.js'
import type { RequestContexts } from './request-context.js'

export interface GraphqlRouteOptions {
  operations: Operations
  graphqlHttp: GraphqlHttp
  contexts: RequestContexts
  /** Binds what a mutation begins to the browser that asked. */
  browserCookie: BrowserCookie
  log: Logger
  /** Answers those who ask for server-sent events. */
  realtime: EventStreams
  /** Counts requests of those who are not signed in; what others send counts by its cost. */
  networkRate?: NetworkRate
  /** Page for browsers that navigate to `/graphql`. */
  browserClient?: BrowserClient
}

/** Adds `/graphql`: GraphQL over HTTP, for queries and mutations. Sockets upgrade at the same path. */
export async function addGraphqlRoute(app: FastifyInstance, options: GraphqlRouteOptions): Promise<void> {
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const refusal = errorReply(error, { requestId: request.id, log: options.log, expiredTokenStatus: 403 })
      const { status, retryAfterSeconds, body } = refusal
      const { error: _error, requestId: _requestId, message, ...extensions } = body
      // A stream has begun.
      if (reply.raw.headersSent) return reply.raw.destroy()
      if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds)
      return reply.code(status).send({ errors: [{ message, extensions }] })
    })
    const { browserClient, operations } = options
    if (browserClient) addBrowserClientFiles(scope, browserClient)
    const callers = new WeakMap<FastifyRequest, Authenticated>()
    // Before the body is read: those who are signed in send theirs beside everybody else's.
    const onRequest = async (request: FastifyRequest): Promise<void> => {
      const hasToken = request.headers.authorization !== undefined
      if (!hasToken) {
        await options.networkRate?.count(request.ip)
        if (!asksForPage(request)) operations.refuseAnonymous(request.ip)
      }
      const caller = await authenticate(options, request)
      if (hasToken && !caller.ctx?.maybeCaller) await options.networkRate?.count(request.ip)
      // Whose token has expired is told so, rather than that the body is too long for strangers.
      if (caller.error !== null && Number(request.headers['content-length']) > ANONYMOUS_BYTES_MAX) throw caller.error
      callers.set(request, caller)
    }
    scope.all('/graphql', { onRequest, config: { counted: 'by itself' } }, (request, reply) =>
      browserClient && asksForPage(request)
        ? sendPage(browserClient, request, reply)
        : respond(options, request, reply, callers.get(request)!),
    )
  })
}

async function isForPublicOperation({ operations }: GraphqlRouteOptions, request: FastifyRequest): Promise<boolean> {
  const { query, operationName } = (request.body ?? {}) as { query?: unknown; operationName?: unknown }
  if (typeof query !== 'string') return false
  const name = typeof operationName === 'string' ? operationName : null
  return operations.isPublic({ query, operationName: name }, request.ip)
}

/** The context of a request, or why there is none: what it asks for decides whether that matters. */
type Authenticated = { ctx: Context; error: null } | { ctx: null; error: unknown }

function authenticate({ contexts }: GraphqlRouteOptions, request: FastifyRequest): Promise<Authenticated> {
  return contexts.of(request, request.headers.authorization).then(
    (ctx) => ({ ctx, error: null }),
    (error: unknown) => ({ ctx: null, error }),
  )
}

async function respond(
  options: GraphqlRouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  authenticated: Authenticated,
): Promise<FastifyReply> {
  let { ctx } = authenticated
  if (ctx === null) {
    const { error } = authenticated
    // A client with a stale token must be able to get a new one.
    if (!(await isForPublicOperation(options, request))) {
      const refusal = options.operations.refuse({ requestId: request.id, log: options.log }, error)
      const { status, retryAfterSeconds, ...body } = refusal
      if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
      return reply.code(status).type('application/json; charset=utf-8').send(body)
    }
    ctx = await options.contexts.of(request, undefined)
  }
  if (asksForEvents(request)) return streamEvents(options.realtime, ctx, request, reply)
  const { url, method, headers, body } = request
  const browser = { secret: options.browserCookie.of(request), isKept: false }
  ctx.browser = browser
  const query = url.indexOf('?')
  const search = query < 0 ? '' : url.slice(query)
  const response = await options.graphqlHttp.respond({ method, headers, search, body }, ctx)
  for (const [name, value] of response.headers) reply.header(name, value)
  if (browser.isKept) options.browserCookie.keep(reply, browser.secret!)
  return reply.code(response.status).send(response.body)
}
