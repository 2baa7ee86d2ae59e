import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Context } from '../context.js'
import type { GraphqlHttp } from '../graphql/apollo.js'
import type { BrowserClient } from '../graphql/browser-client.js'
import type { Operations } from '../graphql/operations.js'
import { addBrowserClientFiles, asksForPage, sendPage } from './browser-client.js'
import { errorReply } from './error-body.js'
import type { RequestContexts } from './request-context.js'

export interface GraphqlRouteOptions {
  operations: Operations
  graphqlHttp: GraphqlHttp
  contexts: RequestContexts
  log: Logger
  /** Page for browsers that navigate to `/graphql`. */
  browserClient?: BrowserClient
}

/** Adds `/graphql`: GraphQL over HTTP, for queries and mutations. Sockets upgrade at the same path. */
export async function addGraphqlRoute(app: FastifyInstance, options: GraphqlRouteOptions): Promise<void> {
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const refusal = errorReply(error, { requestId: request.id, log: options.log, expiredTokenStatus: 403 })
      const { status, retryAfterSeconds, body } = refusal
      const { message, code } = body
      if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds)
      return reply.code(status).send({ errors: [{ message, extensions: { code } }] })
    })
    const { browserClient, operations } = options
    if (browserClient) addBrowserClientFiles(scope, browserClient)
    // Before the body is read.
    const onRequest = async (request: FastifyRequest): Promise<void> => {
      if (request.headers.authorization === undefined && !asksForPage(request)) operations.refuseAnonymous(request.ip)
    }
    scope.all('/graphql', { onRequest }, (request, reply) =>
      browserClient && asksForPage(request)
        ? sendPage(browserClient, request, reply)
        : respond(options, request, reply),
    )
  })
}

async function isForPublicOperation({ operations }: GraphqlRouteOptions, request: FastifyRequest): Promise<boolean> {
  const { query, operationName } = (request.body ?? {}) as { query?: unknown; operationName?: unknown }
  if (typeof query !== 'string') return false
  const name = typeof operationName === 'string' ? operationName : null
  return operations.isPublic({ query, operationName: name }, request.ip)
}

async function respond(
  options: GraphqlRouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  let ctx: Context
  try {
    ctx = await options.contexts.of(request, request.headers.authorization)
  } catch (error) {
    // A client with a stale token must be able to get a new one.
    if (!(await isForPublicOperation(options, request))) {
      const refusal = options.operations.refuse({ requestId: request.id, log: options.log }, error)
      const { status, retryAfterSeconds, ...body } = refusal
      if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
      return reply.code(status).type('application/json; charset=utf-8').send(body)
    }
    ctx = await options.contexts.of(request, undefined)
  }
  const { url, method, headers, body } = request
  const query = url.indexOf('?')
  const search = query < 0 ? '' : url.slice(query)
  const response = await options.graphqlHttp.respond({ method, headers, search, body }, ctx)
  for (const [name, value] of response.headers) reply.header(name, value)
  return reply.code(response.status).send(response.body)
}
