import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Config } from '../config.js'

export type UpgradeConfig = Pick<Config, 'publicUrl' | 'allowedOrigins' | 'trustProxy'>

/**
 * Whether a page of this origin may open a socket: the server's own, or one that is allowed. Only browsers send an
 * origin; what sends none is no page that a stranger could have made.
 */
export function isAllowedOrigin({ headers }: IncomingMessage, { publicUrl, allowedOrigins }: UpgradeConfig): boolean {
  const { origin, host } = headers
  if (origin === undefined || allowedOrigins.includes('*') || allowedOrigins.includes(origin)) return true
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return (host !== undefined && url.host === host) || url.origin === new URL(publicUrl).origin
}

/** The client's address; that which the outermost proxy saw when proxies are trusted. */
export function addressOf(request: IncomingMessage, { trustProxy }: UpgradeConfig): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined
  const first = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',', 1)[0]?.trim()
  return first || request.socket.remoteAddress || 'unknown'
}

/** Answers an upgrade with an HTTP error, and ends the connection. */
export function refuseUpgrade(socket: Duplex, status: number, message: string): void {
  const body = JSON.stringify({ message })
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`,
    'Connection: close',
    'Content-Type: application/json',
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
