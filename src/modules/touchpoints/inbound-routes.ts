import { recordNotFound } from '../../platform/lists/fetch-record.js'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Database } from '../../platform/db/database.js'
import { pathOf } from '../../platform/db/tenancy.js'
import { DomainError, Forbidden, RequestAborted, Unavailable } from '../../platform/errors.js'
import { networkOf, networksOf } from '../../platform/limits/network-of.js'
import type { RefusalPace } from '../../platform/limits/refusal-pace.js'
import type { RequestBodies } from '../../platform/limits/request-bodies.js'
import { FairQueue } from '../../platform/fairness/fair-queue.js'
import { shareOf, type Share } from '../../platform/fairness/share.js'
import { RequestsAtOnce } from '../../platform/limits/requests-at-once.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import type { TouchpointService } from './adapter.js'
import { ProvenCallers } from './proven-callers.js'
import { readOpenedService } from './touchpoint-service.js'

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

/** One endpoint for a provider's callbacks. */
export interface InboundRoute {
  /** Type of the services. */
  type: string
  method: 'GET' | 'POST'
  /** Path after `/inbound/<type>/<service>`: empty, or `/status`. */
  path: string
  /** Maximum size of the body. */
  bytesMax: number
  /**
   * Decides from the headers whether to read the body: checks the secret, or that there is a signature to verify.
   * @throws DomainError
   */
  admit(head: InboundHead): void
  /**
   * Verifies the provider's signature of the body, which nobody parses before. `head`: `admit` has authenticated the
   * provider, by a secret. @returns false to refuse
   */
  isSigned: 'head' | ((request: InboundRequest) => boolean)
  /** @throws DomainError to refuse, with its status */
  handle(request: InboundRequest): Promise<InboundReply>
}

export interface InboundRoutesOptions {
  database: Database
  sealer: Sealer
  bodies: RequestBodies
  refusals: RefusalPace
  log: Logger
  routes: readonly InboundRoute[]
  /** Without a trailing slash. */
  publicUrl: string
}

/**
 * Concurrent requests of a network, counted from their headers; further ones get an error and are repeated by providers. There
 * is no total, which some networks would use up.
 */
const PER_NETWORK_MAX = 150
/** Concurrent requests that are handled, once their provider is proven. Others wait, in turns of contact centers. */
const HANDLED_LIMITS = { total: 200, perTenant: 50, perCaller: 50, waitingPerCaller: 1_000 }
/**
 * Signatures are verified one at a time, in turns of networks and of the addresses in them. Then as long again four times is
 * everybody else's: anybody may send many calls at once, each with a body to be hashed.
 */
const PROOF_LIMITS = { total: 1, perTenant: 1, perCaller: 1, waitingPerCaller: 1_000 }
const PROOF_PAUSE = { factor: 4, msMax: 100 }
/** Time for a whole body whose signature is yet to be verified: providers send theirs within a second. */
const UNPROVED_BODY_MS_MAX = 10_000

/**
 * Adds the endpoints for providers: `/inbound/<type>/<service id>`. They need no token and have no request limit
 * (section 8 counts those of `/v2`): they are protected by signatures, size limits and limits of concurrent requests. Those of a
 * network whose calls are refused again and again wait before anything is done for them, as its refusals do: not those to a service whose
 * provider has proven itself from there, since all customers of a provider are called from its network.
 * A body is read only after its headers were accepted, and handled only once its signature was verified: until then it
 * takes no place that others need.
 */
export async function addInboundRoutes(app: FastifyInstance, options: InboundRoutesOptions): Promise<void> {
  const byNetwork = new RequestsAtOnce({ address: PER_NETWORK_MAX })
  const byCenter = new RequestsAtOnce({ address: Infinity, caller: PER_NETWORK_MAX })
  const proven = new ProvenCallers()
  const handled = new FairQueue({ name: 'calls', limits: HANDLED_LIMITS })
  const heads = new WeakMap<FastifyRequest, InboundHead>()
  const proofs = new FairQueue({ name: 'calls', limits: PROOF_LIMITS, pause: PROOF_PAUSE })
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
        options.bodies.read(request, payload),
      )
      for (const route of options.routes) {
        scope.route({
          method: route.method,
          url: `/${route.type}/:service${route.path}`,
          bodyLimit: route.bytesMax,
          onRequest: async (request, reply) => {
            const address = request.ip
            const center = proven.centerOf(request)
            if (center === undefined) {
              byNetwork.enter(reply, { address })
              await begin(options, request)
            } else byCenter.enter(reply, { address, caller: `${networkOf(address)} ${center}` })
            const head = await proven.unlessRefused(request, () =>
              masked(options, request, () => admit(options, route, request)),
            )
            heads.set(request, head)
            if (route.isSigned === 'head') {
              options.bodies.know(request, head.service.id)
              options.bodies.attribute(request, { kind: 'service', path: pathOf(head.service) })
            } else cutWhenLate(request)
            options.bodies.refuseWithoutRoom(request)
          },
          handler: (request, reply) =>
            masked(options, request, async () => {
              const prove = (): InboundRequest => proved(options, route, { request, head: heads.get(request)! })
              const given =
                route.isSigned === 'head'
                  ? prove()
                  : await proven.unlessRefused(request, () => proofs.run(networkShare(request.ip), prove))
              const { service } = given
              proven.note(request, service)
              options.bodies.know(request, service.id)
              return handled.run(shareOf(pathOf(service), service.id), () => answer(route, given, reply))
            }),
        })
      }
    },
    { prefix: '/inbound' },
  )
}

/** @throws Unavailable when too many wait; RequestAborted when its sender did not */
async function begin({ refusals }: InboundRoutesOptions, { ip, socket }: FastifyRequest): Promise<void> {
  const mayBegin = await refusals.waitToBegin(ip)
  if (!mayBegin) throw new Unavailable('too many calls of the network were refused: send it later')
  if (socket.destroyed) throw new RequestAborted()
}

function networkShare(address: string): Share {
  const [own, wider, widest] = networksOf(address)
  return [widest, wider, own]
}

async function admit(
  { database, sealer }: InboundRoutesOptions,
  route: InboundRoute,
  request: FastifyRequest,
): Promise<InboundHead> {
  const { service: id } = request.params as { service: string }
  const sql = database.readsOf(shareOf(['inbound'], request.ip))
  const service = await readOpenedService({ sql, sealer }, route.type, id)
  if (!service) throw recordNotFound('Service', id)
  const query = new URLSearchParams(request.url.split('?').slice(1).join('?'))
  const head = { service, headers: request.headers, query }
  route.admit(head)
  return head
}

function cutWhenLate({ raw }: FastifyRequest): void {
  const timer = setTimeout(() => raw.destroy(), UNPROVED_BODY_MS_MAX)
  for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer))
}

/** Returns the whole request. @throws Forbidden if the provider did not sign it */
function proved(
  { publicUrl }: InboundRoutesOptions,
  route: InboundRoute,
  { request, head }: { request: FastifyRequest; head: InboundHead },
): InboundRequest {
  const given: InboundRequest = {
    ...head,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    url: `${publicUrl}${request.url}`,
    requestId: request.id,
  }
  if (route.isSigned !== 'head' && !route.isSigned(given)) throw new Forbidden('the signature is invalid')
  return given
}

async function answer(route: InboundRoute, given: InboundRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { status, type, body } = await route.handle(given)
  if (type) reply.type(type)
  return reply.code(status).send(body ?? '')
}

async function masked<T>(
  { log }: InboundRoutesOptions,
  request: FastifyRequest,
  work: () => T | Promise<T>,
): Promise<T> {
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
