import proxyAddress from '@fastify/proxy-addr'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Config } from '../config.js'
import { RETRY_AFTER_SECONDS } from '../errors.js'
import { isOwnOrigin } from '../limits/own-origin.js'
import { trustOf } from '../limits/trusted-proxies.js'

export type UpgradeConfig = Pick<Config, 'publicUrl' | 'allowedOrigins' | 'trustProxy'>

/**
 * Whether a page of this origin may open a socket: the server's own, or one that is allowed. Only browsers send an
 * origin; what sends none is no page that a stranger could have made.
 */
export function isAllowedOrigin({ headers }: IncomingMessage, { publicUrl, allowedOrigins }: UpgradeConfig): boolean {
  const { origin, host } = headers
  if (origin === undefined || allowedOrigins.includes('*') || allowedOrigins.includes(origin)) return true
  return isOwnOrigin(origin, host, publicUrl)
}

/** The client's address, as for requests: the last one that no trusted proxy has. */
export function addressOf(request: IncomingMessage, { trustProxy }: UpgradeConfig): string {
  const trust = trustOf(trustProxy)
  return (trust === false ? request.socket.remoteAddress : proxyAddress(request, trust)) || 'unknown'
}

/** Answers an upgrade with an HTTP error, and ends the connection. */
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
