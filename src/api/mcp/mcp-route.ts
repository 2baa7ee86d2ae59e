import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Context } from '../../platform/context.js'
import { Forbidden } from '../../platform/errors.js'
import type { HttpParts } from '../../platform/module.js'
import type { Operations } from '../graphql/operations.js'
import { errorReply } from '../http/error-body.js'
import {
  errorFrame,
  idOf,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  PARSE_ERROR,
  readFrame,
  REFUSED,
  RpcError,
} from './json-rpc.js'
import { McpServer, type CountToolCall } from './mcp-server.js'

export interface McpRouteOptions extends Pick<HttpParts, 'contextFor' | 'countRequest'> {
  operations: Operations
  countToolCall: CountToolCall
  /** Absolute base of links, without a trailing slash. */
  publicUrl: string
  allowedOrigins: readonly string[]
  log: Logger
}

const PATH = '/mcp'
/** Address at which RFC 9728 has a client look for what authorizes it. */
const METADATA_PATH = `/.well-known/oauth-protected-resource${PATH}`

/** Adds `/mcp`: the Model Context Protocol over streamable HTTP, answered as JSON, for registered users and bots. */
export async function addMcpRoute(app: FastifyInstance, options: McpRouteOptions): Promise<void> {
  const { publicUrl, contextFor, countRequest } = options
  const server = new McpServer(options.operations, options.countToolCall)
  const challenge = `Bearer resource_metadata="${publicUrl}${METADATA_PATH}"`
  const isAllowed = originCheck(options)
  const contexts = new WeakMap<FastifyRequest, Context>()
  app.get(METADATA_PATH, async () => ({
    resource: `${publicUrl}${PATH}`,
    resource_name: 'Switchboard',
    bearer_methods_supported: ['header'],
  }))
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const { status, retryAfterSeconds, frame } = refusalOf(error, request, options.log)
      if (status === 401) reply.header('www-authenticate', challenge)
      if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds)
      return sendJson(reply.code(status), JSON.stringify(frame))
    })
    scope.route({
      method: 'POST',
      url: PATH,
      // Before the body is read, so that unauthorized requests are not parsed.
      onRequest: async (request, reply) => {
        await countRequest(reply, 'address', request.ip)
        isAllowed(request)
        const context = await contextFor(request, request.headers.authorization)
        // Guests have the widget, operators have no conversations.
        const { key } = context.userCaller
        await countRequest(reply, 'key', key)
        contexts.set(request, context)
      },
      handler: async (request, reply) => {
        const answer = await server.answer(contexts.get(request)!, readFrame(request.body), request.headers)
        return answer === null ? reply.code(202).send() : sendJson(reply, answer)
      },
    })
    // The server begins no messages by itself, and has no sessions to end.
    scope.route({
      method: ['GET', 'DELETE', 'PUT', 'PATCH'],
      url: PATH,
      exposeHeadRoute: false,
      handler: async (_request, reply) => {
        reply.header('allow', 'POST')
        throw new RpcError(INVALID_REQUEST, 'only POST is taken here', 405)
      },
    })
  })
}

function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text)
}

/**
 * Refuses requests of other sites' pages, also where a name of theirs leads to this server (DNS rebinding): what the page calls its own
 * origin counts for nothing here.
 */
function originCheck({ publicUrl, allowedOrigins }: McpRouteOptions): (request: FastifyRequest) => void {
  const allowed = new Set([...allowedOrigins, new URL(publicUrl).origin])
  return ({ headers: { origin } }) => {
    if (origin === undefined || allowed.has(origin) || allowed.has('*')) return
    throw new Forbidden(`pages of ${origin.slice(0, 200)} may not call this server: ALLOWED_ORIGINS does not name it`, {
      reason: 'ORIGIN_NOT_ALLOWED',
    })
  }
}

/** The answer to a request that no tool got. An expired token is 401 here, as the protocol has it. */
function refusalOf(
  error: unknown,
  request: FastifyRequest,
  log: Logger,
): { status: number; retryAfterSeconds: number | null; frame: object } {
  const id = idOf(request.body)
  if (error instanceof RpcError) return { status: error.status, retryAfterSeconds: null, frame: errorFrame(id, error) }
  const { status, retryAfterSeconds, body } = errorReply(error, { requestId: request.id, log, expiredTokenStatus: 401 })
  const { error: _error, message, ...data } = body
  return { status, retryAfterSeconds, frame: errorFrame(id, { code: codeOf(status, data.field), message, data }) }
}

function codeOf(status: number, field: unknown): number {
  if (status >= 500) return status === 500 ? INTERNAL_ERROR : REFUSED
  if (status !== 400) return REFUSED
  return field === 'body' ? PARSE_ERROR : INVALID_REQUEST
}
