import proxyAddress from '@fastify/proxy-addr'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Config } from '../../platform/config.js'
import { RETRY_AFTER_SECONDS } from '../../platform/errors.js'
import { isOwnOrigin } from '../../platform/limits/own-origin.js'
import { trustOf } from '../../platform/limits/trusted-proxies.js'

export type UpgradeConfig = Pick<Config, 'publicUrl' | 'allowedOrigins' | 'trustProxy'>

/**
 * Tells whether a page of this origin may open a socket: the server's own, or an allowed one. Only browsers send an
 * origin; a request without one does not come from a foreign site's page.
 */
export function isAllowedOrigin({ headers }: IncomingMessage, { publicUrl, allowedOrigins }: UpgradeConfig): boolean {
  const { origin, host } = headers
  if (origin === undefined || allowedOrigins.includes('*') || allowedOrigins.includes(origin)) return true
  return isOwnOrigin(origin, host, publicUrl)
}

/** Returns the client's address, as for requests: the last one that is not a trusted proxy's. */
export function addressOf(request: IncomingMessage, { trustProxy }: UpgradeConfig): string {
  const trust = trustOf(trustProxy)
  return (trust === false ? request.socket.remoteAddress : proxyAddress(request, trust)) || 'unknown'
}

/** Answers an upgrade with an HTTP error, and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: number, message: string): void {
  const body = JSON.stringify({ message })
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`,
    'Connection: close',
    'Content-Type: application/json',
    ...(status === 429 || status === 503 ? [`Retry-After: ${RETRY_AFTER_SECONDS}`] : []),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.once('finish', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const REASONS: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}
