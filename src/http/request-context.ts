import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Authenticator } from '../access/authenticator.js'
import { Context } from '../context.js'
import type { Clock } from '../db/clock.js'
import type { Database } from '../db/database.js'
import { isOwnOrigin } from '../limits/own-origin.js'

export interface RequestContextsOptions {
  authenticator: Authenticator
  database: Database
  clock: Clock
  log: Logger
  publicUrl: string
}

/** Creates the context of an HTTP request, for GraphQL and REST alike. */
export class RequestContexts {
  constructor(private readonly options: RequestContextsOptions) {}

  /**
   * @param authorization the header to use; undefined where a route ignores it
   * @throws Unauthenticated, TokenExpired
   */
  async of({ id, ip, headers }: FastifyRequest, authorization: string | undefined): Promise<Context> {
    const { authenticator, database, clock, log, publicUrl } = this.options
    const { origin, host } = headers
    return new Context({
      database,
      clock,
      log,
      caller: await authenticator.authenticate(authorization),
      requestId: id,
      address: ip,
      // What the server's own pages may is not the business of those who name sites.
      origin: origin === undefined || isOwnOrigin(origin, host, publicUrl) ? null : origin,
      userAgent: headers['user-agent'] ?? null,
      acceptLanguage: headers['accept-language'] ?? null,
      position: headers['switchboard-position']?.toString() ?? null,
    })
  }
}
