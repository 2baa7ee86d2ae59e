import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../../platform/config.js'
import type { Clock } from '../../platform/db/clock.js'
import { RETRY_AFTER_SECONDS } from '../../platform/errors.js'
import { FairQueue } from '../../platform/fairness/fair-queue.js'
import { shareOf } from '../../platform/fairness/share.js'
import { networkOf } from '../../platform/limits/network-of.js'
import { NetworkRate } from '../../platform/limits/network-rate.js'
import { RefusalPace } from '../../platform/limits/refusal-pace.js'
import { endRefused } from '../../platform/limits/request-end.js'
import { ANONYMOUS_BYTES_MAX, RequestBodies } from '../../platform/limits/request-bodies.js'
import { LARGE_ANSWER_BYTES, type UnreadAnswers } from '../../platform/limits/unread-answers.js'
import type { Metrics } from '../../platform/metrics.js'
import type { JsonParser } from '../../platform/module.js'
import {
  parseChecked,
  parseRequestJson,
  refuseShape,
  REQUEST_VALUES_MAX,
  UNKNOWN_VALUES_MAX,
} from '../../platform/request-json.js'
import { compressAnswers } from './compression.js'
import { allowOrigins, isPreflight, type GuestOrigins } from './cors.js'
import { tracing } from '../../platform/tracing/tracing.js'
import { errorReply, routeNotFound } from './error-body.js'
import { trustOf } from '../../platform/limits/trusted-proxies.js'
import { addErrorsPage } from './errors-page.js'
import { addHomePage } from './home-page.js'
import type { MetricsConfig } from './metrics-access.js'
import { addOperatorRoutes } from './operator-routes.js'
import { refusalOfHeaders, refuseHeaders, requireUtf8 } from './refuse-headers.js'
import { createServerInTurn } from './requests-in-turn.js'

export interface HttpAppOptions {
  config: Pick<
    Config,
    'trustProxy' | 'allowedOrigins' | 'publicUrl' | 'expiredTokenStatus' | 'logsRequests' | 'rateLimitPerSecond'
  > &
    MetricsConfig
  log: Logger
  clock: Clock
  metrics: Metrics
  guestOrigins?: GuestOrigins
  unreadAnswers: UnreadAnswers
  /** Tells whether migrations have run and everything is started. */
  isStarted(): boolean
  /** Tells whether the database takes writes. */
  isCommitting(): boolean
}

/** The HTTP server before the product's routes are added; not listening yet. */
export interface HttpApp {
  fastify: FastifyInstance
  /** Reads the bodies of requests. */
  bodies: RequestBodies
  /** Parses JSON; for types that a route takes beside `application/json`. */
  parseJson: JsonParser
  /** Requests of each network. */
  rate: NetworkRate
  /** Refusals of each network, which wait for one another. */
  refusals: RefusalPace
  /** Reports not ready from now on, and asks clients to use another connection after each response. */
  beginDrain(): void
  /** Closes connections that are idle, or become so. */
  closeIdle(): void
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Addresses of `/v2` by their first segments: `/v2/users`. */
    collections: ReadonlySet<string>
  }
  interface FastifyContextConfig {
    /** Counts its requests by itself, or for a rate of its own. */
    counted?: 'probe' | 'by itself'
  }
}

const BODY_BYTES_MAX = 1_048_576
/** A longer body is large whatever it holds; a shorter one if it holds much. */
const LARGE_BODY_BYTES = 131_072
/** Large bodies are parsed one at a time. */
const PARSE_LIMITS = { total: 1, perTenant: 1, perCaller: 1, waitingPerCaller: 100 }
const PARSE_PAUSE = { factor: 4, msMax: 500 }
/** A network may send so many times the requests that \`/v2\` takes of one address: most are files of pages. */
const NETWORK_RATE_FACTOR = 50
/** Refusals a second of a network whose requests cost something and prove nothing; at least as many as at the usual rate. */
const REFUSALS_PER_REQUEST = 2.5
const REFUSALS_PER_SECOND_MIN = 50
/** Bytes of large bodies that a caller is refused a second, read or not: four bodies of the largest of `/v2`. */
const REFUSED_BYTES_PER_SECOND = 4 * BODY_BYTES_MAX
/** The rest of a refused body that is read in order to keep the connection. */
const DISCARD_BYTES_MAX = 65_536
/** Interval in which connections are checked while the server stops. */
const IDLE_CHECK_MS = 100
/** Time limit for receiving a request: enough for an upload. */
const REQUEST_MS_MAX = 300_000
/** A client's request id is accepted if it cannot be confused with anything else in a log. */
const REQUEST_ID = /^[\w.:-]{1,100}$/

export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { config, clock } = options
  let draining = false
  const app = fastify({
    logger: false,
    trustProxy: trustOf(config.trustProxy),
    bodyLimit: BODY_BYTES_MAX,
    serverFactory: (handler, { keepAliveTimeout }) =>
      Object.assign(createServerInTurn(handler), { keepAliveTimeout, requestTimeout: REQUEST_MS_MAX }),
    requestIdHeader: false,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : clock.newId()
    },
    // Closes idle connections at once; active ones end by themselves.
    forceCloseConnections: 'idle',
    // Fastify's own answer lacks our error body; see below.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    // Errors before routing, such as a path that cannot be decoded.
    frameworkErrors: (error, request, reply) => void sendUncounted(error, request, reply),
  })
  const rate = new NetworkRate(NETWORK_RATE_FACTOR * config.rateLimitPerSecond)
  /** No hook has counted such a request. */
  const sendUncounted = async (error: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      await rate.count(request.ip)
    } catch (limited) {
      return void sendError(options, limited as Error, request, reply.header('connection', 'close'))
    }
    sendError(options, error, request, reply)
  }
  const bodies = new RequestBodies()
  bodies.watch(app)
  options.metrics.gauge('bodies_bytes', 'Bytes of requests held in memory.', () => bodies.memory.total)
  options.metrics.gauge('uploads_bytes', 'Bytes of uploads being written to disk.', () => bodies.disk.total)
  const { metrics, unreadAnswers } = options
  metrics.gauge('unread_bytes', 'Bytes of large answers that clients have not read.', () => unreadAnswers.total)
  const parseJson = addJsonParser(app, bodies)
  traceRequests(app)
  const collections = new Set<string>()
  app.decorate('collections', collections)
  app.addHook('onRoute', ({ url }) => {
    const [collection] = /^\/v2\/[^/:]+/.exec(url) ?? []
    if (collection !== undefined) collections.add(collection)
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('x-frame-options', 'DENY')
    reply.header('referrer-policy', 'no-referrer')
    reply.header('cache-control', 'no-store')
    if (config.publicUrl.startsWith('https:')) reply.header('strict-transport-security', 'max-age=31536000')
    if (draining) reply.header('connection', 'close')
  })
  app.addHook('onRequest', async (request, reply) => {
    let { counted } = request.routeOptions.config ?? {}
    if (counted === 'by itself') {
      // The others are answered before their route could count them.
      if (!isPreflight(request) && refusalOfHeaders(request) === null) return
      counted = undefined
    }
    try {
      await rate.count(request.ip, counted)
    } catch (error) {
      // What was sent behind it would be refused one by one.
      reply.header('connection', 'close')
      throw error
    }
  })
  app.addHook('onSend', sayWhenToRetry)
  app.addHook('onSend', async ({ routeOptions: { url } }, reply) => {
    if (reply.statusCode !== 401 || reply.hasHeader('www-authenticate')) return
    // RFC 9110, section 11.6.1. Mail services send their secret as a password.
    reply.header('www-authenticate', url?.startsWith('/inbound/') ? 'Basic realm="inbound"' : 'Bearer')
  })
  const refusals = paceOf(config.rateLimitPerSecond)
  metrics.gauge('refusals_held', 'Refusals, and calls of providers that may end in one, that are held back.', () => {
    return refusals.held
  })
  holdRefusalsBack(app, bodies, refusals)
  compressAnswers(app)
  app.addHook('onSend', (request, reply, payload, done) => {
    countUnread(unreadAnswers, request, reply, payload)
    done(null, payload)
  })
  allowOrigins(app, config.allowedOrigins, options.guestOrigins)
  refuseHeaders(app)
  app.addHook('onResponse', async (request, reply) => recordResponse(options, request, reply))
  app.addHook('onRequestAbort', async ({ id: requestId, routeOptions }) => {
    options.log.debug({ requestId, route: routeOptions.url }, 'the client aborted the request')
  })
  app.setErrorHandler((error, request, reply) => sendError(options, error, request, reply))
  app.setNotFoundHandler((request, reply) => {
    return sendError(options, routeNotFound(request, app.collections), request, reply)
  })
  addHomePage(app)
  addErrorsPage(app)
  addOperatorRoutes(app, { ...options, isReady: () => options.isStarted() && !draining })
  return {
    fastify: app,
    bodies,
    parseJson,
    rate,
    refusals,
    beginDrain() {
      draining = true
    },
    closeIdle() {
      // Repeated: a connection whose request was answered before it was fully received becomes idle once the rest has
      // arrived.
      const closeIdle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS)
      app.server.once('close', () => clearInterval(closeIdle))
      app.server.closeIdleConnections()
    },
  }
}

function traceRequests(app: FastifyInstance): void {
  const traces = tracing()
  if (traces.isOn) app.addHook('onRequest', (request, { raw }, done) => traces.request(request, raw, done))
}

/**
 * Parses JSON and accepts an empty body: clients send the content type with GET and DELETE as well. Bodies that take long
 * to parse are parsed in turns, with pauses in which everybody else is served.
 */
function addJsonParser(app: FastifyInstance, bodies: RequestBodies): JsonParser {
  const turns = new FairQueue({ name: 'large bodies', limits: PARSE_LIMITS, pause: PARSE_PAUSE })
  app.removeAllContentTypeParsers()
  const parser: JsonParser = async (request, payload) => {
    requireUtf8(request)
    const body = await bodies.read(request, payload, bodies.isAdmitted(request) ? undefined : ANONYMOUS_BYTES_MAX)
    if (body.length === 0) return undefined
    const valuesMax = bodies.isKnown(request) ? REQUEST_VALUES_MAX : UNKNOWN_VALUES_MAX
    const inTurn = (work: () => unknown): Promise<unknown> => {
      const network = networkOf(request.ip)
      return turns.run(shareOf([network], network), work)
    }
    // Also to refuse it takes long.
    if (body.length > LARGE_BODY_BYTES) return inTurn(() => parseRequestJson(body.toString(), 'body', valuesMax))
    const text = body.toString()
    const parse = (): unknown => parseChecked(text, 'body')
    return refuseShape(text, 'body', valuesMax) <= UNKNOWN_VALUES_MAX ? parse() : inTurn(parse)
  }
  app.addContentTypeParser('application/json', parser)
  return parser
}

/**
 * Tells whether much of the body has not been read. Node would read and discard it to keep the connection: who sends
 * too much already would have us do as much work as if it were accepted.
 */
function hasLargeRest({ raw, headers }: FastifyRequest): boolean {
  return (
    !raw.complete &&
    (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > DISCARD_BYTES_MAX)
  )
}

/** Adds `Retry-After` to every answer for which it applies, in a single place. */
function sayWhenToRetry(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const { statusCode } = reply
  if ((statusCode === 503 || statusCode === 429) && !reply.hasHeader('retry-after')) {
    reply.header('retry-after', RETRY_AFTER_SECONDS)
  }
  if ((statusCode === 503 || statusCode === 429) && hasLargeRest(request)) reply.header('connection', 'close')
  done(null, payload)
}

function paceOf(rateLimitPerSecond: number): RefusalPace {
  const perSecond = Math.max(REFUSALS_PER_SECOND_MIN, REFUSALS_PER_REQUEST * rateLimitPerSecond)
  return new RefusalPace({ perSecond, bytesPerSecond: REFUSED_BYTES_PER_SECOND })
}

/**
 * Holds back refusals of requests with a body or credentials of nobody that the server knows, and those of large bodies and
 * beyond a rate of whom it knows. Their places and the bytes of their bodies are free from then on.
 */
function holdRefusalsBack(app: FastifyInstance, bodies: RequestBodies, pace: RefusalPace): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { statusCode } = reply
    // Of GraphQL with any status: older clients only take 200.
    const isLimited = statusCode < 500 && reply.hasHeader('retry-after')
    const sender = bodies.senderOf(request)
    // Of whom the server knows, the room that is missing is mostly that of its own part.
    const isWithoutRoom = sender !== undefined && bodies.isWithoutRoom(request)
    const isRefused = (statusCode >= 400 && statusCode < 500) || isLimited || isWithoutRoom
    if (!isRefused || !isCostly(request)) return payload
    const bytes = bodies.bytesOf(request)
    if (sender !== undefined && bytes <= LARGE_BODY_BYTES && !isLimited) return payload
    endRefused(reply.raw)
    request.body = undefined
    if (sender !== undefined) await pace.waitForCaller(sender, bytes)
    else if (!(await pace.waitForNetwork(request.ip))) reply.raw.destroy()
    return payload
  })
}

function isCostly({ headers }: FastifyRequest): boolean {
  return (
    headers.authorization !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > 0
  )
}

/** Counts a large answer as unread until the client has accepted all of it. */
function countUnread(unread: UnreadAnswers, request: FastifyRequest, { raw }: FastifyReply, payload: unknown): void {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return
  if (payload.length <= LARGE_ANSWER_BYTES) return
  const accepted = unread.answered(request.raw.socket, request.ip, Buffer.byteLength(payload))
  raw.once('close', accepted)
}

function sendError(
  options: HttpAppOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { expiredTokenStatus } = options.config
  const { status, retryAfterSeconds, body } = errorReply(error, {
    requestId: request.id,
    log: options.log,
    expiredTokenStatus,
  })
  if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds)
  return reply.code(status).send(body)
}

/** Logs one line per request, without headers, bodies and query strings, which contain tokens. */
function recordResponse({ config, log, metrics }: HttpAppOptions, request: FastifyRequest, reply: FastifyReply): void {
  const ms = reply.elapsedTime
  const route = request.routeOptions.url ?? 'unknown'
  const status = reply.statusCode
  metrics.httpDuration.observe({ method: request.method, route, status }, ms / 1_000)
  const entry = { requestId: request.id, method: request.method, route, status, ms: Math.round(ms * 100) / 100 }
  if (config.logsRequests) log.info(entry, 'request')
  else log.debug(entry, 'request')
}
