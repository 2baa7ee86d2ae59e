import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Authenticator } from '../access/authenticator.js'
import { Context } from '../context.js'
import type { Clock } from '../db/clock.js'
import type { Database } from '../db/database.js'

export interface RequestContextsOptions {
  authenticator: Authenticator
  database: Database
  clock: Clock
  log: Logger
}

/** Creates the context of an HTTP request, for GraphQL and REST alike. */
export class RequestContexts {
  constructor(private readonly options: RequestContextsOptions) {}

  /**
   * @param authorization the header to use; undefined where a route ignores it
   * @throws Unauthenticated, TokenExpired
   */
  async of({ id, ip, headers }: FastifyRequest, authorization: string | undefined): Promise<Context> {
    const { authenticator, database, clock, log } = this.options
    return new Context({
      database,
      clock,
      log,
      caller: await authenticator.authenticate(authorization),
      requestId: id,
      address: ip,
      origin: headers.origin ?? null,
      userAgent: headers['user-agent'] ?? null,
      acceptLanguage: headers['accept-language'] ?? null,
    })
  }
}
