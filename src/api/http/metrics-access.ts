import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config.js'
import { createServerInTurn } from './requests-in-turn.js'

export type MetricsConfig = Pick<Config, 'host' | 'metricsPort' | 'metricsToken' | 'publicUrl'>

/** Headers added by a reverse proxy. */
const PROXIED = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via']
const LOOPBACK_PEER = /^(?:::ffff:)?127\.|^::1$/
const LOOPBACK_HOST = /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/i
/** A reverse proxy's default; collectors use a newer one. */
const PROXYS_VERSION = '1.0'
/** Time limit for receiving a request at the separate port. */
const REQUEST_MS_MAX = 10_000

/**
 * Tells whether a request may read the metrics, which include every tenant's traffic: with the token if one is
 * configured; on a separate port, anyone who can reach it; else only from this machine, and not through a proxy. A proxy
 * on this machine may leave no trace of itself: where the server has a public name, there is one, and the token is
 * required.
 */
export function mayReadMetrics(
  request: IncomingMessage,
  { metricsToken, metricsPort, publicUrl }: MetricsConfig,
): boolean {
  if (metricsToken !== undefined) return isToken(request.headers.authorization, metricsToken)
  if (metricsPort !== undefined) return true
  if (!LOOPBACK_HOST.test(URL.parse(publicUrl)?.host ?? '')) return false
  const isDirect =
    request.httpVersion !== PROXYS_VERSION && PROXIED.every((name) => request.headers[name] === undefined)
  const isLocal = LOOPBACK_PEER.test(request.socket.remoteAddress ?? '')
  return isDirect && isLocal && LOOPBACK_HOST.test(request.headers.host ?? '')
}

function isToken(authorization: string | undefined, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))
}

/** Connections at the separate port. */
const atMetricsPort = new WeakSet<object>()

/** Tells whether a request came by the port that is for the metrics alone. */
export function isAtMetricsPort({ socket }: IncomingMessage): boolean {
  return atMetricsPort.has(socket)
}

/**
 * Serves the metrics on a separate port, by the route of the server: what protects that holds here as well.
 * @returns a function that stops it
 */
export async function listenForMetrics(
  config: MetricsConfig,
  app: FastifyInstance,
): Promise<{ port: number; stop(): Promise<void> } | null> {
  if (config.metricsPort === undefined) return null
  await app.ready()
  const server = createServerInTurn((request, response) => app.routing(request, response))
  server.requestTimeout = REQUEST_MS_MAX
  server.on('connection', (socket) => atMetricsPort.add(socket))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.metricsPort, config.host, resolve)
  })
  return { port: (server.address() as { port: number }).port, stop: () => closed(server) }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
