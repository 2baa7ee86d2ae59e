import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Database } from '../db/database.js'
import { DomainError, NotFound, quoteValue, Unavailable } from '../errors.js'
import { RequestsAtOnce, type RequestBodies } from '../limits/request-bodies.js'
import type { Touchpoint } from '../messages/message-content.js'
import type { TouchpointService } from './adapter.js'
import { readTouchpointService } from './touchpoint-service.js'

/** What is known of a provider's request before its body is read. */
export interface InboundHead {
  service: TouchpointService
  headers: IncomingHttpHeaders
  query: URLSearchParams
}

/** What a provider sent, as it came. */
export interface InboundRequest extends InboundHead {
  /** Unread bytes: what signatures are made of. */
  body: Buffer
  /** As the provider knows it: the public address with path and query. */
  url: string
  requestId: string
}

export interface InboundReply {
  status: number
  /** Content type; none without a body. */
  type?: string
  body?: string
}

/** One address at which a provider tells something. Whether it is the provider, `handle` checks: by its signature. */
export interface InboundRoute {
  touchpoint: Exclude<Touchpoint, 'web'>
  method: 'GET' | 'POST'
  /** Behind `/inbound/<touchpoint>/<service>`: empty, or `/status`. */
  path: string
  /** Of the body. */
  bytesMax: number
  /** Whether to read the body at all: the secret, or that there is a signature to check. @throws DomainError */
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

/** Requests under way at once, from their headers on; more are asked to come again, as providers do. */
const AT_ONCE_MAX = 200
const AT_ONCE_PER_ADDRESS_MAX = 150

/**
 * What providers call: `/inbound/<touchpoint>/<service id>`. No tokens of ours, no limit of requests (section 8 counts
 * those of `/v2`): a signature each, sizes, and a bound on what is under way. Nothing of a body is read before its
 * headers have been found to be those of somebody who may send one.
 */
export async function addInboundRoutes(app: FastifyInstance, options: InboundRoutesOptions): Promise<void> {
  const atOnce = new RequestsAtOnce(AT_ONCE_MAX, AT_ONCE_PER_ADDRESS_MAX)
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
            atOnce.enter(request, reply)
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
    // Not a word about why, and not 500: the provider sends it again.
    const { service } = request.params as { service: string }
    log.error({ err: error, service, requestId: request.id }, 'failed to take in what a provider sent')
    throw new Unavailable('it could not be taken for the moment: send it again')
  }
}
