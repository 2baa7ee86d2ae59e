import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Sql } from '../db/database.js'
import { DomainError, NotFound, shown, Unavailable } from '../errors.js'
import type { Touchpoint } from '../messages/message-content.js'
import type { TouchpointService } from './adapter.js'
import { readTouchpointService } from './touchpoint-service.js'

/** What a provider sent, as it came. */
export interface InboundRequest {
  service: TouchpointService
  headers: IncomingHttpHeaders
  query: URLSearchParams
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
  /** @throws DomainError to refuse, with its status */
  handle(request: InboundRequest): Promise<InboundReply>
}

export interface InboundRoutesOptions {
  sql: Sql
  log: Logger
  routes: readonly InboundRoute[]
  /** Without a trailing slash. */
  publicUrl: string
}

/** Requests that are read and answered at once; more are asked to come again, as providers do. */
const AT_ONCE_MAX = 200

/**
 * What providers call: `/inbound/<touchpoint>/<service id>`. No tokens of ours, no limit of requests (section 8 counts
 * those of `/v2`): a signature each, sizes, and a bound on what is under way.
 */
export async function addInboundRoutes(app: FastifyInstance, options: InboundRoutesOptions): Promise<void> {
  let underWay = 0
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      scope.addHook('onRequest', async () => {
        if (underWay >= AT_ONCE_MAX) throw new Unavailable('too many messages are coming in: send it again')
      })
      for (const route of options.routes) {
        scope.route({
          method: route.method,
          url: `/${route.touchpoint}/:service${route.path}`,
          bodyLimit: route.bytesMax,
          handler: async (request, reply) => {
            underWay += 1
            try {
              return await answer(options, route, request, reply)
            } finally {
              underWay -= 1
            }
          },
        })
      }
    },
    { prefix: '/inbound' },
  )
}

async function answer(
  { log, publicUrl, sql }: InboundRoutesOptions,
  route: InboundRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { service: id } = request.params as { service: string }
  try {
    const service = await readTouchpointService(sql, route.touchpoint, id)
    if (!service) throw new NotFound(`Service ${shown(id)} not found`)
    const { status, type, body } = await route.handle({
      service,
      headers: request.headers,
      query: new URLSearchParams(request.url.split('?').slice(1).join('?')),
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      url: `${publicUrl}${request.url}`,
      requestId: request.id,
    })
    if (type) reply.type(type)
    return reply.code(status).send(body ?? '')
  } catch (error) {
    if (error instanceof DomainError) throw error
    // Not a word about why, and not 500: the provider sends it again.
    log.error({ err: error, service: id, requestId: request.id }, 'what a provider sent could not be taken')
    throw new Unavailable('it could not be taken for the moment: send it again')
  }
}
