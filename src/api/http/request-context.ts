import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Caller } from '../../platform/access/caller.js'
import type { Authenticator } from '../../platform/access/authenticator.js'
import { Context } from '../../platform/context.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database } from '../../platform/db/database.js'
import { isOwnOrigin } from '../../platform/limits/own-origin.js'

export interface RequestContextsOptions {
  authenticator: Authenticator
  database: Database
  clock: Clock
  log: Logger
  publicUrl: string
  /** Called for requests with right credentials. */
  authenticated?(request: FastifyRequest, caller: Caller): void
}

/** Sent by pages that nobody is at: what they ask by themselves is no use of the session. */
const UNATTENDED = 'switchboard-unattended'

/** A connection may be kept for further requests: what waits for its end is to be forgotten. */
function onceClosed(socket: Socket, end: () => void): () => void {
  if (socket.destroyed) end()
  socket.once('close', end)
  return () => socket.off('close', end)
}

/** Creates the context of an HTTP request, for GraphQL and REST alike. */
export class RequestContexts {
  constructor(private readonly options: RequestContextsOptions) {}

  /**
   * @param authorization the header to use; undefined where a route ignores it
   * @throws Unauthenticated, TokenExpired
   */
  async of(request: FastifyRequest, authorization: string | undefined): Promise<Context> {
    const { id, ip, headers } = request
    const { authenticator, database, clock, log, publicUrl } = this.options
    const { origin, host } = headers
    const isUnattended = headers[UNATTENDED] !== undefined
    const caller = await authenticator.authenticate(authorization, ip, { isUnattended })
    if (caller) this.options.authenticated?.(request, caller)
    return new Context({
      database,
      clock,
      log,
      caller,
      requestId: id,
      address: ip,
      isUnattended,
      // What the server's own pages may is not the business of those who name sites.
      origin: origin === undefined || isOwnOrigin(origin, host, publicUrl) ? null : origin,
      userAgent: headers['user-agent'] ?? null,
      acceptLanguage: headers['accept-language'] ?? null,
      position: headers['switchboard-position']?.toString() ?? null,
      onGone: (end) => onceClosed(request.raw.socket, end),
    })
  }
}
