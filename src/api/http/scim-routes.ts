import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Context } from '../../platform/context.js'
import { NotFound, Unauthenticated, type ErrorDetails } from '../../platform/errors.js'
import type { JsonObject } from '../../platform/json.js'
import type { HttpParts } from '../../platform/module.js'
import { errorReply } from './error-body.js'

interface ScimRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  type: string
  id: string | null
  query: URLSearchParams
  ifMatch: string | null
  body: unknown
}

interface ScimAnswer {
  status: number
  body: JsonObject | null
  location: string | null
  etag: string | null
}

interface ScimSession {
  key: string
  path: readonly (string | undefined)[]
  answer(request: ScimRequest): Promise<ScimAnswer>
}

/** Implemented by `ScimServer` of `scim/`. */
export interface ScimServer {
  open(ctx: Context, credentials: { service: string; authorization: string | undefined }): Promise<ScimSession>
}

export interface ScimRoutesOptions extends Pick<HttpParts, 'bodies' | 'contextFor' | 'countRequest' | 'parseJson'> {
  scim: ScimServer
  log: Logger
}

const TYPE = 'application/scim+json'
const ROOT = '/scim/v2/:service'
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'
/** Reasons that SCIM has a status of its own for: another resource has the name. */
const TAKEN = new Set(['EMAIL_TAKEN', 'NAME_TAKEN'])

/** Adds the addresses at which providers keep users and groups (SCIM 2.0), answered and refused in SCIM's own words. */
export async function addScimRoutes(app: FastifyInstance, options: ScimRoutesOptions): Promise<void> {
  const { scim, bodies, contextFor, countRequest, parseJson, log } = options
  const sessions = new WeakMap<FastifyRequest, ScimSession>()
  await app.register(async (scope) => {
    scope.addContentTypeParser(TYPE, parseJson)
    scope.setErrorHandler((error, request, reply) => sendError(error, request, reply, log))

    // Before the body is read, so that nobody else's is.
    const open = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const { service } = request.params as { service: string }
      const { authorization } = request.headers
      const ctx = await contextFor(request, undefined)
      const session = await scim.open(ctx, { service, authorization }).catch(async (error: unknown) => {
        // Of refusals alone: the providers of many customers ask from the same few addresses, and each has a count of its own.
        if (error instanceof Unauthenticated) await countRequest(reply, 'address', request.ip)
        throw error
      })
      const { key, path } = session
      bodies.admit(request)
      bodies.attribute(request, { kind: 'scim', key, path })
      bodies.know(request, key)
      await countRequest(reply, 'key', key)
      sessions.set(request, session)
    }
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { type, id = null } = request.params as { type: string; id?: string }
      const at = request.url.indexOf('?')
      const given = await sessions.get(request)!.answer({
        method: request.method as ScimRequest['method'],
        type,
        id,
        query: new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1)),
        ifMatch: request.headers['if-match'] ?? null,
        body: request.body,
      })
      if (given.etag !== null) reply.header('etag', given.etag)
      if (given.status === 201 && given.location !== null) reply.header('location', given.location)
      reply.code(given.status)
      return given.body === null ? reply.send() : send(reply, given.body)
    }
    for (const url of [`${ROOT}/:type`, `${ROOT}/:type/:id`]) {
      scope.route({ method: [...METHODS], url, exposeHeadRoute: false, onRequest: open, handler: answer })
    }
    scope.route({
      method: [...METHODS],
      url: '/scim/*',
      exposeHeadRoute: false,
      handler: async () => {
        throw new NotFound('there is nothing of SCIM at this address', { reason: 'ROUTE_NOT_FOUND' })
      },
    })
  })
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): FastifyReply {
  // A token of a provider does not expire as those of users do.
  const { status, retryAfterSeconds, body } = errorReply(error, { requestId: request.id, log, expiredTokenStatus: 401 })
  if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds)
  const isTaken = TAKEN.has(body.reason)
  const shown = isTaken ? 409 : body.reason === 'METHOD_NOT_ALLOWED' ? 405 : status
  const scimType = scimTypeOf(shown, body)
  return send(reply.code(shown), {
    schemas: [ERROR_SCHEMA],
    status: String(shown),
    ...(scimType !== null && { scimType }),
    detail: body.message,
  })
}

function scimTypeOf(status: number, { scimType, field }: ErrorDetails): string | null {
  if (typeof scimType === 'string') return scimType
  if (status === 409) return 'uniqueness'
  if (status !== 400) return null
  return field === 'body' || field === 'request' ? 'invalidSyntax' : 'invalidValue'
}

function send(reply: FastifyReply, body: JsonObject): FastifyReply {
  return reply.type(`${TYPE}; charset=utf-8`).send(JSON.stringify(body))
}
