import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Database } from '../db/database.js'
import { DomainError, NotFound, quoteValue, Unavailable } from '../errors.js'
import type { RequestBodies } from '../limits/request-bodies.js'
import { RequestsAtOnce } from '../limits/requests-at-once.js'
import type { Touchpoint } from '../messages/message-enums.js'
import type { TouchpointService } from './adapter.js'
import { readTouchpointService } from './touchpoint-service.js'

/** Data of a provider's request that is known before its body is read. */
export interface InboundHead {
  service: TouchpointService
  headers: IncomingHttpHeaders
  query: URLSearchParams
}

/** A provider's request, unparsed. */
export interface InboundRequest extends InboundHead {
  /** Raw bytes, over which signatures are computed. */
  body: Buffer
  /** Public URL with path and query, as the provider knows it. */
  url: string
  requestId: string
}

export interface InboundReply {
  status: number
  /** Content type; absent without a body. */
  type?: string
  body?: string
}

/** One endpoint for a provider's callbacks. `handle` authenticates the provider by its signature. */
export interface InboundRoute {
  touchpoint: Exclude<Touchpoint, 'web'>
  method: 'GET' | 'POST'
  /** Path after `/inbound/<touchpoint>/<service>`: empty, or `/status`. */
  path: string
  /** Maximum size of the body. */
  bytesMax: number
  /**
   * Decides from the headers whether to read the body: checks the secret, or that there is a signature to verify.
   * @throws DomainError
   */
  admit(head: InboundHead): void
  /** @throws DomainError to refuse, with its status */
  handle(request: InboundRequest): Promise<InboundReply>
}

export interface InboundRoutesOptions {
  database: Database
  bodies: RequestBodies
  log: Logger
  routes: readonly InboundRoute[]
  /** Without a trailing slash. */
  publicUrl: string
}

/** Concurrent requests, counted from their headers; further ones get an error and are repeated by providers. */
const AT_ONCE_MAX = 200
const AT_ONCE_PER_ADDRESS_MAX = 150

/**
 * Adds the endpoints for providers: `/inbound/<touchpoint>/<service id>`. They need no token and have no request limit
 * (section 8 counts those of `/v2`): they are protected by signatures, size limits and a limit of concurrent requests.
 * A body is read only after its headers were accepted.
 */
export async function addInboundRoutes(app: FastifyInstance, options: InboundRoutesOptions): Promise<void> {
  const atOnce = new RequestsAtOnce({ total: AT_ONCE_MAX, address: AT_ONCE_PER_ADDRESS_MAX })
  const heads = new WeakMap<FastifyRequest, InboundHead>()
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
        options.bodies.read(request, payload),
      )
      for (const route of options.routes) {
        scope.route({
          method: route.method,
          url: `/${route.touchpoint}/:service${route.path}`,
          bodyLimit: route.bytesMax,
          onRequest: async (request, reply) => {
            atOnce.enter(reply, { address: request.ip })
            options.bodies.refuseWithoutRoom(request)
            heads.set(request, await masked(options, request, () => admit(options, route, request)))
          },
          handler: (request, reply) =>
            masked(options, request, () => answer(options, route, { request, reply, head: heads.get(request)! })),
        })
      }
    },
    { prefix: '/inbound' },
  )
}

async function admit(
  { database }: InboundRoutesOptions,
  route: InboundRoute,
  request: FastifyRequest,
): Promise<InboundHead> {
  const { service: id } = request.params as { service: string }
  const reads = database.readsOf({ tenant: 'inbound', caller: request.ip })
  const service = await readTouchpointService(reads, route.touchpoint, id)
  if (!service) throw new NotFound(`Service ${quoteValue(id)} not found`)
  const query = new URLSearchParams(request.url.split('?').slice(1).join('?'))
  const head = { service, headers: request.headers, query }
  route.admit(head)
  return head
}

async function answer(
  { publicUrl }: InboundRoutesOptions,
  route: InboundRoute,
  { request, reply, head }: { request: FastifyRequest; reply: FastifyReply; head: InboundHead },
): Promise<FastifyReply> {
  const { status, type, body } = await route.handle({
    ...head,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    url: `${publicUrl}${request.url}`,
    requestId: request.id,
  })
  if (type) reply.type(type)
  return reply.code(status).send(body ?? '')
}

async function masked<T>({ log }: InboundRoutesOptions, request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DomainError) throw error
    // No details and no 500, so that the provider repeats it.
    const { service } = request.params as { service: string }
    log.error({ err: error, service, requestId: request.id }, 'failed to accept an inbound provider message')
    throw new Unavailable('temporarily unavailable: repeat the request')
  }
}
