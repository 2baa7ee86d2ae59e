import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from './context.js'
import type { LiveSource } from './events/live-feed.js'
import type { RefusalPace } from './limits/refusal-pace.js'
import type { RequestBodies } from './limits/request-bodies.js'
import type { MaintenanceTask } from './maintenance/maintenance.js'

/** One part of the server. `createServer` combines what the modules give; a module leaves out what it does not have. */
export interface Module {
  /** Instances of its resolver classes. */
  resolvers?: readonly object[]
  /** Sources of its live subscriptions. */
  sources?: readonly LiveSource[]
  /** Run every hour, by one node at a time. */
  maintenance?: readonly MaintenanceTask[]
  /** Adds routes that are no operations, such as uploads. */
  addRoutes?(http: HttpParts): Promise<void> | void
  /** Starts timers, listeners and connections. The modules start in order, before the server listens. */
  start?(): Promise<void> | void
  /** Ends requests that wait: called before the server waits for those under way. */
  drain?(): void
  /** Called in reverse order once no requests come any more, even if `start` failed or was not reached. */
  stop?(): Promise<void> | void
}

/** Reads and parses a body of JSON, as long as its sender may send. @throws BadUserInput, FastifyError (413) */
export type JsonParser = (request: FastifyRequest, payload: IncomingMessage) => Promise<unknown>

/** The server to which routes are added, and the readers of their requests. */
export interface HttpParts {
  fastify: FastifyInstance
  bodies: RequestBodies
  parseJson: JsonParser
  refusals: RefusalPace
  /** @throws Unauthenticated, TokenExpired */
  contextFor(request: FastifyRequest, authorization: string | undefined): Promise<Context>
  /** Counts the request (section 8). @throws RateLimited */
  countRequest(reply: FastifyReply, policy: 'address' | 'key', of: string): Promise<void>
}
