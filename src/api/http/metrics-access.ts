import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Logger } from 'pino'
import type { Config } from '../../platform/config.js'
import type { Metrics } from '../../platform/metrics.js'

export type MetricsConfig = Pick<Config, 'host' | 'metricsPort' | 'metricsToken' | 'publicUrl'>

/** Headers added by a reverse proxy. */
const PROXIED = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via']
const LOOPBACK_PEER = /^(?:::ffff:)?127\.|^::1$/
const LOOPBACK_HOST = /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/i
/** A reverse proxy's default; collectors use a newer one. */
const PROXYS_VERSION = '1.0'

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

/** Serves the metrics on a separate port. @returns a function that stops it */
export async function listenForMetrics(
  config: MetricsConfig,
  metrics: Metrics,
  log: Logger,
): Promise<{ port: number; stop(): Promise<void> } | null> {
  if (config.metricsPort === undefined) return null
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics'
    const status = !isAsked ? 404 : mayReadMetrics(request, config) ? 200 : 401
    if (status !== 200) return void response.writeHead(status).end()
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'failed to collect the metrics')
        response.writeHead(500).end()
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.metricsPort, config.host, resolve)
  })
  return { port: (server.address() as { port: number }).port, stop: () => closed(server) }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
